// SPDX-License-Identifier: Apache-2.0

public import Scheduling

extension SharedSequenceConvertibleType {
    /// Emits the first `count` values and completes.
    public func take(_ count: Int) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().take(count))
    }

    /// Emits values as long as `predicate` holds, and completes at the first for which it does not.
    public func take(
        while predicate: @escaping (Element) -> Bool, behavior: TakeBehavior = .exclusive
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().take(while: predicate, behavior: behavior))
    }

    /// Emits values until `predicate` holds for one, and completes there.
    public func take(
        until predicate: @escaping (Element) -> Bool, behavior: TakeBehavior = .exclusive
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().take(until: predicate, behavior: behavior))
    }

    /// Emits values until `other` emits, and completes there.
    public func take(until other: some SharedSequenceConvertibleType) -> SharedSequence<
        SharingStrategy, Element
    > {
        .init(sharing: asObservable().take(until: other.asObservable()))
    }

    /// Emits values for `duration`, and completes there.
    public func take(
        for duration: Duration, scheduler: (any Scheduler)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().take(for: duration, scheduler: scheduler))
    }

    /// Emits what follows the first `count` values.
    public func skip(_ count: Int) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().skip(count))
    }

    /// Emits values from the first on for which `predicate` does not hold.
    public func skip(while predicate: @escaping (Element) -> Bool) -> SharedSequence<
        SharingStrategy, Element
    > {
        .init(sharing: asObservable().skip(while: predicate))
    }

    /// Emits values once `other` has emitted.
    public func skip(until other: some SharedSequenceConvertibleType) -> SharedSequence<
        SharingStrategy, Element
    > {
        .init(sharing: asObservable().skip(until: other.asObservable()))
    }

    /// Emits values from `duration` on.
    public func skip(
        for duration: Duration, scheduler: (any Scheduler)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().skip(for: duration, scheduler: scheduler))
    }
}
