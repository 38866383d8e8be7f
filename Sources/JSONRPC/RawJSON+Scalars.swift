// SPDX-License-Identifier: Apache-2.0
internal import CSimdJSON

/// Scalars read straight from the text. Each gives nil where the value is of another kind.
extension RawJSON {
    /// An integer written without fraction or exponent, exactly.
    package var int64: Int64? {
        var number: Int64 = 0
        let text = slice
        return kind == .number && sj_read_int64(text.start, text.length, &number) ? number : nil
    }

    /// The nearest double; nil where the number is too large for one.
    package var double: Double? {
        var number = 0.0
        let text = slice
        return kind == .number && sj_read_double(text.start, text.length, &number) ? number : nil
    }

    package var bool: Bool? {
        kind == .bool ? bytes[0] == UInt8(ascii: "t") : nil
    }

    package var string: String? {
        withStringBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with a string's UTF-8, escapes undone. A string without escapes is not copied.
    @inlinable package func withStringBytes<Result>(
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        rawString?.withBytes(body)
    }

    /// What stands between a string's quotes.
    package var rawString: RawString? {
        guard kind == .string else { return nil }
        let contents = UnsafeRawBufferPointer(rebasing: bytes[1..<bytes.count - 1])
        return RawString(bytes: contents, isEscaped: isEscaped)
    }
}

/// What stands between the quotes of a key or a string, as written.
package struct RawString {
    package let bytes: UnsafeRawBufferPointer
    @usableFromInline let isEscaped: Bool

    package var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// Calls `body` with the UTF-8 that is meant. Text without escapes is not copied.
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard isEscaped else { return body(bytes) }
        // Undoing escapes only ever shrinks, so the written length is room enough.
        return withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { room in
            body(UnsafeRawBufferPointer(rebasing: room[..<unescape(into: room)]))
        }
    }

    @usableFromInline func unescape(into room: UnsafeMutableRawBufferPointer) -> Int {
        sj_unescape(
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
            room.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    /// Whether the text means `word`, however it is escaped.
    package func equals(_ word: StaticString) -> Bool {
        guard isEscaped else { return word.equals(bytes) }
        // Six bytes, as in \u0061, are the most that one byte of a word can take.
        guard bytes.count <= 6 * word.utf8CodeUnitCount else { return false }
        return withBytes { word.equals($0) }
    }
}
