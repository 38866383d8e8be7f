// SPDX-License-Identifier: Apache-2.0

internal import Streams

/// Why a blocking read gave no answer, with everything that came before.
///
/// ```swift
/// do {
///     _ = try source.toBlocking(timeout: .milliseconds(5)).toArray()
/// } catch {
///     #expect(error.values == [1, 2])
///     #expect(error.cause is TimeoutError)
/// }
/// ```
public struct BlockingError<Element>: Error {
    /// The stream's own error, or what the read missed: `TimeoutError`, `StreamError.noElements`,
    /// `StreamError.moreThanOneElement`, `TooManyElements`, or what the test's predicate threw.
    public let cause: any Error
    // Safety: never written again. An error that carries what is not Sendable is read by the thread that
    // did the read, as the values themselves would be.
    /// All values that came before, oldest first.
    public nonisolated(unsafe) let values: [Element]

    init(_ cause: any Error, after values: [Element]) {
        self.cause = cause
        self.values = values
    }

    /// Whether time was up.
    public var isTimeout: Bool { cause is TimeoutError }
}

extension BlockingError: CustomStringConvertible {
    public var description: String {
        switch values.count {
        case 0: "\(cause); no value came before"
        case 1: "\(cause); one value came before: \(values[0])"
        case 2...16: "\(cause); \(values.count) values came before: \(values)"
        default: "\(cause); \(values.count) values came before, the last \(values.suffix(16))"
        }
    }
}

/// A stream said more than a blocking read keeps.
public struct TooManyElements: Error, Equatable, CustomStringConvertible {
    /// How many values are kept.
    public let limit: Int

    public var description: String {
        "the stream said more than \(limit) values; take(_:) as many as the test needs"
    }
}
