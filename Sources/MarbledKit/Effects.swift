// SPDX-License-Identifier: Apache-2.0

public import Streams

/// The key-value store through the effect door; keys are the plugin's own.
public struct StoreEffect {
    let door: any EffectDoor

    /// What is stored under `key`, or nil.
    public func get<Value: PortValue>(
        _ key: String, as type: Value.Type = Value.self
    ) -> Single<Value?> {
        door.ask(.store, StoreRequest<Value>(get: key)) { try Value?.decode($0) }
    }

    /// Stores `value` under `key`.
    public func set<Value: PortValue>(_ key: String, to value: Value) -> Single<Void> {
        door.ask(.store, StoreRequest(set: key, value: value)) { _ in }
    }

    /// Removes what is stored under `key`.
    public func remove(_ key: String) -> Single<Void> {
        door.ask(.store, StoreRequest<Bool>(remove: key)) { _ in }
    }
}

/// A request to the store: one of `{"get": key}`, `{"set": key, "value": …}`, `{"remove": key}`.
struct StoreRequest<Value: PortValue>: PortValue {
    var get: String?
    var set: String?
    var value: Value?
    var remove: String?

    static var schema: Schema { .any }
}

/// Random draws through the effect door: seeded per instance, so a run repeats.
public struct RandomEffect {
    let door: any EffectDoor

    /// A whole number in `range`, each as likely as the others.
    public func integer(in range: ClosedRange<Int>) -> Single<Int> {
        door.ask(.random, RandomRequest(min: range.lowerBound, max: range.upperBound)) {
            try Int.decode($0)
        }
    }
}

struct RandomRequest: PortValue {
    var min: Int
    var max: Int
}

/// The time of day through the effect door.
public struct WallClockEffect {
    let door: any EffectDoor

    /// Nanoseconds since 1970-01-01 UTC. It can jump; time operators never use it.
    public func now() -> Single<Int> {
        door.ask(.wallClock, [String: Int]()) { try Int.decode($0) }
    }
}
