// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
internal import Scheduling

/// The host's timeline as seen from inside a plugin. The heap is the host's; here wait only closures.
///
/// A waiting closure sits in a cell whose address is the host's `data` pointer. Cells are used again,
/// so a timer costs no allocation once as many have been pending at a time. Loop-confined; ends with the
/// instance, after which neither side calls the other, whoever still holds this.
final class HostScheduler: Scheduler {
    struct Cell {
        // Safety: the scheduler owns its cells and frees them only when it goes away, after the host's
        // last call.
        unowned(unsafe) let owner: HostScheduler
        let index: UInt32
        var generation: UInt32 = 0
        var nextFree: UInt32 = .max
        var hostToken: UInt64 = 0
        var work: (() -> Void)?
    }

    let host: UnsafePointer<marbled_host_table>
    let instance: OpaquePointer
    private var cells: [UnsafeMutablePointer<Cell>] = []
    private var firstFree = UInt32.max
    /// The instant the instance ended at; after that the host is not called any more.
    private var end: Instant?
    /// The effects that have not ended: the host keeps no more than their addresses.
    private var pendingEffects: [ObjectIdentifier: PendingEffect] = [:]
    private var tasks: TimelineExecutor?

    init(host: UnsafePointer<marbled_host_table>, instance: OpaquePointer) {
        self.host = host
        self.instance = instance
    }

    deinit {
        for cell in cells {
            cell.deinitialize(count: 1)
            cell.deallocate()
        }
    }

    /// Runs the feature's async tasks, after each call of the host; made when the first one is started.
    var executor: TimelineExecutor {
        if let tasks { return tasks }
        let made = TimelineExecutor(of: self)
        // What comes back from other threads is let in by the host, which asks this one to look.
        let entry = PostedEntry(self)
        made.onArrival { entry.ring() }
        tasks = made
        return made
    }

    /// Whether the instance is over.
    var isClosed: Bool { end != nil }

    var now: Instant { end ?? Instant(nanoseconds: host.pointee.now(instance)) }

    func instant(after delay: Duration) -> Instant {
        if let end { return end.advanced(byNanoseconds: max(0, delay.wholeNanoseconds)) }
        return Instant(nanoseconds: host.pointee.after(instance, delay.wholeNanoseconds))
    }

    /// Not told over the boundary: the host stamps what it records.
    var microstep: UInt32 { 0 }

    /// Not read here: the time of day is an effect.
    var wallNanoseconds: Int64 { 0 }

    func unhandledError(_ error: any Error, place: StaticString) {
        log("\(place) failed and nobody took the error: \(error)", level: .error)
    }

    func log(_ message: String, level: LogLevel) {
        guard !isClosed else { return }
        var message = message
        message.withUTF8 { text in
            host.pointee.log(instance, level.rawValue, marbled_bytes(text))
        }
    }

    @discardableResult
    func schedule(
        at due: Instant, phase: Phase, label: WorkLabel, _ work: @escaping () -> Void
    ) -> WorkToken {
        guard !isClosed else { return .none }
        let cell = occupyCell(work)
        let token = host.pointee.schedule(
            instance, due.nanoseconds, UInt32(phase.rawValue), label.cString,
            { HostScheduler.run($0) }, cell)
        guard token != 0 else {
            let work = releaseCell(cell)
            withExtendedLifetime(work) {}
            return .none
        }
        cell.pointee.hostToken = token
        return WorkToken(
            rawValue: UInt64(cell.pointee.generation) << 32 | UInt64(cell.pointee.index))
    }

    @discardableResult
    func cancel(_ token: WorkToken) -> Bool {
        let index = Int(truncatingIfNeeded: token.rawValue & 0xFFFF_FFFF)
        let generation = UInt32(truncatingIfNeeded: token.rawValue >> 32)
        guard !isClosed, index < cells.count, generation & 1 == 1,
            cells[index].pointee.generation == generation
        else { return false }
        let cell = cells[index]
        let isCancelled = host.pointee.cancel(instance, cell.pointee.hostToken)
        let work = releaseCell(cell)
        withExtendedLifetime(work) {}
        return isCancelled
    }

    // MARK: Effects

    func keep(_ effect: PendingEffect) {
        pendingEffects[ObjectIdentifier(effect)] = effect
    }

    func letGo(of effect: PendingEffect) {
        pendingEffects[ObjectIdentifier(effect)] = nil
    }

    // MARK: The end

    /// Lets go of everything that waits: the host calls none of it any more, and what it holds may hold
    /// this timeline.
    func close() {
        // Before the end, so that a task which ends may still see the time.
        tasks?.close()
        end = now
        var works: [(() -> Void)?] = []
        for cell in cells where cell.pointee.work != nil { works.append(releaseCell(cell)) }
        let effects = pendingEffects
        pendingEffects = [:]
        for effect in effects.values { effect.abandon() }
        // Let go of only now, with the books straight: that may run any `deinit`.
        withExtendedLifetime(works) {}
    }

    // MARK: Helpers

    /// Runs `body` as work of this timeline: around every call the host makes.
    func enter<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = CurrentScheduler.enter(self)
        defer {
            if let tasks, tasks.hasReadyJobs { tasks.drain() }
            CurrentScheduler.leave(to: outer)
        }
        return try body()
    }

    /// What the host calls when it let somebody in.
    fileprivate static func look(_ data: UnsafeMutableRawPointer?) {
        guard let data else { return }
        let scheduler = Unmanaged<HostScheduler>.fromOpaque(data).takeUnretainedValue()
        scheduler.enter { scheduler.tasks?.letForeignJobsIn() }
    }

    private static func run(_ data: UnsafeMutableRawPointer?) {
        guard let cell = data?.assumingMemoryBound(to: Cell.self) else { return }
        let scheduler = cell.pointee.owner
        let work = scheduler.releaseCell(cell)
        scheduler.enter { work?() }
    }

    private func occupyCell(_ work: @escaping () -> Void) -> UnsafeMutablePointer<Cell> {
        if firstFree == .max {
            let cell = UnsafeMutablePointer<Cell>.allocate(capacity: 1)
            cell.initialize(to: Cell(owner: self, index: UInt32(cells.count)))
            cells.append(cell)
            firstFree = cell.pointee.index
        }
        let cell = cells[Int(firstFree)]
        firstFree = cell.pointee.nextFree
        // Odd while occupied, so that a token of an earlier use is recognised.
        cell.pointee.generation &+= 1
        cell.pointee.work = work
        return cell
    }

    private func releaseCell(_ cell: UnsafeMutablePointer<Cell>) -> (() -> Void)? {
        let work = cell.pointee.work.take()
        cell.pointee.generation &+= 1
        cell.pointee.nextFree = firstFree
        firstFree = cell.pointee.index
        return work
    }
}

/// The host's door for other threads, as seen by the executor of one instance.
// Safety: immutable; `post` may be called from any thread until the executor is closed, which the
// instance's end waits for. The scheduler outlives that, and is touched by the host on the loop only.
private struct PostedEntry: @unchecked Sendable {
    private let host: UnsafePointer<marbled_host_table>
    private let instance: OpaquePointer
    private let scheduler: UnsafeMutableRawPointer

    init(_ scheduler: HostScheduler) {
        host = scheduler.host
        instance = scheduler.instance
        self.scheduler = Unmanaged.passUnretained(scheduler).toOpaque()
    }

    func ring() {
        // Refused where nothing comes from outside, or where so many wait for the loop already: then the
        // next call of the host lets it in.
        _ = host.pointee.post(instance, { HostScheduler.look($0) }, scheduler)
    }
}
