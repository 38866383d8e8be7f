// SPDX-License-Identifier: Apache-2.0

/// A point on an instance's timeline: whole nanoseconds since the instance opened.
///
/// Integers only, so that ten thirds of a second are added without drift and two runs agree to the
/// bit. Addition saturates: an instant past the end of time is the end of time, never the past.
@frozen
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the timeline's zero point.
    public var nanoseconds: Int64

    /// An instant `nanoseconds` after the timeline's zero point.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The zero point of a timeline.
    public static let zero = Instant(nanoseconds: 0)

    /// The end of time; nothing scheduled here ever runs by itself.
    public static let distantFuture = Instant(nanoseconds: .max)

    @inlinable
    public static func < (lhs: Instant, rhs: Instant) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }

    /// The instant `nanoseconds` later (or earlier, when negative), held inside the range of `Int64`.
    @inlinable
    public func advanced(byNanoseconds nanoseconds: Int64) -> Instant {
        let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        guard overflow else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: nanoseconds > 0 ? .max : .min)
    }
}

extension Instant: InstantProtocol {
    @inlinable
    public func advanced(by duration: Duration) -> Instant {
        advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    @inlinable
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }
}

extension Instant: CustomStringConvertible {
    public var description: String { "\(nanoseconds) ns" }
}

extension Duration {
    /// This duration in nanoseconds, fractions dropped toward zero, held inside the range of `Int64`.
    @inlinable
    public var wholeNanoseconds: Int64 {
        // Nearly every duration is below nine seconds, and its 64 bits are divided by one multiplication.
        if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
        return Int64(clamping: attoseconds / 1_000_000_000)
    }
}
