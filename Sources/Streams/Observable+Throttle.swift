// SPDX-License-Identifier: Apache-2.0

public import Scheduling

extension ObservableType {
    /// Emits a value, then nothing for `dueTime`; with `latest` the newest value of that time follows at
    /// its end, and a completion waits for it.
    ///
    ///     source                        -a-b----c-|
    ///     throttle(4)                   -a---b---c|
    ///     throttle(4, latest: false)    -a------c-|
    @inlinable
    public func throttle(
        _ dueTime: Duration, latest: Bool = true, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        requireNotNegative(dueTime, "throttle")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let scheduler = timeline(scheduler, for: "throttle")
            let upstream = subscription.makeChild()
            var waiting: Element?
            /// Until when values wait.
            var closed: Instant?
            func send(_ element: Element) {
                waiting = nil
                sink.next(element)
                closed = scheduler.now.advanced(by: dueTime)
            }
            let timer = OperatorTimer(scheduler, "throttle") {
                if let element = waiting { send(element) }
                if upstream.isDisposed, !subscription.isDisposed { sink.end(.completed) }
            }
            subscription.add(timer)
            source.attach(
                Sink(
                    next: { element in
                        guard let closed, scheduler.now < closed else { return send(element) }
                        guard latest else { return }
                        let isSet = exchange(&waiting, with: element) != nil
                        if !isSet { timer.set(at: closed) }
                    },
                    end: { termination in
                        upstream.dispose()
                        switch termination {
                        case .completed where waiting != nil:
                            break
                        case .completed, .error:
                            timer.clear()
                            sink.end(termination)
                        }
                    }),
                upstream)
        }
    }

    /// Emits the newest value whenever `sampler` emits or completes, if one has come since the time
    /// before, else `defaultValue`; completes at the first sample after the source has.
    ///
    ///     source             -a-b---c-|
    ///     sampler            ----x-x---x-
    ///     sample(sampler)    ----b-----(c|)
    public func sample<Source: ObservableType>(
        _ sampler: Source, defaultValue: Element? = nil
    ) -> Observable<Element> {
        let source = asObservable()
        let sampler = sampler.asObservable()
        return AnonymousObservable { sink, subscription in
            let upstream = subscription.makeChild()
            let samples = subscription.makeChild()
            var newest: Element?
            func sample() {
                if let element = newest.take() ?? defaultValue { sink.next(element) }
                guard upstream.isDisposed, !subscription.isDisposed else { return }
                sink.end(.completed)
            }
            source.attach(
                Sink(
                    next: { newest = $0 },
                    end: { termination in
                        upstream.dispose()
                        switch termination {
                        case .error: sink.end(termination)
                        // Without a sampler no sample will ever tell of the end.
                        case .completed: if samples.isDisposed { sink.end(.completed) }
                        }
                    }),
                upstream)
            guard !subscription.isDisposed else { return }
            sampler.attach(
                Sink(
                    next: { _ in sample() },
                    end: { termination in
                        samples.dispose()
                        switch termination {
                        case .error: sink.end(termination)
                        case .completed: sample()
                        }
                    }),
                samples)
        }
    }
}
