// SPDX-License-Identifier: Apache-2.0

/// The query of a URL, or the body of a form: names and values in the order they are given.
///
/// ```swift
/// let query: URLQuery = ["q": "cats & dogs", "page": "2"]
/// "https://api.example/search?\(query)"      // https://api.example/search?q=cats%20%26%20dogs&page=2
/// ```
public struct URLQuery: Equatable, Sendable, ExpressibleByDictionaryLiteral,
    CustomStringConvertible
{
    /// The text as it stands behind the question mark, percent-encoded.
    public let description: String

    /// A query of these names and values; a name may stand in it more than once.
    public init(dictionaryLiteral elements: (String, String)...) {
        description = elements.map { "\(Self.encode($0))=\(Self.encode($1))" }
            .joined(separator: "&")
    }

    /// Text as one piece of a URL: all but letters, digits and `-._~` is percent-encoded as UTF-8
    /// (RFC 3986, 2.3). Good for a segment of a path, too.
    public static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                encoded.append(UInt8(ascii: "%"))
                encoded.append(hexDigits[Int(byte >> 4)])
                encoded.append(hexDigits[Int(byte & 15)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}
