// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// What ends a stream that was too slow.
public struct TimeoutError: Error, Equatable, CustomStringConvertible {
    /// How long was waited.
    public let dueTime: Duration

    /// A timeout after `dueTime`.
    public init(dueTime: Duration) {
        self.dueTime = dueTime
    }

    public var description: String { "nothing came within \(dueTime)" }
}

extension ObservableType {
    /// Emits a value once its source has been quiet for `dueTime`; an error comes at once, a
    /// completion lets out the value that waits.
    ///
    ///     source         -a-b---c|
    ///     debounce(2)    -----b--(c|)
    @inlinable
    public func debounce(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        requireNotNegative(dueTime, "debounce")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            var waiting: Element?
            let timer = OperatorTimer(timeline(scheduler, for: "debounce"), "debounce") {
                if let element = waiting.take() { sink.next(element) }
            }
            subscription.add(timer)
            source.attach(
                Sink(
                    next: { element in
                        waiting = element
                        timer.set(after: dueTime)
                    },
                    end: { termination in
                        timer.clear()
                        if case .completed = termination, let element = waiting.take() {
                            sink.next(element)
                        }
                        if !subscription.isDisposed { sink.end(termination) }
                    }),
                subscription)
        }
    }

    /// Fails with `TimeoutError` when nothing comes for `dueTime`; a value on the very deadline is in time.
    ///
    ///     source        -a-b-----c|
    ///     timeout(3)    -a-b--#
    @inlinable
    public func timeout(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        timeout(
            dueTime, other: Observable.error(TimeoutError(dueTime: dueTime)), scheduler: scheduler)
    }

    /// Goes on with `other` when nothing comes for `dueTime`; the source is given up.
    ///
    ///     source                      -a-b-----c|
    ///     other                             -x-|
    ///     timeout(3, other: other)    -a-b---x-|
    @inlinable
    public func timeout<Source: ObservableConvertibleType>(
        _ dueTime: Duration, other: Source, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> where Source.Element == Element {
        requireNotNegative(dueTime, "timeout")
        let source = asObservable()
        let other = other.asObservable()
        return AnonymousObservable { sink, subscription in
            let upstream = subscription.makeChild()
            let timer = OperatorTimer(timeline(scheduler, for: "timeout"), "timeout") {
                upstream.dispose()
                other.attach(sink, subscription)
            }
            upstream.add(timer)
            timer.set(after: dueTime)
            source.attach(
                Sink(
                    next: { element in
                        guard !upstream.isDisposed else { return }
                        timer.set(after: dueTime)
                        sink.next(element)
                    },
                    end: { termination in
                        guard !upstream.isDisposed else { return }
                        upstream.dispose()
                        sink.end(termination)
                    }),
                upstream)
        }
    }
}
