// SPDX-License-Identifier: Apache-2.0

/// What a driver of a timeline can get wrong, or run into.
public enum SchedulingError: Error, Equatable, Sendable {
    /// A duration that must not be negative is.
    case negativeDuration(Duration)
    /// A period is zero, or less than a nanosecond: its ticks would never let the clock move.
    case zeroPeriod
    /// A target lies before the clock, which never goes back.
    case targetInThePast(target: Instant, now: Instant)
    /// A driven action tried to drive the timeline that was driving it.
    case alreadyRunning
    /// A limit struck; `repeating` names the work that ran most often just before.
    case limitReached(Limit, at: Instant, repeating: [String])

    /// Which limit struck.
    public enum Limit: Equatable, Sendable {
        /// More items in one run than allowed.
        case items(Int)
        /// More microsteps at one instant than allowed: work without a delay makes itself again.
        case microsteps(Int)
        /// The next item lies past the virtual horizon.
        case horizon(Instant)
    }
}

extension SchedulingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .negativeDuration(let duration):
            "a duration of \(DurationText.text(of: duration)) is negative; give zero or more"
        case .zeroPeriod:
            "a period of zero never lets the clock move; give a nanosecond or more"
        case .targetInThePast(let target, let now):
            "\(text(target)) lies before the clock, which stands at \(text(now)) and never goes back"
        case .alreadyRunning:
            "the timeline is already being run; an action it runs cannot drive it"
        case .limitReached(.items(let limit), let at, let repeating):
            "\(limit) items ran and the timeline is not idle at \(text(at))\(Self.names(repeating))"
        case .limitReached(.microsteps(let limit), let at, let repeating):
            "\(limit) microsteps at \(text(at)): work without a delay makes itself again"
                + Self.names(repeating)
        case .limitReached(.horizon(let horizon), let at, let repeating):
            "the next item lies past the horizon of \(text(horizon)); the clock stands at \(text(at))"
                + Self.names(repeating)
        }
    }

    private func text(_ instant: Instant) -> String {
        DurationText.text(nanoseconds: instant.nanoseconds)
    }

    private static func names(_ repeating: [String]) -> String {
        repeating.isEmpty ? "" : "; repeating: \(repeating.joined(separator: ", "))"
    }
}
