// SPDX-License-Identifier: Apache-2.0

public import Streams

/// A store in memory, for use cases that read and write one: a database, a cache, preferences.
///
///     set a=1     |
///     get a       (1|)
///     outage      #       while `outage` is set
///
/// Answers come at once; `delay(_:)` what it returns, on the test's timeline, for one that takes time.
public final class FakeStore<Key: Hashable, Value> {
    /// What it holds; a test may look, and may change it.
    public var values: [Key: Value]
    /// What every request fails with while it is set.
    public var outage: (any Error)?
    private let changed = PublishSubject<Key>()

    /// A store that holds `values`.
    public init(_ values: [Key: Value] = [:]) {
        self.values = values
    }

    /// The value under `key`, or nil, read at the subscription.
    public func get(_ key: Key) -> Single<Value?> {
        .deferred { [self] in
            if let outage { return .error(outage) }
            return .just(values[key])
        }
    }

    /// Puts `value` under `key`, at the subscription.
    public func set(_ key: Key, to value: Value) -> Completable { write(key, value) }

    /// Takes what is under `key` away, at the subscription.
    public func remove(_ key: Key) -> Completable { write(key, nil) }

    /// The keys that were written, as they are.
    public var changes: Observable<Key> { changed.asObservable() }

    private func write(_ key: Key, _ value: Value?) -> Completable {
        .deferred { [self] in
            if let outage { return .error(outage) }
            values[key] = value
            changed.onNext(key)
            return .empty()
        }
    }
}
