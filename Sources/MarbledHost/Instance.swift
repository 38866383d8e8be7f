// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
package import Scheduling

/// A running copy of a feature: its timeline, its ports, its record, its effects.
///
/// Opened and closed by the `Host`; loop-confined. A mistake of its plugin ends the instance with a reason
/// that clients can read, and nothing else.
package final class Instance {
    /// Where an instance stands.
    package enum Life: Equatable {
        /// At work. Can move to `failed` or `closed`.
        case open
        /// Its plugin made a mistake; it is kept so that the reason can be read. Can move to `closed`.
        case failed(String)
        /// Gone.
        case closed
    }

    /// The name clients know it by.
    package let name: String
    package let feature: FeatureDescription
    package let pluginID: String
    package let clock: InstanceClock
    /// The seed of its random draws.
    package let seed: UInt64
    package internal(set) var life = Life.open
    package internal(set) var record: Record
    package internal(set) var stubs = StubBook()
    /// The run that is being carried on slice by slice, if there is one.
    var activeRun: ActiveRun?
    /// What waits for the run to end, in order.
    var waiting: [() -> Void] = []

    unowned let host: Host
    let table: PluginTable
    var providers: [String: any EffectProvider]
    /// The plugin's own pointer, nil before `create` returned and after `destroy`.
    private var plugin: UnsafeMutableRawPointer?
    private var handle: UnsafeMutablePointer<InstanceHandle>?
    /// How deep in calls to the plugin we are: it is destroyed only from outside.
    private var depth = 0
    private var outputs: [OutputState]
    var effects: [UInt64: OpenEffect] = [:]
    var nextEffect: UInt64 = 1
    package internal(set) var effectNames: [String]

    /// What is known of one output.
    struct OutputState {
        /// The newest value of a state, or nil before the first.
        var value: [UInt8]?
        /// When it was said.
        var at: Int64 = 0
        /// Set by an error or a completion, after which nothing may come.
        var hasEnded = false
        var subscribers: [any OutputSubscriber] = []
    }

    init(
        name: String, plugin: Plugin, table: PluginTable, feature: FeatureDescription,
        clock: InstanceClock, seed: UInt64, providers: [String: any EffectProvider], host: Host
    ) {
        self.name = name
        self.feature = feature
        pluginID = plugin.manifest.id
        self.clock = clock
        self.seed = seed
        self.table = table
        self.providers = providers
        self.host = host
        record = Record(maxEntries: host.limits.recordEntries, maxBytes: host.limits.recordBytes)
        outputs = Array(repeating: OutputState(), count: feature.outputs.count)
        effectNames = feature.effects
    }

    // MARK: Life

    /// Starts the feature; its first states are emitted from inside.
    func start(options: [UInt8], handle: UnsafeMutablePointer<InstanceHandle>) throws(HostError) {
        self.handle = handle
        depth += 1
        let created = table.create(OpaquePointer(handle), feature: feature.name, options: options)
        depth -= 1
        switch created {
        case .failure(let error):
            dismantle()
            throw error
        case .success(let plugin):
            self.plugin = plugin
            settle()
            if case .failed(let reason) = life {
                dismantle()
                throw .pluginRefused("\(feature.name) failed while it was opened: \(reason)")
            }
        }
    }

    /// Ends the instance and says what was left. Its handle goes back to the host.
    func close() -> CloseReport {
        let report = CloseReport(
            pendingTimers: clock.pendingCount, openEffects: effects.count,
            unusedStubs: stubs.unused.map(\.source))
        let reason = "the instance was closed"
        life = .closed
        tellSubscribers(reason)
        dismantle()
        return report
    }

    /// Ends the instance for a mistake of its plugin.
    package func fail(_ reason: String) {
        guard life == .open else { return }
        life = .failed(reason)
        host.log(.error, "instance \(name) of \(pluginID) ended: \(reason)")
        if depth == 0 { settle() }
    }

    /// Whether this is called from inside a call to the plugin.
    var isInsidePlugin: Bool { depth > 0 }

    /// Throws the reason when the instance is not at work.
    package func requireOpen() throws(HostError) {
        switch life {
        case .open: return
        case .failed(let reason): throw .pluginFailed(instance: name, reason: reason)
        case .closed: throw .closed("instance \"\(name)\" was closed")
        }
    }

    /// Runs a call into the plugin and, once outside again, carries out an end that it caused.
    @inline(__always)
    func callPlugin<Result>(_ body: () -> Result) -> Result {
        depth += 1
        let watch = host.callbackWatch
        let begin = watch.now()
        let result = body()
        let spent = watch.now() &- begin
        if spent > watch.limit { host.log(.warning, watch.sentence(self, spent)) }
        depth -= 1
        if depth == 0, life != .open { settle() }
        return result
    }

    private func settle() {
        guard depth == 0, case .failed(let reason) = life, plugin != nil else { return }
        tellSubscribers(reason)
        dismantle()
    }

    private func dismantle() {
        for effect in effects.values { effect.giveUp() }
        effects = [:]
        clock.close()
        if let plugin {
            self.plugin = nil
            depth += 1
            table.destroy(plugin)
            depth -= 1
        }
        if let handle {
            self.handle = nil
            host.handles.giveBack(handle)
        }
    }

    private func tellSubscribers(_ reason: String) {
        for output in outputs.indices {
            for subscriber in outputs[output].subscribers {
                subscriber.instanceEnded(self, reason: reason)
            }
            outputs[output].subscribers = []
        }
    }

    // MARK: Inputs

    /// Puts a value on the timeline as an arrival: at `at`, or now when that is nil or past.
    ///
    /// The value is JSON that fits the input's schema. An arrival of now runs before this returns, with
    /// everything it makes for this instant. `refused` is told the feature's sentence when it refuses a
    /// value whose time comes later; without it the log is.
    package func send(
        _ input: Int, _ value: UnsafeRawBufferPointer, at due: Instant? = nil,
        refused: ((String) -> Void)? = nil
    ) throws(HostError) {
        try requireOpen()
        if let due, due > clock.now {
            guard clock.pendingCount < host.limits.pendingWork else {
                throw .limit("\(host.limits.pendingWork) items wait on \"\(name)\" already")
            }
            let copy = [UInt8](value)
            clock.scheduler.schedule(at: due, phase: .arrival, label: "input") { [unowned self] in
                guard let refusal = copy.withUnsafeBytes({ deliver(input, $0) }) else { return }
                if let refused { refused(refusal) } else { logRefusal(input, refusal) }
            }
            return
        }
        var refusal: String?
        let ran: Bool
        switch clock {
        case .real(let scheduler):
            ran = scheduler.runArrival { refusal = deliver(input, value) }
        case .virtual(let scheduler):
            ran = scheduler.runArrival { refusal = deliver(input, value) }
        }
        if !ran {
            let copy = [UInt8](value)
            clock.scheduler.schedule(at: clock.now, phase: .arrival, label: "input") {
                [unowned self] in
                refusal = copy.withUnsafeBytes { deliver(input, $0) }
            }
        }
        if life == .open { try runDue() }
        if let refusal {
            throw .badValue(pointer: "/value", expected: "what the feature takes: \(refusal)")
        }
    }

    /// The same for a value that is an array of bytes.
    package func send(
        _ input: Int, copying value: [UInt8], at due: Instant? = nil,
        refused: ((String) -> Void)? = nil
    ) throws(HostError) {
        let outcome = value.withUnsafeBytes { bytes in
            Result { () throws(HostError) in try send(input, bytes, at: due, refused: refused) }
        }
        try outcome.get()
    }

    /// Runs what is due now.
    func runDue() throws(HostError) {
        switch clock {
        case .real(let scheduler): scheduler.runDue()
        case .virtual(let scheduler):
            do { try scheduler.runDue() } catch { throw .limit("\(error)") }
        }
    }

    /// Hands a value to the plugin. Returns its sentence when it refuses it.
    private func deliver(_ input: Int, _ value: UnsafeRawBufferPointer) -> String? {
        guard let plugin, life == .open else { return nil }
        let number = record.append(
            at: clock.now.nanoseconds, step: clock.microstep, kind: .input, port: input,
            event: .next, value: value)
        let refusal = callPlugin { table.send(plugin, input, value) }
        if refusal != nil { record.takeBack(number) }
        return refusal
    }

    private func logRefusal(_ input: Int, _ refusal: String) {
        host.log(
            .warning,
            "instance \(name) refused a value for \(feature.inputs[input].name): \(refusal)")
    }

    // MARK: Outputs

    /// The plugin says something on an output.
    func emit(_ output: Int, _ code: UInt32, _ value: UnsafeRawBufferPointer) {
        guard life == .open else { return }
        guard output < outputs.count else {
            let count = outputs.count
            return fail("it emitted on output number \(output); it has \(count)")
        }
        guard !outputs[output].hasEnded else {
            return fail("it emitted on \(feature.outputs[output].name) after that had ended")
        }
        guard let event = Record.Event(rawValue: UInt8(clamping: code)) else {
            return fail("it emitted an event of kind \(code)")
        }
        if event == .completed {
            guard value.isEmpty else { return fail("it emitted a completion with a value") }
        } else {
            guard host.isJSON(value) else {
                return fail("what it emitted on \(feature.outputs[output].name) is not JSON")
            }
        }
        let at = clock.now.nanoseconds
        let number = record.append(
            at: at, step: clock.microstep, kind: .output, port: output, event: event, value: value)
        if event != .next { outputs[output].hasEnded = true }
        if feature.outputs[output].kind == .state, event == .next {
            outputs[output].keep(value)
            outputs[output].at = at
        }
        guard !outputs[output].subscribers.isEmpty else { return }
        let said = OutputEvent(
            instance: self, number: number, output: output, at: at, event: event, value: value)
        for subscriber in outputs[output].subscribers { subscriber.outputSaid(said) }
    }

    /// Adds a listener to an output, for what comes from now on.
    package func subscribe(_ subscriber: any OutputSubscriber, to output: Int) {
        outputs[output].subscribers.append(subscriber)
    }

    /// Removes a listener from an output.
    package func unsubscribe(_ subscriber: any OutputSubscriber, from output: Int) {
        outputs[output].subscribers.removeAll { $0 === subscriber }
    }

    /// How many listen to an output.
    package func subscriberCount(_ output: Int) -> Int { outputs[output].subscribers.count }

    /// The newest value of a state and when it was said, or nil for an output that has none.
    package func state(_ output: Int) -> (value: [UInt8], at: Int64)? {
        outputs[output].value.map { ($0, outputs[output].at) }
    }

    // MARK: Scheduled work of the plugin

    func schedule(
        _ due: Int64, _ phase: UInt32, _ label: WorkLabel,
        _ work: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void,
        _ data: UnsafeMutableRawPointer?
    ) -> UInt64 {
        guard life == .open else { return 0 }
        guard clock.pendingCount < host.limits.pendingWork else {
            fail("it has \(host.limits.pendingWork) timers pending and asks for another")
            return 0
        }
        let phase = Phase(rawValue: UInt8(clamping: phase)) ?? .timer
        return clock.scheduler.schedule(
            at: Instant(nanoseconds: due), phase: phase, label: label
        ) { [unowned self] in
            guard life == .open else { return }
            callPlugin { work(data) }
        }.rawValue
    }

    func cancel(_ token: UInt64) -> Bool {
        clock.scheduler.cancel(WorkToken(rawValue: token))
    }

    /// Work that one of the plugin's threads posted has reached the loop.
    func runPosted(
        _ work: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void,
        _ data: UnsafeMutableRawPointer?
    ) {
        guard life == .open else { return }
        _ = schedule(
            clock.now.nanoseconds, UInt32(Phase.queued.rawValue), "posted work", work, data)
        guard activeRun == nil else { return }
        try? runDue()
    }

    func log(_ level: UInt32, _ message: String) {
        let level = HostLogLevel(rawValue: Int(level)) ?? .info
        host.log(level, "\(name): \(message)")
    }
}

extension Instance.OutputState {
    /// Keeps a copy of the newest value in room that is used again.
    mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        if value == nil { value = [] }
        value?.removeAll(keepingCapacity: true)
        value?.append(contentsOf: bytes)
    }
}

/// What was left when an instance was closed.
package struct CloseReport {
    package var pendingTimers: Int
    package var openEffects: Int
    package var unusedStubs: [JSONValue]
}
