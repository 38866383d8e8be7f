// SPDX-License-Identifier: Apache-2.0
internal import CSimdJSON

/// One member of an object, as written.
package struct RawMember {
    package let key: RawString
    package let value: RawJSON

    init(_ member: sj_member) {
        let bytes = UnsafeRawBufferPointer(start: member.key, count: member.key_length)
        key = RawString(bytes: bytes, isEscaped: member.key_escaped)
        value = RawJSON(member.value)
    }
}

/// The members of an object, in the order written, duplicates included.
package struct RawMembers: Sequence, IteratorProtocol {
    private var cursor: sj_cursor

    init(_ object: RawJSON) { cursor = sj_open(object.slice) }

    package mutating func next() -> RawMember? {
        var member = sj_member()
        return sj_next_member(&cursor, &member) ? RawMember(member) : nil
    }
}

/// The elements of an array, in the order written.
package struct RawElements: Sequence, IteratorProtocol {
    private var cursor: sj_cursor

    init(_ array: RawJSON) { cursor = sj_open(array.slice) }

    package mutating func next() -> RawJSON? {
        var element = sj_value()
        return sj_next_element(&cursor, &element) ? RawJSON(element) : nil
    }
}

/// A value piece by piece: brackets, names and scalars, without the signs between them.
struct RawTokens: IteratorProtocol {
    private var cursor: sj_cursor

    init(_ value: RawJSON) { cursor = sj_begin(value.slice) }

    /// A bracket comes as a slice of one byte.
    mutating func next() -> RawJSON? {
        var token = sj_value()
        return sj_next_token(&cursor, &token) ? RawJSON(token) : nil
    }
}

extension RawJSON {
    /// The members of an object; none where the value is something else.
    package var members: RawMembers {
        RawMembers(kind == .object ? self : RawJSON.nothing)
    }

    /// The elements of an array; none where the value is something else.
    package var elements: RawElements {
        RawElements(kind == .array ? self : RawJSON.nothing)
    }

    /// The value of an object's member; the last one where a careless writer repeated the name.
    package func member(_ name: StaticString) -> RawJSON? {
        var found: RawJSON?
        for member in members where member.key.equals(name) { found = member.value }
        return found
    }

    private static var nothing: RawJSON {
        RawJSON(sj_value(start: nil, length: 0, escaped: false))
    }
}
