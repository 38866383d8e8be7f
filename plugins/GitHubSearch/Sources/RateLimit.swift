// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// GitHub's wish for rest, as an answer of status 403 or 429 tells it in its headers.
///
/// `Retry-After` counts seconds from now. `X-RateLimit-Reset` is a time of day, and every answer has it:
/// it means something where `X-RateLimit-Remaining` is 0.
enum RateLimit: Equatable {
    /// In seconds. GitHub's quotas begin anew every hour; whoever asks for more than a day is mistaken.
    private static let longest = 86_400

    /// For this many seconds from now.
    case seconds(Int)
    /// Until this many seconds since 1970-01-01 UTC.
    case time(Int)

    init?(_ response: HTTPResponse) {
        guard response.status == 403 || response.status == 429 else { return nil }
        func number(_ name: String) -> Int? { response.header(name).flatMap { Int($0) } }
        if let seconds = number("Retry-After"), seconds >= 0 {
            self = .seconds(seconds)
        } else if number("X-RateLimit-Remaining") == 0, let time = number("X-RateLimit-Reset") {
            self = .time(time)
        } else {
            return nil
        }
    }

    /// When the rest ends, in seconds since 1970; `now` is in nanoseconds.
    func end(at now: Int) -> Int {
        let second = now / 1_000_000_000
        return switch self {
        // A part of a second counts as a whole one, so that the rest is never too short.
        case .seconds(let seconds):
            second + (now % 1_000_000_000 == 0 ? 0 : 1) + min(seconds, Self.longest)
        // Where the clocks differ the time may be past: then a moment's rest, no storm of requests.
        case .time(let time): min(max(time, second + 1), second + Self.longest)
        }
    }

    /// How long the rest is.
    func rest(at now: Int) -> Duration {
        .seconds(end(at: now)) - .nanoseconds(now)
    }
}
