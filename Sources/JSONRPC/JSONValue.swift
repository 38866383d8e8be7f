// SPDX-License-Identifier: Apache-2.0

/// A JSON value as a tree of its own: for tools, scenarios and tests, not for hot paths.
///
/// Integers of 64 bits are exact; other numbers become doubles. Objects keep the order of their
/// members. Equality is JSON's: members in any order, and 1 equals 1.0; texts are equal when their bytes
/// are, however alike they look.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// An object from members in order; of members with one name the last counts.
    package static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(JSONObject(members))
    }

    /// An object's member; nil where there is none or this is no object. Setting nil removes it,
    /// and setting a member of something else does nothing.
    package subscript(name: String) -> JSONValue? {
        get {
            guard case .object(let object) = self else { return nil }
            return object[name]
        }
        set {
            guard case .object(var object) = self else { return }
            object[name] = newValue
            self = .object(object)
        }
    }

    /// An array's element; nil where there is none or this is no array.
    package subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    package var int: Int64? {
        guard case .int(let number) = self else { return nil }
        return number
    }

    /// Any number, as near as a double comes.
    package var double: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }

    package var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    package var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    package var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var object: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    package var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }
}

/// The members of a JSON object, in order, each name once. Names are told apart by their bytes.
package struct JSONObject: Sendable {
    package private(set) var members: [(name: String, value: JSONValue)] = []
    private var indices: [Name: Int] = [:]

    /// A name as it is spelled: two texts that Unicode calls equivalent are two names.
    private struct Name: Hashable {
        let text: String

        static func == (left: Name, right: Name) -> Bool { left.text.hasSameBytes(as: right.text) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    package init(_ members: [(String, JSONValue)] = []) {
        for (name, value) in members { self[name] = value }
    }

    /// Setting keeps a member's place, or adds it at the end; setting nil removes it.
    package subscript(name: String) -> JSONValue? {
        get { indices[Name(text: name)].map { members[$0].value } }
        set {
            let key = Name(text: name)
            switch (indices[key], newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil):
                members.remove(at: index)
                indices = [:]
                for (index, member) in members.enumerated() {
                    indices[Name(text: member.name)] = index
                }
            case (nil, let value?):
                indices[key] = members.count
                members.append((name, value))
            case (nil, nil): break
            }
        }
    }

    package var names: [String] { members.map(\.name) }
    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }
}

extension JSONObject: Equatable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }
}

extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.int(let int), .double(let double)), (.double(let double), .int(let int)):
            Int64(exactly: double) == int
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _),
            (.object, _):
            false
        }
    }
}

extension String {
    /// Whether both are spelled with the same bytes, which is more than that Unicode calls them equal.
    package func hasSameBytes(as other: String) -> Bool {
        // Equal bytes are equal texts, and that comparison is the fast one.
        self == other && utf8.elementsEqual(other.utf8)
    }
}
