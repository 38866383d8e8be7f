// SPDX-License-Identifier: Apache-2.0

/// What takes part in an instant: an event, or a mark of a subscription.
enum MarbleSymbol: Hashable {
    case value(String)
    case completed
    case error
    case subscribed
    case unsubscribed

    /// How it is spelled in a diagram.
    var spelling: String {
        switch self {
        case .value(let name): MarbleName.spelled(name)
        case .completed: "|"
        case .error: "#"
        case .subscribed: "^"
        case .unsubscribed: "!"
        }
    }

    init(_ event: MarbleEvent) {
        switch event {
        case .next(let name): self = .value(name)
        case .error: self = .error
        case .completed: self = .completed
        }
    }
}

/// One sign of a marble text. Spaces are no tokens: they cost nothing.
enum MarbleToken: Hashable {
    case symbol(MarbleSymbol)
    /// One tick of silence.
    case silence
    /// A written duration, in nanoseconds.
    case gap(Int64)
    case groupOpens
    case groupCloses
}
