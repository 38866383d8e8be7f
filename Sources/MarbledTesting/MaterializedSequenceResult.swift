// SPDX-License-Identifier: Apache-2.0

internal import Streams

/// How a stream ended, and all that it said before.
public enum MaterializedSequenceResult<Element> {
    /// It completed.
    case completed(elements: [Element])
    /// It failed, or time was up (then the error is a `TimeoutError`).
    case failed(elements: [Element], error: any Error)

    /// All that it said.
    public var elements: [Element] {
        switch self {
        case .completed(let elements), .failed(let elements, _): elements
        }
    }
}

extension MaterializedSequenceResult: Equatable where Element: Equatable {
    /// Elements by value, errors by type and description.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs, rhs) {
        case (.completed(let left), .completed(let right)): left == right
        case (.failed(let left, let leftError), .failed(let right, let rightError)):
            left == right && Event<Element>.error(leftError) == .error(rightError)
        case (.completed, _), (.failed, _): false
        }
    }
}
