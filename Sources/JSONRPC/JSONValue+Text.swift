// SPDX-License-Identifier: Apache-2.0

/// Between trees and text.
extension JSONValue {
    /// Parses a whole JSON text.
    package init(parsing text: String) throws(JSONFault) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(JSONFault) in try JSONValue(parsing: UnsafeRawBufferPointer(bytes)) }
        }
        self = try result.get()
    }

    /// Parses a whole JSON text. A number too large for a double is refused.
    package init(parsing text: UnsafeRawBufferPointer) throws(JSONFault) {
        if let fault = JSONValidator().validate(text) { throw fault }
        let value = JSONValue(RawJSON(validated: text))
        guard value.isFinite else { throw .number }
        self = value
    }

    /// Copies a slice of judged text. A number too large for a double becomes infinite.
    package init(_ raw: RawJSON) {
        var tokens = RawTokens(raw)
        self = tokens.next().map { JSONValue($0, &tokens) } ?? .null
    }

    /// The value that begins with `token`. One pass over the text, however deep it is: to cut a container
    /// off first, as slices do, would read what is in it again at each level.
    private init(_ token: RawJSON, _ tokens: inout RawTokens) {
        switch token.kind {
        case .null: self = .null
        case .bool: self = .bool(token.bool ?? false)
        case .number:
            let isNegative = token.bytes[0] == UInt8(ascii: "-")
            self =
                token.int64.map(JSONValue.int)
                ?? .double(token.double ?? (isNegative ? -.infinity : .infinity))
        case .string: self = .string(token.string ?? "")
        case .array:
            var elements: [JSONValue] = []
            while let element = tokens.next(), element.bytes[0] != UInt8(ascii: "]") {
                elements.append(JSONValue(element, &tokens))
            }
            self = .array(elements)
        case .object:
            var members: [(String, JSONValue)] = []
            while let name = tokens.next(), name.kind == .string, let value = tokens.next() {
                members.append((name.string ?? "", JSONValue(value, &tokens)))
            }
            self = .object(members)
        }
    }

    /// The value on one line.
    package var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The value on as many lines as it needs, two blanks a level; empty containers stay together.
    package var prettyText: String {
        var lines = ""
        print(to: &lines, indent: "\n")
        return lines
    }

    private func print(to lines: inout String, indent: String) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            lines += "["
            for (index, element) in elements.enumerated() {
                lines += index == 0 ? indent + "  " : "," + indent + "  "
                element.print(to: &lines, indent: indent + "  ")
            }
            lines += indent + "]"
        case .object(let object) where !object.isEmpty:
            lines += "{"
            for (index, member) in object.members.enumerated() {
                lines += index == 0 ? indent + "  " : "," + indent + "  "
                lines += JSONValue.string(member.name).text + ": "
                member.value.print(to: &lines, indent: indent + "  ")
            }
            lines += indent + "}"
        case .null, .bool, .int, .double, .string, .array, .object: lines += text
        }
    }

    /// Whether every number is one that JSON can say.
    package var isFinite: Bool {
        switch self {
        case .double(let number): number.isFinite
        case .array(let elements): elements.allSatisfy(\.isFinite)
        case .object(let object): object.members.allSatisfy(\.value.isFinite)
        case .null, .bool, .int, .string: true
        }
    }
}

extension JSONValue: CustomStringConvertible {
    package var description: String { text }
}

extension JSONValue: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.append("null")
        case .bool(let bool): writer.append(bool)
        case .int(let number): writer.append(number)
        case .double(let number): writer.append(number)
        case .string(let string): writer.append(string: string)
        case .array(let elements):
            writer.array { writer in
                for element in elements { writer.element(element) }
            }
        case .object(let object):
            writer.object { writer in
                for member in object.members {
                    writer.key(member.name)
                    member.value.write(to: &writer)
                }
            }
        }
    }
}
