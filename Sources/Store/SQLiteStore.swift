// SPDX-License-Identifier: Apache-2.0

package import EventLoop
package import JSONRPC
package import MarbledHost

/// `store` on disk: what real instances have. Keys are the plugin's own, shared by its instances.
///
/// Loop-confined; a thread behind it waits for the disk. Answers come in the order of the requests. A
/// request that was given up is carried out all the same. Idle until the first request: no thread, no
/// file. Whoever owns it calls `close` before the loop closes.
package final class SQLiteStore: EffectProvider {
    /// The database.
    package let path: String
    /// What is wrong with the file: what its last request failed for; before the first, what can be seen.
    package var problem: StoreFault? { thread == nil ? StoreFile.look(in: folder) : fault }
    private var fault: StoreFault?
    private let folder: String
    private let limits: StoreLimits
    private let log: (HostLogLevel, String) -> Void
    private var replies: [UInt64: (EffectAnswer) -> Void] = [:]
    private var nextTicket: UInt64 = 0
    private var thread: StoreThread?
    private let makeThread: (SQLiteStore) -> StoreThread

    /// - Parameters:
    ///   - folder: the state directory; made at the first use.
    ///   - library: the library that knows databases, mapped at the first use.
    ///   - loop: where answers are given.
    ///   - patience: how long to wait for another process that has the file, in milliseconds.
    ///   - log: told when the file becomes unusable, and when it is usable again.
    package init(
        folder: String, library: String = StoreLibrary.path, loop: EventLoop,
        limits: StoreLimits = StoreLimits(), patience: Int32 = 2_000,
        log: @escaping (HostLogLevel, String) -> Void = { _, _ in }
    ) {
        let path = StoreFile.path(in: folder)
        self.path = path
        self.folder = folder
        self.limits = limits
        self.log = log
        let wakeup = loop.wakeup
        makeThread = { store in
            let home = LoopBound(Home(store: store))
            return StoreThread(
                path: path,
                makeFile: {
                    StoreFile(
                        folder: folder, library: library, limits: limits, patience: patience)
                },
                deliver: { answers in
                    wakeup.enqueue { home.value.store?.deliver(answers) }
                })
        }
    }

    /// The way back to the store, which does not keep it alive.
    private final class Home {
        weak var store: SQLiteStore?

        init(store: SQLiteStore) {
            self.store = store
        }
    }

    deinit {
        _ = thread?.close(waiting: 0)
    }

    package func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)? {
        perform(request, plugin: instance.pluginID, reply: reply)
        return nil
    }

    /// Has a request carried out for a plugin; `reply` comes once, and from inside this call only with a
    /// refusal.
    package func perform(
        _ request: JSONValue, plugin: String, reply: @escaping (EffectAnswer) -> Void
    ) {
        let order: StoreOrder
        do throws(StoreFault) {
            order = StoreOrder(
                plugin: plugin, request: try StoreRequest(request, limits: limits))
        } catch {
            return reply(error.answer)
        }
        let thread = thread ?? makeThread(self)
        self.thread = thread
        nextTicket += 1
        replies[nextTicket] = reply
        guard let refusal = thread.submit(order, ticket: nextTicket) else { return }
        replies[nextTicket] = nil
        reply(refusal.answer)
    }

    /// How many requests have not been answered.
    package var openCount: Int { replies.count }

    /// Finishes what was asked, closes the file, and takes no more. Blocks, but not longer than `patience`.
    /// Returns how many requests were left undone.
    @discardableResult
    package func close(patience: Duration) -> Int {
        let (seconds, attoseconds) = patience.components
        return thread?.close(waiting: seconds * 1_000_000_000 + attoseconds / 1_000_000_000) ?? 0
    }

    private func deliver(_ answers: [StoreThread.Answer]) {
        for (ticket, result) in answers {
            let reply = replies.removeValue(forKey: ticket)
            switch result {
            case .success(let text):
                note(nil)
                reply?(.value(text))
            case .failure(let fault):
                if fault.file != nil { note(fault) }
                reply?(fault.answer)
            }
        }
    }

    /// Tells the log when things change, not with every request.
    private func note(_ new: StoreFault?) {
        defer { fault = new }
        if let new, new.kind != fault?.kind {
            log(.error, "the store fails: \(new.message)")
        } else if new == nil, fault != nil {
            log(.info, "the store works again: \(path)")
        }
    }
}
