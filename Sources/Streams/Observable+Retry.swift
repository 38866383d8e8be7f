// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Starts the source again whenever it fails, until it completes.
    ///
    /// A source that fails where it starts is retried at one instant for ever, until the timeline's limit
    /// on microsteps names it: bound it with `retry(_:)`, or space it with `retry(when:)`.
    ///
    ///     source     -a-#        cold
    ///     retry()    -a--a--a--
    @inlinable
    public func retry() -> Observable<Element> {
        retry(.max)
    }

    /// Runs the source at most `maxAttemptCount` times, again whenever it fails; the last error is passed
    /// on.
    ///
    ///     source      -a-#        cold
    ///     retry(2)    -a--a-#
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
        precondition(maxAttemptCount > 0, "retry(\(maxAttemptCount)) never runs the source")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            var ran = 0
            let attempts = Succession(
                sink: sink, subscription: subscription, burst: retryBurst
            ) { last in
                switch last {
                case .completed where ran > 0: return .end(last)
                case .error where ran == maxAttemptCount: return .end(last)
                case .completed, .error:
                    ran += 1
                    return .next(source)
                }
            }
            attempts.goOn(after: .completed)
        }
    }

    /// Starts the source again whenever the stream that `notificationHandler` makes of its errors emits;
    /// ends as that stream ends.
    ///
    ///     source                             -a-#        cold
    ///     retry(when: { $0.delay(2) })       -a----a----a-
    @inlinable
    public func retry<Trigger: ObservableType>(
        when notificationHandler: @escaping (Observable<any Error>) -> Trigger
    ) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let errors = PublishSubject<any Error>()
            var isWaiting = false
            var isFirst = true
            let attempts = Succession(
                sink: sink, subscription: subscription, burst: retryBurst
            ) { last in
                guard !isFirst else {
                    isFirst = false
                    return .next(source)
                }
                switch last {
                case .completed: return .end(last)
                case .error(let error):
                    // The trigger may answer inside this send; `goOn` then comes back here.
                    isWaiting = true
                    errors.onNext(error)
                    return .wait
                }
            }
            let trigger = subscription.makeChild()
            notificationHandler(errors).asObservable().attach(
                Sink(
                    next: { _ in
                        // A trigger counts only while an error waits for it.
                        guard isWaiting else { return }
                        isWaiting = false
                        isFirst = true
                        attempts.goOn(after: .completed)
                    },
                    end: sink.end),
                trigger)
            attempts.goOn(after: .completed)
        }
    }
}

extension ObservableType {
    /// As above, for errors of one type; an error of another type is passed on.
    ///
    ///     source                                                  -a-#        cold
    ///     retry(when: { (e: Observable<Oops>) in e.delay(2) })    -a----a----a-
    public func retry<Failure: Error, Trigger: ObservableType>(
        when notificationHandler: @escaping (Observable<Failure>) -> Trigger
    ) -> Observable<Element> {
        retry(when: { (errors: Observable<any Error>) in
            notificationHandler(
                errors.map { error in
                    guard let failure = error as? Failure else { throw error }
                    return failure
                })
        })
    }
}

/// How often a source is retried in one go before the rest becomes queued work of the timeline.
@usableFromInline let retryBurst = 1_000
