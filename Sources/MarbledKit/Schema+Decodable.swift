// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// Reads the schema of a `Codable` type off its `init(from:)`: a decoder that answers every question
    /// with a stand-in and notes what it was asked.
    ///
    /// A type that refuses stand-ins (an enum without `CaseIterable`, a custom format) states its
    /// `schema` itself; this stops with a sentence that says so.
    init<Value: Decodable>(describing type: Value.Type) {
        let probe = SchemaProbe()
        do {
            _ = try type.init(from: SchemaProbeDecoder(probe: probe, codingPath: []))
        } catch {
            preconditionFailure(
                "the schema of \(type) cannot be read off its init(from:); give it a static `schema` (\(error))"
            )
        }
        self = probe.schema
    }

    /// The schema of a type that was asked for, and a stand-in for its value.
    fileprivate static func probe<Value: Decodable>(
        _ type: Value.Type, _ path: [any CodingKey]
    ) throws -> (Schema, Value) {
        let probe = SchemaProbe()
        let known = (type as? any PortValue.Type)?.schema
        if let cases = type as? any CaseIterable.Type, let first = cases.firstCase as? Value {
            return (known ?? .any, first)
        }
        let standIn = try type.init(from: SchemaProbeDecoder(probe: probe, codingPath: path))
        return (known ?? probe.schema, standIn)
    }
}

extension CaseIterable {
    fileprivate static var firstCase: Any? { allCases.first }
}

/// What has been learnt about one type.
private final class SchemaProbe {
    var schema = Schema.any

    func note(_ name: String, _ schema: Schema, isOptional: Bool = false) {
        var members: [Schema.Member] = []
        if case .object(let known) = self.schema { members = known }
        members.append(.init(name: name, schema: schema, isOptional: isOptional))
        self.schema = .object(members)
    }
}

private struct SchemaProbeDecoder: Decoder {
    let probe: SchemaProbe
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard codingPath.count < 16 else {
            throw PortValueError("a type that contains itself needs a static schema")
        }
        probe.schema = .object([])
        return KeyedDecodingContainer(KeyedProbe<Key>(probe: probe, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ListProbe(probe: probe, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ScalarProbe(probe: probe, codingPath: codingPath)
    }
}

private struct KeyedProbe<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: SchemaProbe
    let codingPath: [any CodingKey]
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) throws -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let (schema, value) = try Schema.probe(type, codingPath + [key])
        probe.note(key.stringValue, schema)
        return value
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let (schema, value) = try Schema.probe(type, codingPath + [key])
        probe.note(key.stringValue, .optional(schema), isOptional: true)
        return value
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        probe.note(key.stringValue, .optional(.boolean), isOptional: true)
        return nil
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        probe.note(key.stringValue, .optional(.string), isOptional: true)
        return nil
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        probe.note(key.stringValue, .optional(.number), isOptional: true)
        return nil
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        probe.note(key.stringValue, .optional(.integer), isOptional: true)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        throw PortValueError("a nested container needs a static schema")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw PortValueError("a nested container needs a static schema")
    }

    func superDecoder() throws -> any Decoder {
        throw PortValueError("an inherited type needs a static schema")
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        throw PortValueError("an inherited type needs a static schema")
    }
}

private struct ListProbe: UnkeyedDecodingContainer {
    let probe: SchemaProbe
    let codingPath: [any CodingKey]
    var count: Int? { 1 }
    var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, value) = try Schema.probe(type, codingPath)
        probe.schema = .array(schema)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        throw PortValueError("a nested container needs a static schema")
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw PortValueError("a nested container needs a static schema")
    }

    mutating func superDecoder() throws -> any Decoder {
        throw PortValueError("an inherited type needs a static schema")
    }
}

private struct ScalarProbe: SingleValueDecodingContainer {
    let probe: SchemaProbe
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { false }

    func decode(_ type: Bool.Type) throws -> Bool { learn(.boolean, false) }
    func decode(_ type: String.Type) throws -> String { learn(.string, "") }
    func decode(_ type: Double.Type) throws -> Double { learn(.number, 0) }
    func decode(_ type: Float.Type) throws -> Float { learn(.number, 0) }
    func decode(_ type: Int.Type) throws -> Int { learn(.integer, 0) }
    func decode(_ type: Int8.Type) throws -> Int8 { learn(.integer, 0) }
    func decode(_ type: Int16.Type) throws -> Int16 { learn(.integer, 0) }
    func decode(_ type: Int32.Type) throws -> Int32 { learn(.integer, 0) }
    func decode(_ type: Int64.Type) throws -> Int64 { learn(.integer, 0) }
    func decode(_ type: UInt.Type) throws -> UInt { learn(.integer, 0) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { learn(.integer, 0) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { learn(.integer, 0) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { learn(.integer, 0) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { learn(.integer, 0) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, value) = try Schema.probe(type, codingPath)
        probe.schema = schema
        return value
    }

    private func learn<Value>(_ schema: Schema, _ value: Value) -> Value {
        probe.schema = schema
        return value
    }
}
