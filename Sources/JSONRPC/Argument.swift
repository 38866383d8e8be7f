// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// A value inside a call's parameters, with the way to it.
///
/// Each reader gives the value or throws `invalidParams` with the pointer to it and what was
/// expected. Borrowed like the `RawJSON` in it: gone when the handler returns.
package struct Argument {
    package let raw: RawJSON

    /// The JSON Pointer to what holds this value; empty for the parameters themselves.
    private let parent: String
    private let name: Name

    /// A declared name costs no String until an error needs one.
    private enum Name {
        case word(StaticString)
        case text(String)
        case index(Int)
    }

    init(_ raw: RawJSON, _ name: StaticString) {
        self.raw = raw
        parent = ""
        self.name = .word(name)
    }

    private init(_ raw: RawJSON, in parent: String, _ name: Name) {
        self.raw = raw
        self.parent = parent
        self.name = name
    }

    /// The JSON Pointer to this value.
    package var pointer: String {
        switch name {
        case .word(let word): "\(parent)/\(JSONPointer.escape(word.description))"
        case .text(let text): "\(parent)/\(JSONPointer.escape(text))"
        case .index(let index): "\(parent)/\(index)"
        }
    }

    /// An `invalidParams` error about this value.
    package func refused(expected: String, suggestion: String? = nil) -> RPCError {
        RPCError(
            .invalidParams, "\(pointer) is \(raw.brief)", pointer: pointer, expected: expected,
            suggestion: suggestion)
    }

    package func string() throws(RPCError) -> String {
        guard let string = raw.string else { throw refused(expected: "a string") }
        return string
    }

    /// A string's UTF-8 where it stands, for those who need no String; nil where escapes are in it.
    package func plainStringBytes() throws(RPCError) -> UnsafeRawBufferPointer? {
        guard let text = raw.rawString else { throw refused(expected: "a string") }
        return text.isEscaped ? nil : text.bytes
    }

    /// An integer written without fraction or exponent.
    package func int64(in range: ClosedRange<Int64> = .min ... .max) throws(RPCError) -> Int64 {
        guard let number = raw.int64, range.contains(number) else {
            throw refused(expected: Self.expectedInteger(range))
        }
        return number
    }

    package func int(in range: ClosedRange<Int> = .min ... .max) throws(RPCError) -> Int {
        Int(try int64(in: Int64(range.lowerBound)...Int64(range.upperBound)))
    }

    package func double() throws(RPCError) -> Double {
        guard let number = raw.double else {
            throw refused(expected: "a number that fits a double")
        }
        return number
    }

    package func bool() throws(RPCError) -> Bool {
        guard let bool = raw.bool else { throw refused(expected: "true or false") }
        return bool
    }

    /// A duration in nanoseconds: an integer, or a text such as "300ms".
    package func duration() throws(RPCError) -> Int64 {
        let written = raw.int64 ?? raw.withStringBytes { DurationText.nanoseconds($0) } ?? nil
        guard let nanoseconds = written, nanoseconds >= 0 else {
            throw refused(expected: "zero or more \(DurationText.expected)")
        }
        return nanoseconds
    }

    /// One of an enum's words.
    package func choice<Word>(
        of type: Word.Type = Word.self
    ) throws(RPCError) -> Word where Word: RawRepresentable<String> & CaseIterable {
        let text = raw.string
        if let word = text.flatMap(Word.init(rawValue:)) { return word }
        let words = Word.allCases.map(\.rawValue)
        throw refused(
            expected: words.map { "\"\($0)\"" }.joined(separator: " or "),
            suggestion: text.flatMap { NearestName.find($0, among: words) })
    }

    /// The members of an object, to be asked for by name.
    package func object() throws(RPCError) -> ArgumentObject {
        guard raw.kind == .object else { throw refused(expected: "an object") }
        return ArgumentObject(self)
    }

    /// The elements of an array, each knowing its place.
    package func array() throws(RPCError) -> [Argument] {
        guard raw.kind == .array else { throw refused(expected: "an array") }
        let pointer = pointer
        return raw.elements.enumerated().map { Argument($1, in: pointer, .index($0)) }
    }

    /// The value as a tree of its own, which may be kept.
    package func value() -> JSONValue { JSONValue(raw) }

    /// A member of this object.
    func child(_ raw: RawJSON, _ name: String) -> Argument {
        Argument(raw, in: pointer, .text(name))
    }

    private static func expectedInteger(_ range: ClosedRange<Int64>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): "an integer of 64 bits, without fraction or exponent"
        case (let low, .max): "an integer of at least \(low)"
        case (.min, let high): "an integer of at most \(high)"
        case (let low, let high): "an integer from \(low) to \(high)"
        }
    }
}

/// JSON Pointers (RFC 6901), as far as errors need them.
enum JSONPointer {
    static func escape(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") })
        else { return token }
        return token.reduce(into: "") { text, letter in
            switch letter {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.append(letter)
            }
        }
    }
}

extension RawJSON {
    /// The value in a message: as it is where that is short, its kind otherwise.
    var brief: String {
        bytes.count <= 40 && kind != .object && kind != .array
            ? String(decoding: bytes, as: UTF8.self) : kind.noun.description
    }
}
