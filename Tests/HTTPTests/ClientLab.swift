// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import JSONRPC
import LoopbackServer
import Scheduling
import Testing

@testable import HTTP

/// A client on a loop for one test, and what its requests were told.
final class ClientLab {
    let loop: EventLoop
    let client: HTTPClient
    let timers: LoopScheduler

    /// One request, and what came of it.
    final class Asked {
        fileprivate(set) var events: [HTTPEvent] = []
        var cancel: () -> Void = {}
        /// Called with each event, from inside the telling.
        var onEvent: (HTTPEvent) -> Void = { _ in }

        fileprivate func take(_ event: HTTPEvent) {
            events.append(event)
            onEvent(event)
        }

        var isOver: Bool {
            switch events.last {
            case .answer, .completed, .failure: true
            case .head, .chunk, nil: false
            }
        }

        var status: Int? {
            switch events.first {
            case .answer(let head, _, _), .head(let head, _): head.status
            default: nil
            }
        }

        var text: String? {
            guard case .answer(_, .text(let text), _) = events.last else { return nil }
            return text
        }

        var error: HTTPError? {
            guard case .failure(let error) = events.last else { return nil }
            return error
        }
    }

    init(_ settings: HTTPClient.Settings = .init()) throws {
        loop = try EventLoop()
        client = HTTPClient(on: loop, settings)
        timers = LoopScheduler(on: loop)
    }

    deinit {
        client.close()
        timers.close()
        loop.close()
    }

    /// Asks and returns at once.
    func ask(_ request: JSONValue) throws -> Asked {
        let asked = Asked()
        asked.cancel = client.send(try HTTPCall(request), timers: timers) { asked.take($0) }
        return asked
    }

    /// Asks and waits for the end.
    func answer(_ request: JSONValue) throws -> Asked {
        let asked = try ask(request)
        turn { asked.isOver }
        return asked
    }

    /// The timers that wait, by their labels.
    var pendingTimers: [String] { timers.pending().map(\.label.description) }

    /// Lets everything that is ready now have its turn.
    func turnOnce() {
        for _ in 0..<3 { loop.turn(waiting: false) }
    }

    /// Has the loop turn whenever there is news at `server`, for a test that waits for that.
    func heed(_ server: LoopbackServer) {
        let wakeup = loop.wakeup
        server.onNews { wakeup.enqueue {} }
    }

    /// Turns the loop until `condition` holds; a watchdog ends it, and the test fails.
    func turn(
        sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool
    ) {
        var isLate = false
        let watchdog = LoopTimer(on: loop) { isLate = true }
        watchdog.start(after: .seconds(30))
        defer { watchdog.close() }
        while !condition(), !isLate { loop.turn() }
        #expect(!isLate, "what the test waits for did not happen", sourceLocation: sourceLocation)
    }
}

extension HTTPClient.Settings {
    /// Settings with other limits than usual.
    static func limited(_ change: (inout HTTPLimits) -> Void) -> Self {
        var settings = Self()
        change(&settings.limits)
        return settings
    }
}
