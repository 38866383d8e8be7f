// SPDX-License-Identifier: Apache-2.0

internal import EventLoop
internal import JSONRPC
internal import MarbledHost
internal import Scheduling

/// Carries `instance.await` out. It ends by what was waited for, by the time-out on the instance's own
/// clock, with the instance, or with the client.
enum Await {
    static func begin(
        _ instance: Instance, _ output: Int, _ until: Waiter.Until, _ timeout: Int64,
        _ context: ClientSession, _ kept: KeptReply
    ) {
        var timer: LoopTimer?
        var token: Int?
        let waiter = Waiter(until: until) { waiter in
            timer?.close()
            if let token { context.removeWait(token) }
            instance.unsubscribe(waiter, from: output)
            answer(waiter, kept, context)
        }
        // A state has said its newest value already; whoever waits hears it first.
        if let state = instance.state(output) {
            state.value.withUnsafeBytes { waiter.take(.next, at: state.at, $0) }
        }
        guard waiter.ending == nil else { return }
        instance.subscribe(waiter, to: output)
        token = context.addWait(kept) { reason in
            switch reason {
            case .cancelled: waiter.end(.cancelled)
            case .stopping: waiter.end(.closed("the daemon is stopping"))
            case .gone: waiter.end(.closed("the connection is gone"))
            }
        }
        switch instance.clock {
        case .real:
            let deadline = LoopTimer(on: context.daemon.loop) { waiter.end(.timeout) }
            deadline.start(after: .nanoseconds(timeout))
            timer = deadline
        case .virtual(let scheduler):
            let end = scheduler.now.advanced(byNanoseconds: timeout)
            do {
                try instance.drive(.through(end), until: { waiter.ending != nil }) { outcome in
                    switch outcome {
                    case .success: waiter.end(.timeout)
                    case .failure(let error): waiter.end(.closed("\(error)"))
                    }
                }
            } catch {
                waiter.end(.closed("\(error)"))
            }
        }
    }

    private static func answer(_ waiter: Waiter, _ kept: KeptReply, _ context: ClientSession) {
        guard let reply = kept.take() else { return }
        context.drainSubscriptions(beforeAnswer: true)
        reply.succeed { writer in
            writer.object { writer in
                writer.array("values") { writer in
                    for (at, value) in waiter.values {
                        writer.object { writer in
                            writer.member("at", at)
                            writer.key("value")
                            value.withUnsafeBytes { writer.append(payload: $0) }
                        }
                    }
                }
                writeEnding(waiter.ending, to: &writer)
            }
        }
    }

    private static func writeEnding(_ ending: Waiter.Ending?, to writer: inout JSONWriter) {
        let word: StaticString =
            switch ending {
            case .satisfied?: "satisfied"
            case .completed?: "completed"
            case .error?: "error"
            case .timeout?: "timeout"
            case .moreThanOne?: "moreThanOne"
            case .cancelled?: "cancelled"
            case .closed?, nil: "closed"
            }
        writer.member("ended", word)
        switch ending {
        case .error(let json)?:
            writer.key("error")
            json.withUnsafeBytes { writer.append(payload: $0) }
        case .closed(let reason)?: writer.member("reason", reason)
        default: break
        }
    }
}
