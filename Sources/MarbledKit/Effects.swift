// SPDX-License-Identifier: Apache-2.0

public import Streams

/// HTTP through the effect door.
public struct HTTPEffect {
    let door: any EffectDoor

    /// Sends a request. An answer of any status is an answer; only a broken exchange is an error.
    public func send(_ request: HTTPRequest) -> Single<HTTPResponse> {
        door.ask(.http, request) { try HTTPResponse.decode($0) }
    }

    /// Sends a GET.
    public func get(_ url: String, headers: [String: String] = [:]) -> Single<HTTPResponse> {
        send(HTTPRequest(method: "GET", url: url, headers: headers))
    }
}

/// One HTTP request.
public struct HTTPRequest: PortValue, Equatable, Sendable {
    /// `GET`, `POST`, …
    public var method: String
    /// The absolute URL.
    public var url: String
    /// Header fields.
    public var headers: [String: String]?
    /// The body, text.
    public var body: String?

    /// A request.
    public init(
        method: String, url: String, headers: [String: String] = [:], body: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers.isEmpty ? nil : headers
        self.body = body
    }
}

/// One HTTP answer.
public struct HTTPResponse: PortValue, Equatable, Sendable {
    /// The status code.
    public var status: Int
    /// Header fields.
    public var headers: [String: String]?
    /// The body, text.
    public var body: String?

    /// An answer.
    public init(status: Int, headers: [String: String]? = nil, body: String? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Random draws through the effect door: seeded per instance, so a run repeats.
public struct RandomEffect {
    let door: any EffectDoor

    /// A whole number in `range`, each as likely as the others.
    public func integer(in range: ClosedRange<Int>) -> Single<Int> {
        door.ask(.random, RandomRequest(min: range.lowerBound, max: range.upperBound)) {
            try Int.decode($0)
        }
    }
}

struct RandomRequest: PortValue {
    var min: Int
    var max: Int
}

/// The time of day through the effect door.
public struct WallClockEffect {
    let door: any EffectDoor

    /// Nanoseconds since 1970-01-01 UTC. It can jump; time operators never use it.
    public func now() -> Single<Int> {
        door.ask(.wallClock, [String: Int]()) { try Int.decode($0) }
    }
}
