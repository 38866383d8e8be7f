// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// One HTTP request.
public struct HTTPRequest: PortValue, Equatable, Sendable {
    /// `GET`, `POST`, …
    public var method: String
    /// The absolute URL, `http` or `https`.
    public var url: String
    /// Header fields.
    public var headers: [String: String]?
    /// The body, text.
    public var body: String?
    /// How many redirects are followed; with 0 the redirect itself is the answer. Nil for the daemon's
    /// limit. From https to http none is followed.
    public var redirects: Int?
    private var timeoutNanoseconds: Int?
    private var connectTimeoutNanoseconds: Int?
    private var isStream: Bool?

    private enum CodingKeys: String, CodingKey {
        case method
        case url
        case headers
        case body
        case redirects
        case timeoutNanoseconds = "timeout"
        case connectTimeoutNanoseconds = "connectTimeout"
        case isStream = "stream"
    }

    /// A request.
    ///
    /// - Parameters:
    ///   - timeout: from asking to the last byte; nil for the daemon's limit.
    ///   - connectTimeout: for making a connection; nil for the daemon's limit.
    public init(
        method: String, url: String, headers: [String: String] = [:], body: String? = nil,
        timeout: Duration? = nil, connectTimeout: Duration? = nil, redirects: Int? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers.isEmpty ? nil : headers
        self.body = body
        self.redirects = redirects
        self.timeout = timeout
        self.connectTimeout = connectTimeout
    }

    /// How long the exchange may take, from asking to the last byte; nil for the daemon's limit, which
    /// for a stream counts to its head.
    public var timeout: Duration? {
        get { timeoutNanoseconds.map { .nanoseconds($0) } }
        set { timeoutNanoseconds = newValue.map { Int($0.wholeNanoseconds) } }
    }

    /// How long making a connection may take; nil for the daemon's limit.
    public var connectTimeout: Duration? {
        get { connectTimeoutNanoseconds.map { .nanoseconds($0) } }
        set { connectTimeoutNanoseconds = newValue.map { Int($0.wholeNanoseconds) } }
    }

    func asking(forStream isStream: Bool) -> HTTPRequest {
        var request = self
        request.isStream = isStream ? true : nil
        return request
    }
}
