// SPDX-License-Identifier: Apache-2.0

public import Streams

/// The key-value store through the effect door; keys are the plugin's own.
///
/// A value that was stored, and answered, outlives the daemon, where that has a state directory. Bounds: a
/// key has 512 bytes, a value 1 MiB of JSON, a plugin 10,000 keys, a transaction 100 operations. What is
/// refused changes nothing and fails with an `EffectError` of a stable kind: `badRequest`, `tooLarge`,
/// `full`, `readOnly`, `damaged`, `busy` or `unavailable`.
public struct StoreEffect {
    let door: any EffectDoor

    /// What is stored under `key`, or nil.
    public func get<Value: PortValue>(
        _ key: String, as type: Value.Type = Value.self
    ) -> Single<Value?> {
        door.ask(.store, StoreRequest(.get(key))) { try Value?.decode($0) }
    }

    /// Stores `value` under `key`.
    public func set<Value: PortValue>(_ key: String, to value: Value) -> Single<Void> {
        door.ask(.store, StoreRequest(.set(key, to: value))) { _ in }
    }

    /// Removes what is stored under `key`.
    public func remove(_ key: String) -> Single<Void> {
        door.ask(.store, StoreRequest(.remove(key))) { _ in }
    }

    /// What is stored under keys that begin with `prefix`, in the order of the keys' bytes: at most `limit`
    /// entries (1 to 1,000, and 4 MiB), from the first behind the key `after`.
    public func list<Value: PortValue>(
        prefix: String = "", after: String? = nil, limit: Int? = nil,
        as type: Value.Type = Value.self
    ) -> Single<StorePage<Value>> {
        door.ask(.store, StoreListRequest(list: prefix, after: after, limit: limit)) {
            try StorePage<Value>.decode($0)
        }
    }

    /// Carries out all operations or none: true when all were, false when an `expect` did not hold.
    public func transaction(_ operations: [StoreOperation]) -> Single<Bool> {
        door.ask(.store, StoreTransaction(operations)) { try StoreVerdict.decode($0).done }
    }

    /// Changes what is stored under `key` to what `change` makes of it, and answers that; nil removes it.
    ///
    /// Nobody's change in between is lost: `change` is then asked again with what is there now, at most 16
    /// times, after which it fails as `busy`.
    ///
    /// ```swift
    /// context.store.update("best", as: Int.self) { max($0 ?? 0, score) }
    /// ```
    public func update<Value: PortValue>(
        _ key: String, as type: Value.Type = Value.self,
        _ change: @escaping (Value?) throws -> Value?
    ) -> Single<Value?> {
        update(key, attempts: 16, change)
    }

    private func update<Value: PortValue>(
        _ key: String, attempts: Int, _ change: @escaping (Value?) throws -> Value?
    ) -> Single<Value?> {
        // The text that was found is what is expected: spelled anew it might lose what `Value` does not know.
        door.ask(.store, StoreRequest(.get(key))) { Array($0) }.flatMap { found in
            let value = try change(try found.withUnsafeBytes { try Value?.decode($0) })
            return transaction([
                .expect(key, json: found), value.map { .set(key, to: $0) } ?? .remove(key),
            ]).flatMap { isDone in
                if isDone { return .just(value) }
                guard attempts > 1 else {
                    let message = "\"\(key)\" is changed by others all the time"
                    return .error(EffectError(kind: "busy", message: message))
                }
                return update(key, attempts: attempts - 1, change)
            }
        }
    }
}

/// One answer to `StoreEffect.list`.
public struct StorePage<Value: PortValue>: PortValue {
    /// Keys with their values, in the order of the keys' bytes.
    public var entries: [Entry]
    /// The key to go on after, where more is stored.
    public var after: String?

    /// A key and what is stored under it.
    public struct Entry: PortValue {
        /// The key.
        public var key: String
        /// What is stored under it.
        public var value: Value

        public static var schema: Schema { .any }
    }

    public static var schema: Schema { .any }
}

/// One step of a transaction.
public struct StoreOperation {
    let write: (inout JSONText) throws -> Void

    private init(_ verb: StaticString, _ key: String, value: ((inout JSONText) throws -> Void)?) {
        write = { text in
            text.append("{\"")
            text.append(verb)
            text.append("\":")
            text.append(quoting: key)
            if let value {
                text.append(",\"value\":")
                try value(&text)
            }
            text.append("}")
        }
    }

    /// Stores `value` under `key`.
    public static func set(_ key: String, to value: some PortValue) -> StoreOperation {
        StoreOperation("set", key) { try value.encode(into: &$0) }
    }

    /// Reads what is stored under `key`; not in a transaction, which only answers whether it was done.
    static func get(_ key: String) -> StoreOperation {
        StoreOperation("get", key, value: nil)
    }

    /// Removes what is stored under `key`.
    public static func remove(_ key: String) -> StoreOperation {
        StoreOperation("remove", key, value: nil)
    }

    /// Goes on only if what is stored under `key` is `value`, the same as JSON.
    public static func expect(_ key: String, is value: some PortValue) -> StoreOperation {
        StoreOperation("expect", key) { try value.encode(into: &$0) }
    }

    /// Goes on only if nothing is stored under `key`, or null.
    public static func expectNothing(_ key: String) -> StoreOperation {
        StoreOperation("expect", key, value: nil)
    }

    static func expect(_ key: String, json: [UInt8]) -> StoreOperation {
        StoreOperation("expect", key) { $0.append(contentsOf: json) }
    }
}

/// A request to the store: one of `{"get": key}`, `{"set": key, "value": …}`, `{"remove": key}`.
struct StoreRequest: WrittenRequest {
    private let operation: StoreOperation

    init(_ operation: StoreOperation) {
        self.operation = operation
    }

    func encode(into json: inout JSONText) throws {
        try operation.write(&json)
    }
}

/// A request that is only ever written, and as text, so that a value in it is spelled as it spells itself.
protocol WrittenRequest: PortValue {}

extension WrittenRequest {
    init(from decoder: any Decoder) throws {
        throw PortValueError("a request to the store is not read")
    }

    func encode(to encoder: any Encoder) throws {
        throw PortValueError("a request to the store is written as text")
    }

    static var schema: Schema { .any }
}

/// `{"list": prefix, "after"?: key, "limit"?: n}`.
struct StoreListRequest: PortValue {
    var list: String
    var after: String?
    var limit: Int?
}

/// `{"transaction": [operation, …]}`.
struct StoreTransaction: WrittenRequest {
    private let operations: [StoreOperation]

    init(_ operations: [StoreOperation]) {
        self.operations = operations
    }

    func encode(into json: inout JSONText) throws {
        json.append("{\"transaction\":[")
        for (index, operation) in operations.enumerated() {
            if index > 0 { json.append(",") }
            try operation.write(&json)
        }
        json.append("]}")
    }
}

/// What of a transaction's answer says whether it was done.
struct StoreVerdict: PortValue {
    var done: Bool
}
