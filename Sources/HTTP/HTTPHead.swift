// SPDX-License-Identifier: Apache-2.0

/// The head of an answer: status and header fields, in the order they came.
package struct HTTPHead: Equatable, Sendable {
    package var status: Int
    package var fields: [HTTPField]

    package init(status: Int, fields: [HTTPField] = []) {
        self.status = status
        self.fields = fields
    }

    /// The value of the first field of a name, which is in lower case.
    package func value(_ lowercased: String) -> String? {
        fields.first { $0.isNamed(lowercased) }?.value
    }
}

/// Makes a head of the lines that come: interim heads (1xx) are passed over, and trailers.
struct HTTPHeadReader {
    /// The head, once its last line came.
    private(set) var head: HTTPHead?
    /// How many bytes of lines came so far, interim heads included.
    private(set) var bytes = 0
    private var status = 0
    private var fields: [HTTPField] = []

    /// Takes one line with its end. Bytes that are not UTF-8 become U+FFFD.
    mutating func take(_ line: UnsafeRawBufferPointer) {
        bytes += line.count
        // What follows the body are trailers, and nobody asked for any.
        guard head == nil else { return }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            let words = text.split(whereSeparator: \.isWhitespace)
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            fields = []
        } else if text.allSatisfy(\.isNewline) {
            if status >= 200 { head = HTTPHead(status: status, fields: fields) }
        } else if let first = text.first, first == " " || first == "\t" {
            // A folded line (RFC 9112, 5.2) goes on with the value before it.
            if let last = fields.indices.last { fields[last].value += " " + Self.trim(text[...]) }
        } else if let colon = text.firstIndex(of: ":") {
            fields.append(
                HTTPField(String(text[..<colon]), Self.trim(text[text.index(after: colon)...])))
        }
    }

    private static func trim(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
