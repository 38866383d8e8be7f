// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// What is wrong with a flow text.
package struct FlowFault: Error, Equatable {
    package var message: String
}

/// Reads JSON as people type it: quotes may be left out where nothing is lost by it.
///
///     {http: GET */random*, reply: {status: 200, json: [1]}}
///
/// It is YAML's flow style without its corners: a bare word runs to the next `,` `]` `}`, or, as a key,
/// to the next `:` that a blank follows; it is JSON where it is JSON, else a string. All JSON is read
/// as itself. Nesting is bounded at 64.
package struct FlowText {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    package static func parse(_ text: String) throws(FlowFault) -> JSONValue {
        // JSON goes by its own rules, whatever it holds.
        if let value = try? JSONValue(parsing: text) { return value }
        var reader = FlowText(bytes: Array(text.utf8))
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.position == reader.bytes.count else { throw reader.fault("nothing more") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value() throws(FlowFault) -> JSONValue {
        skipBlanks()
        depth += 1
        defer { depth -= 1 }
        guard depth <= 64 else { throw fault("fewer levels") }
        switch peek {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try quoted())
        default:
            let word = bareWord(asKey: false)
            guard !word.isEmpty else { throw fault("a value") }
            return ArgumentText.value(word)
        }
    }

    private mutating func object() throws(FlowFault) -> JSONValue {
        position += 1
        var object = JSONObject()
        while try !closes(with: UInt8(ascii: "}"), isFirst: object.isEmpty) {
            skipBlanks()
            let isQuoted = peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'")
            let name = isQuoted ? try quoted() : bareWord(asKey: true)
            skipBlanks()
            guard !name.isEmpty, peek == UInt8(ascii: ":") else { throw fault("`key: value`") }
            position += 1
            guard object[name] == nil else {
                throw FlowFault(message: "the key \"\(name)\" comes twice")
            }
            object[name] = try value()
        }
        return .object(object)
    }

    private mutating func array() throws(FlowFault) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        while try !closes(with: UInt8(ascii: "]"), isFirst: elements.isEmpty) {
            elements.append(try value())
        }
        return .array(elements)
    }

    /// Steps over the comma before a further element, or over the end.
    private mutating func closes(with end: UInt8, isFirst: Bool) throws(FlowFault) -> Bool {
        skipBlanks()
        if peek == end {
            position += 1
            return true
        }
        guard !isFirst else { return false }
        guard peek == UInt8(ascii: ",") else {
            throw fault("`,` or `\(Character(Unicode.Scalar(end)))`")
        }
        position += 1
        return false
    }

    /// A double-quoted text is JSON's; in a single-quoted one only `''` means something.
    private mutating func quoted() throws(FlowFault) -> String {
        let quote = peek
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            if byte == quote {
                guard quote == UInt8(ascii: "'") else {
                    let json = String(decoding: bytes[start..<position], as: UTF8.self)
                    guard let string = (try? JSONValue(parsing: json))?.string else { break }
                    return string
                }
                guard peek == quote else { return String(decoding: text, as: UTF8.self) }
                position += 1
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                position += 1
            }
            text.append(byte)
        }
        position = start
        throw fault("a string that ends and has no unknown escape")
    }

    private mutating func bareWord(asKey: Bool) -> String {
        let start = position
        scan: while let byte = peek {
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): break scan
            case UInt8(ascii: ":") where asKey && isBlank(at: position + 1): break scan
            default: position += 1
            }
        }
        var end = position
        while end > start, isBlank(at: end - 1) { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func isBlank(at index: Int) -> Bool {
        guard index < bytes.count else { return true }
        switch bytes[index] {
        case 0x20, 0x09, 0x0A, 0x0D: return true
        default: return false
        }
    }

    private mutating func skipBlanks() {
        while position < bytes.count, isBlank(at: position) { position += 1 }
    }

    private func fault(_ expected: String) -> FlowFault {
        let found = bytes[min(position, bytes.count)...].prefix(12)
        let text = String(decoding: found, as: UTF8.self)
        return FlowFault(
            message: text.isEmpty
                ? "the text ends where \(expected) was expected"
                : "\(expected) was expected before \"\(text)\"")
    }
}
