// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit
internal import Streams

/// How long to wait before a request is sent again: twice as long each time, and a little more by chance,
/// so that those who failed together do not come back together.
///
///     first is 2    #-r#---r#-------r     and up to half as much again
struct BackOff {
    /// Milliseconds before the first retry.
    let first: Int
    let random: RandomEffect

    /// Emits when retry number `retry`, counted from zero, may go.
    func wait(before retry: Int) -> Observable<Void> {
        let base = first << retry
        return random.integer(in: 0...base / 2).flatMap { more in
            Single.just(()).delaySubscription(.milliseconds(base + more))
        }
        .asObservable()
    }
}
