// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
internal import Streams

/// Holds requests back while GitHub asks for rest, each quota by itself.
///
///     begin(for: 4)    --b-------
///     pass             p---p---p-
///     may go           g-----g-g-
final class Rests {
    private let scheduler: any Scheduler
    private var ends: [Quota: Instant] = [:]

    init(scheduler: any Scheduler) {
        self.scheduler = scheduler
    }

    /// Requests of `quota` wait from now on.
    func begin(_ quota: Quota, for length: Duration) {
        ends[quota] = scheduler.now.advanced(by: length)
    }

    /// Answers once a request of `quota` may go.
    func pass(_ quota: Quota) -> Single<Void> {
        .deferred { [self] in
            guard let end = ends[quota], scheduler.now < end else { return .just(()) }
            return .just(()).delaySubscription(scheduler.now.duration(to: end))
        }
    }
}
