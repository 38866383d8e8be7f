// SPDX-License-Identifier: Apache-2.0

public import Streams

/// HTTP through the effect door.
///
/// An answer of any status is an answer; only a broken exchange is an error, an `EffectError` whose kind
/// is one of `badRequest`, `resolve`, `refused`, `unreachable`, `proxy`, `tls`, `timeout`, `reset`,
/// `badAnswer`, `tooLarge`, `redirect`, `busy`, `overrun`, `cancelled`, `unavailable` and `failed`.
public struct HTTPEffect {
    let door: any EffectDoor

    /// Sends a request and gives its whole answer. Disposing it ends the exchange.
    public func send(_ request: HTTPRequest) -> Single<HTTPResponse> {
        door.ask(.http, request.asking(forStream: false)) { try HTTPResponse.decode($0) }
    }

    /// Sends a GET.
    public func get(_ url: String, headers: [String: String] = [:]) -> Single<HTTPResponse> {
        send(HTTPRequest(method: "GET", url: url, headers: headers))
    }

    /// Sends a request and gives its answer piece by piece, as it comes:
    ///
    ///     stream  ---head-text--text-------|
    ///
    /// The head comes first and once. What was received before a failure comes before it. Disposing it
    /// ends the exchange.
    public func stream(_ request: HTTPRequest) -> Observable<HTTPChunk> {
        door.askForMany(.http, request.asking(forStream: true)) { try HTTPChunk.decode($0) }
    }
}

extension EffectDoor {
    /// Asks the world something that has several answers, each of which becomes some elements.
    public func askForMany<Element>(
        _ effect: Effect, _ request: some PortValue,
        decode: @escaping (UnsafeRawBufferPointer) throws -> [Element]
    ) -> Observable<Element> {
        Observable.create { [self] observer in
            var text = JSONText()
            do {
                try request.encode(into: &text)
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
            return perform(effect, request: text.bytes) { event in
                switch event {
                case .next(let json):
                    do {
                        for element in try decode(json) { observer.onNext(element) }
                    } catch { observer.onError(error) }
                case .error(let error): observer.onError(error)
                case .completed: observer.onCompleted()
                }
            }
        }
    }
}
