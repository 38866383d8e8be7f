// SPDX-License-Identifier: Apache-2.0

internal import OpenCombine
internal import Streams

/// The chain that everything in process is held against: subject, map, filter, scan, observer.
///
/// Both contenders get the same closures and the same values. The filter lets every other value pass,
/// which is the cheaper chain for the one that the goals of others are counted in.
enum Chains {
    static let events = 400_000

    /// Nanoseconds per event of OpenCombine's chain.
    static func openCombine() -> Double {
        let subject = PassthroughSubject<Int, Never>()
        var last = 0
        let cancellable =
            subject
            .map { $0 &+ 1 }
            .filter { $0 & 1 == 0 }
            .scan(0) { $0 &+ $1 }
            .sink { last = $0 }
        let cost = Measure.nanoseconds(per: events) {
            for value in 0..<events { subject.send(value) }
        }
        cancellable.cancel()
        Measure.keep(last)
        return cost
    }

    /// Nanoseconds per event of ours.
    static func ours() -> Double {
        var last = 0
        let (subject, disposable) = makeOurs { last = $0 }
        let cost = Measure.nanoseconds(per: events) {
            for value in 0..<events { subject.onNext(value) }
        }
        disposable.dispose()
        Measure.keep(last)
        return cost
    }

    /// How often ours asks for memory per event.
    static func ourAllocations() -> Double {
        var last = 0
        let (subject, disposable) = makeOurs { last = $0 }
        let count = Measure.allocations(per: events) {
            for value in 0..<events { subject.onNext(value) }
        }
        disposable.dispose()
        Measure.keep(last)
        return count
    }

    /// The same for OpenCombine's.
    static func openCombineAllocations() -> Double {
        let subject = PassthroughSubject<Int, Never>()
        var last = 0
        let cancellable =
            subject
            .map { $0 &+ 1 }
            .filter { $0 & 1 == 0 }
            .scan(0) { $0 &+ $1 }
            .sink { last = $0 }
        let count = Measure.allocations(per: events) {
            for value in 0..<events { subject.send(value) }
        }
        cancellable.cancel()
        Measure.keep(last)
        return count
    }

    private static func makeOurs(
        _ handler: @escaping (Int) -> Void
    ) -> (PublishSubject<Int>, any Streams.Disposable) {
        let subject = PublishSubject<Int>()
        let disposable =
            subject
            .map { $0 &+ 1 }
            .filter { $0 & 1 == 0 }
            .scan(0) { $0 &+ $1 }
            .subscribe(onNext: handler)
        return (subject, disposable)
    }
}

/// What RxSwift needs, told in events of OpenCombine's chain.
///
/// RxSwift 6 cannot be a dependency here. On one machine, in one run, it needed the figures below where
/// OpenCombine's chain needed 112 ns an event; so "twenty times RxSwift" is a number of such events.
enum RxSwift {
    /// Its virtual scheduler with 1,000 timers that set themselves again.
    static let timers = 2_020.0
    /// The same with 1,000,000 items put in first, in random order.
    static let preloaded = 4_900.0
    /// Its debounce in virtual time; it stands for the other operators of time too.
    static let timeOperator = 7_500.0

    /// The goal for what RxSwift does in `nanoseconds`: ours divided by one event of the chain.
    static func twentieth(of nanoseconds: Double) -> Row.Goal {
        .ratioAtMost(nanoseconds / 20 / 112)
    }

    /// What the column of theirs holds then.
    static func remark(_ nanoseconds: Double) -> String {
        "an OpenCombine chain event; the goal is 20 x RxSwift, which is "
            + "\(decimal(nanoseconds / 112, 1)) such events"
    }
}
