// SPDX-License-Identifier: Apache-2.0

public import Scheduling

extension SharedSequenceConvertibleType {
    /// Emits a value once there has been none for `dueTime`.
    public func debounce(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// Emits a value, then nothing for `dueTime`; with `latest` the newest of that time follows.
    public func throttle(
        _ dueTime: Duration, latest: Bool = true, scheduler: (any Scheduler)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }

    /// Emits everything `dueTime` later.
    public func delay(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().delay(dueTime, scheduler: scheduler))
    }

    /// Subscribes to the source `dueTime` later.
    public func delaySubscription(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().delaySubscription(dueTime, scheduler: scheduler))
    }
}

extension SharedSequenceConvertibleType where Element: FixedWidthInteger {
    /// Emits 0, 1, 2, … every `period`, the first one after one period.
    public static func interval(
        _ period: Duration, scheduler: (any Scheduler)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: .interval(period, scheduler: scheduler))
    }

    /// Emits 0 after `dueTime`, and completes; with a period it goes on counting.
    public static func timer(
        _ dueTime: Duration, period: Duration? = nil, scheduler: (any Scheduler)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: .timer(dueTime, period: period, scheduler: scheduler))
    }
}
