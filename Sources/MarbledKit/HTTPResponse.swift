// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// One HTTP answer.
public struct HTTPResponse: PortValue, Equatable, Sendable {
    /// The status code.
    public var status: Int
    /// Header fields; from the network their names are in lower case. Values of one name are joined by
    /// ", ", those of `set-cookie` by line ends.
    public var headers: [String: String]?
    /// The body where it is text: UTF-8, whatever its header says.
    public var body: String?
    /// The body where it is not, in base64.
    public var base64: String?
    /// Where the answer comes from, if redirects led there.
    public var url: String?

    /// An answer.
    public init(
        status: Int, headers: [String: String]? = nil, body: String? = nil, base64: String? = nil,
        url: String? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.base64 = base64
        self.url = url
    }

    /// The value of a header; letters of either case are the same.
    public func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        // The smallest spelling, so that a header given twice is read alike in every run.
        return headers?.filter { $0.key.lowercased() == wanted }.min { $0.key < $1.key }?.value
    }

    /// The body's bytes, text or not.
    public var bytes: [UInt8] {
        if let body { return Array(body.utf8) }
        return base64.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
    }
}

/// A piece of a streamed answer.
public enum HTTPChunk: Equatable, Sendable {
    /// Status and headers; it comes first.
    case head(HTTPResponse)
    /// Some of the body, cut between characters.
    case text(String)
    /// Some of the body that is no UTF-8.
    case bytes([UInt8])

    /// The pieces that one answer holds: a whole answer, as stubs give it, is a head and a body.
    static func decode(_ json: UnsafeRawBufferPointer) throws -> [HTTPChunk] {
        let piece = try HTTPPiece.decode(json)
        var chunks: [HTTPChunk] = []
        if let status = piece.status {
            chunks.append(
                .head(HTTPResponse(status: status, headers: piece.headers, url: piece.url)))
        }
        if let body = piece.body, !body.isEmpty { chunks.append(.text(body)) }
        if let bytes = piece.base64.flatMap({ Data(base64Encoded: $0) }) {
            chunks.append(.bytes(Array(bytes)))
        }
        guard !chunks.isEmpty || piece.body != nil else {
            throw PortValueError("expected a head or a piece of a body")
        }
        return chunks
    }
}

/// Whatever of an answer one piece holds.
private struct HTTPPiece: PortValue {
    var status: Int?
    var headers: [String: String]?
    var body: String?
    var base64: String?
    var url: String?
}
