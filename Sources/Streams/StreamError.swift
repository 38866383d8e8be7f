// SPDX-License-Identifier: Apache-2.0

/// What a stream can say too much or too little of.
public enum StreamError: Error, Equatable, CustomStringConvertible {
    /// A value was promised and none came.
    case noElements
    /// One value was promised and more came.
    case moreThanOneElement
    /// The value at an index was asked for and the stream ended before it.
    case argumentOutOfRange
    /// More values came than an iteration keeps.
    case valuesDropped

    public var description: String {
        switch self {
        case .noElements: "the stream completed without a value"
        case .moreThanOneElement: "the stream emitted more than one value"
        case .argumentOutOfRange: "the stream ended before the value that was asked for"
        case .valuesDropped: "more values came than the loop over `values` keeps; some are lost"
        }
    }
}
