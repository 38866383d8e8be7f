// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// Waits for what an output says: the blocking reads of a test, without the blocking.
///
///     output            -a-b-c|
///     first             -(a|)
///     last, all         -----(c|), -----(abc|)
///     count 2           ---(ab|)
///
/// Nothing that came is lost: a time-out or an error hands over the values so far.
package final class Waiter: OutputSubscriber {
    /// What is waited for.
    package enum Until: Equatable {
        case first
        case last
        /// Exactly one value, then the end.
        case single
        case all
        case count(Int)
    }

    /// How the wait ended.
    package enum Ending: Equatable {
        /// With what was waited for.
        case satisfied
        /// The output completed.
        case completed
        /// The output failed; the error's JSON.
        case error([UInt8])
        /// Nothing more came in time.
        case timeout
        /// More than one value came where one was promised.
        case moreThanOne
        /// Who waited takes the question back.
        case cancelled
        /// The instance ended.
        case closed(String)
    }

    package private(set) var values: [(at: Int64, value: [UInt8])] = []
    package private(set) var ending: Ending?
    private let until: Until
    /// Values kept at most; `all` and `last` end at it with what they have.
    private let limit: Int
    private var finish: ((Waiter) -> Void)?

    package init(until: Until, limit: Int = 100_000, finish: @escaping (Waiter) -> Void) {
        self.until = until
        self.limit = limit
        self.finish = finish
    }

    package func outputSaid(_ said: OutputEvent) {
        take(said.event, at: said.at, said.value)
    }

    package func instanceEnded(_ instance: Instance, reason: String) {
        end(.closed(reason))
    }

    /// Takes one event; the newest value of a state is handed in first by whoever starts the wait.
    package func take(_ event: Record.Event, at: Int64, _ value: UnsafeRawBufferPointer) {
        guard ending == nil else { return }
        switch event {
        case .completed: end(.completed)
        case .error: end(.error([UInt8](value)))
        case .next:
            if until == .last, !values.isEmpty { values.removeLast() }
            values.append((at, [UInt8](value)))
            switch until {
            case .first: end(.satisfied)
            case .count(let count): if values.count >= count { end(.satisfied) }
            case .single: if values.count > 1 { end(.moreThanOne) }
            case .last, .all: if values.count >= limit { end(.satisfied) }
            }
        }
    }

    /// Ends the wait, once.
    package func end(_ ending: Ending) {
        guard self.ending == nil else { return }
        self.ending = ending
        finish.take()?(self)
    }
}
