// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import MarbledKit

/// One thing that a feature asked of the world.
public struct EffectCall: Equatable, Sendable, CustomStringConvertible {
    /// The tick it was asked at.
    public let time: Int
    /// The effect's name.
    public let effect: String
    /// The request, JSON text.
    public let request: String
    /// Whether a rule of the test answered, or withheld the answer.
    public let isStubbed: Bool

    init(_ call: StubBook.Call, time: Int) {
        self.time = time
        effect = call.effect
        request = call.request.text
        isStubbed = call.stub != nil
    }

    /// The request as a value: `call.request(as: HTTPRequest.self).url`.
    public func request<Value: Decodable>(as type: Value.Type) throws -> Value {
        var text = request
        return try text.withUTF8 { try JSONText.decode(type, from: UnsafeRawBufferPointer($0)) }
    }

    public var description: String { "\(effect) \(request) @ \(time)" }
}
