// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MarbledHost

/// The one thread that waits for the disk, so that the loop never does.
///
/// Orders are carried out in the order they were given, one after the other; those that wait together
/// share one commit. Begins with the first order and ends with `close`.
///
/// Bound: `waitingOrders`, and `waitingBytes` of their keys and values; one more is refused as `busy`.
// Safety: `state` is touched only with the mutex held, `file` only by the thread.
final class StoreThread: @unchecked Sendable {
    static let waitingOrders = 1_024
    static let waitingBytes = 16 << 20
    /// Orders that share a commit.
    private static let batch = 64

    /// What an order came to; `ticket` is what it was given with.
    typealias Answer = (ticket: UInt64, result: Result<[UInt8], StoreFault>)

    private struct State {
        var orders: [(ticket: UInt64, order: StoreOrder)] = []
        var bytes = 0
        /// Orders given and not answered.
        var open = 0
        var isStarted = false
        var isClosing = false
        var hasEnded = false
    }

    private var state = State()
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let path: String
    private let makeFile: @Sendable () -> StoreFile
    private let deliver: @Sendable ([Answer]) -> Void

    /// - Parameters:
    ///   - makeFile: called on the thread, when that begins.
    ///   - deliver: called on the thread with what was carried out, in order.
    init(
        path: String, makeFile: @escaping @Sendable () -> StoreFile,
        deliver: @escaping @Sendable ([Answer]) -> Void
    ) {
        self.path = path
        self.makeFile = makeFile
        self.deliver = deliver
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(bell, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(bell)
        pthread_mutex_destroy(mutex)
        bell.deallocate()
        mutex.deallocate()
    }

    /// Has an order carried out, or says why it will not be.
    func submit(_ order: StoreOrder, ticket: UInt64) -> StoreFault? {
        let size = order.request.byteCount
        return locked { () -> StoreFault? in
            guard !state.isClosing else {
                return StoreFault(.unavailable, "\(path) is closed: the daemon is stopping")
            }
            guard state.orders.count < Self.waitingOrders,
                state.orders.isEmpty || state.bytes + size <= Self.waitingBytes
            else {
                return StoreFault(
                    .busy,
                    "\(state.orders.count) requests wait for \(path) already; wait for answers before asking "
                        + "for more")
            }
            if !state.isStarted {
                let code = start()
                guard code == 0 else {
                    return StoreFault(
                        systemError: code, file: path, reason: "no thread can be made")
                }
                state.isStarted = true
            }
            state.orders.append((ticket, order))
            state.bytes += size
            state.open += 1
            pthread_cond_broadcast(bell)
            return nil
        }
    }

    /// How many orders have not been answered.
    var openCount: Int { locked { state.open } }

    /// Takes no more orders, and waits until those that were taken are carried out and the file is closed,
    /// but not longer than `nanoseconds`. Returns how many are left.
    func close(waiting nanoseconds: Int64) -> Int {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let total = Int64(end.tv_nsec) + nanoseconds
        end.tv_sec += Int(total / 1_000_000_000)
        end.tv_nsec = Int(total % 1_000_000_000)
        return locked {
            state.isClosing = true
            pthread_cond_broadcast(bell)
            while state.isStarted, !state.hasEnded {
                guard pthread_cond_timedwait(bell, mutex, &end) == 0 else { break }
            }
            return state.open
        }
    }

    // MARK: The thread

    private func start() -> Int32 {
        // Signals are the loop's.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<StoreThread>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            Unmanaged.passUnretained(self).release()
        }
        return code
    }

    private func run() {
        let file = makeFile()
        while let orders = next() {
            let results = file.carryOut(orders.map(\.order))
            deliver(zip(orders, results).map { ($0.ticket, $1) })
            locked { state.open -= orders.count }
        }
        file.close()
        locked {
            state.hasEnded = true
            pthread_cond_broadcast(bell)
        }
    }

    /// What is to be done next, or nil when that was all.
    private func next() -> [(ticket: UInt64, order: StoreOrder)]? {
        locked {
            while state.orders.isEmpty {
                if state.isClosing { return nil }
                pthread_cond_wait(bell, mutex)
            }
            let batch = Array(state.orders.prefix(Self.batch))
            state.orders.removeFirst(batch.count)
            state.bytes -= batch.reduce(0) { $0 + $1.order.request.byteCount }
            return batch
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
