// SPDX-License-Identifier: Apache-2.0

internal import EventLoop
internal import HTTP
internal import JSONRPC
internal import MarbledHost

/// The effect `http` of instances in real time: their requests, through one client of the daemon's.
///
/// The client is made by the first request. Its owner ends it with `close()` before the loop closes.
final class HTTPProvider: EffectProvider {
    private let loop: EventLoop
    private let settings: HTTPClient.Settings
    private var client: HTTPClient?
    private var isOpen = true

    init(on loop: EventLoop, _ settings: HTTPClient.Settings) {
        self.loop = loop
        self.settings = settings
    }

    func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)? {
        do throws(HTTPError) {
            guard isOpen else { throw HTTPError(.cancelled, "the daemon is stopping") }
            let call = try HTTPCall(request)
            let client = client ?? HTTPClient(on: loop, settings)
            self.client = client
            return client.send(call, timers: instance.clock.scheduler) { reply(Self.answer($0)) }
        } catch {
            reply(Self.answer(.failure(error)))
            return nil
        }
    }

    /// Ends what is open. Calling it twice is harmless.
    func close() {
        isOpen = false
        client?.close()
        client = nil
    }

    private static func answer(_ event: HTTPEvent) -> EffectAnswer {
        switch event {
        case .answer: .json(event.json)
        case .head, .chunk: .part(Array(event.json.text.utf8))
        case .completed: .completed
        case .failure(let error): .failure(kind: error.kind.rawValue, message: error.message)
        }
    }
}
