// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// When a stream was subscribed to and left, as one line of text says it.
///
///     --^---!     subscribed at 2, left at 6
///     --^         subscribed at 2, never left
///     --(^!)      both at 2
///     -           never subscribed
///
/// Time is written as in `MarbleDiagram`, and counts from the start of the text: here `^` is no zero
/// point. Each sign stands at most once, `!` never before `^`; values are refused.
public struct SubscriptionDiagram: Hashable, Sendable {
    /// When it was subscribed to; nil when never.
    public let subscribed: Instant?
    /// When it was left; nil when never.
    public let unsubscribed: Instant?
    /// How long one tick is.
    public let tick: Duration

    /// A subscription from `subscribed` to `unsubscribed`, neither of them before zero.
    ///
    /// Leaving before subscribing, or without having subscribed, is a programmer's mistake and stops
    /// the program.
    public init(
        subscribed: Instant?, unsubscribed: Instant? = nil, tick: Duration = .milliseconds(1)
    ) {
        precondition(
            subscribed ?? .zero >= .zero, "a subscription at \(subscribed ?? .zero) is before zero")
        if let unsubscribed {
            guard let subscribed, subscribed <= unsubscribed else {
                preconditionFailure("left at \(unsubscribed) before being subscribed to")
            }
        }
        _ = wholeTick(tick)
        self.subscribed = subscribed
        self.unsubscribed = unsubscribed
        self.tick = tick
    }

    /// Reads `text`; a fault names its column.
    public init(parsing text: String, tick: Duration = .milliseconds(1)) throws(MarbleError) {
        var subscribed: Instant?
        var unsubscribed: Instant?
        for item in try MarbleReader.read(text, tick: tick, caretIsZero: false) {
            func fault(_ message: String) -> MarbleError {
                MarbleError(text: text, column: item.column, message: message)
            }
            let at = Instant(nanoseconds: item.nanoseconds)
            switch item.symbol {
            case .subscribed:
                guard subscribed == nil else { throw fault("a second `^`; one diagram, one use") }
                subscribed = at
            case .unsubscribed:
                guard unsubscribed == nil else { throw fault("a second `!`; one diagram, one use") }
                guard subscribed != nil else {
                    throw fault("`!` before `^`: nothing is subscribed yet")
                }
                unsubscribed = at
            case .value, .completed, .error:
                throw fault("a subscription has only `^` and `!`, no events")
            }
        }
        self.subscribed = subscribed
        self.unsubscribed = unsubscribed
        self.tick = tick
    }
}

extension SubscriptionDiagram: CustomStringConvertible {
    /// The canonical text, which reads back as an equal diagram.
    public var description: String {
        MarbleWriter.text(of: symbols, tick: tick)
    }

    var symbols: [(nanoseconds: Int64, symbol: MarbleSymbol)] {
        [(subscribed, MarbleSymbol.subscribed), (unsubscribed, .unsubscribed)].compactMap {
            at, symbol in at.map { ($0.nanoseconds, symbol) }
        }
    }
}
