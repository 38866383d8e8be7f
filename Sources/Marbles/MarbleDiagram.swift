// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// A stream's events in time, as one line of text says them.
///
///     --a-b-|            a at 2, b at 4, completed at 6
///     --(ab)-c#          a and b at 2, c at 4, failed at 5: a group costs one tick
///     a 10ms b 1.5s |    b exactly 10 ms after a, completed 1.5 s after b
///     -a-^-'ten'--       hot: a two ticks before zero, the value `ten` two ticks after
///
/// | sign | means | takes |
/// |---|---|---|
/// | `-` | silence | one tick |
/// | `a` `7` `🙂` `'ten'` | a value by its name; between quotes escapes are Swift's | one tick |
/// | `\|` | completed | one tick |
/// | `#` | error | one tick |
/// | `(ab)` | events of one instant, in order | one tick |
/// | `^` | the zero point of a hot stream; what stands before it is negative | one tick |
/// | `10us` `5ms` `1.5s` `2m` `1h` `7ns` | a gap; spaces (or an end of the text) on both sides | itself |
/// | space | nothing: for alignment | nothing |
///
/// A gap is absolute: the tick of a value, an end or a group directly before it is not added, so
/// `a 10ms b` needs no arithmetic. Dashes are added: `a-- 10ms b` is 13 ms with a tick of 1 ms. A gap at
/// the start counts from zero, gaps in a row add up. After `|` or `#` only silence may follow. What is
/// not listed is refused with its column: tabs, `"`, `{`, a second `^`, a duration without its spaces.
///
/// Reading and printing are inverse: reading `description` with the same tick gives an equal diagram.
public struct MarbleDiagram: Hashable, Sendable {
    /// Which streams a text may describe.
    public enum Kind: Hashable, Sendable {
        /// A stream that lives by itself: time is the timeline's, and `^` may mark its zero.
        case hot
        /// A stream that starts when it is subscribed to: zero is that moment, and `^` is refused.
        case cold
    }

    /// The events, in order of time; events of one instant in the order they come.
    public let marbles: [Marble]
    /// How long one tick is.
    public let tick: Duration

    /// A diagram of `marbles`.
    ///
    /// They must stand in order of time, nothing after an error or a completion; anything else is a
    /// programmer's mistake and stops the program. The tick must be a nanosecond or more.
    public init(_ marbles: [Marble], tick: Duration = .milliseconds(1)) {
        precondition(
            zip(marbles, marbles.dropFirst()).allSatisfy { $0.at <= $1.at },
            "the marbles of a diagram must stand in order of time")
        precondition(
            marbles.dropLast().allSatisfy { !$0.event.isTerminal },
            "no marble can follow the end of its stream")
        precondition(
            marbles.first.map { $0.at.nanoseconds > .min } ?? true,
            "a marble stands before the beginning of time")
        _ = wholeTick(tick)
        self.marbles = marbles
        self.tick = tick
    }

    /// Reads `text`; a fault names its column.
    public init(
        parsing text: String, tick: Duration = .milliseconds(1), as kind: Kind = .hot
    ) throws(MarbleError) {
        let placed = try MarbleReader.read(text, tick: tick, caretIsZero: true)
        var marbles: [Marble] = []
        var zeroColumn: Int?
        for item in placed {
            func fault(_ message: String) -> MarbleError {
                MarbleError(text: text, column: item.column, message: message)
            }
            // The zero point is no event: a hot stream may have ended before it.
            if let end = marbles.last?.event, end.isTerminal, item.symbol != .subscribed {
                throw fault(
                    end == .error
                        ? "nothing follows an error but silence"
                        : "nothing follows a completion but silence")
            }
            let event: MarbleEvent
            switch item.symbol {
            case .value(let name): event = .next(name)
            case .completed: event = .completed
            case .error: event = .error
            case .unsubscribed:
                throw fault("`!` ends a subscription, and these are a stream's values")
            case .subscribed:
                guard kind == .hot else {
                    throw fault("a cold stream starts when it is subscribed to; it has no `^`")
                }
                if let zeroColumn {
                    throw fault("a second zero point; the first stands at column \(zeroColumn)")
                }
                zeroColumn = item.column
                continue
            }
            marbles.append(Marble(nanoseconds: item.nanoseconds, event))
        }
        self.marbles = marbles
        self.tick = tick
    }
}

extension MarbleDiagram: CustomStringConvertible {
    /// The canonical text, which reads back as an equal diagram.
    public var description: String {
        var symbols = marbles.map {
            (nanoseconds: $0.at.nanoseconds, symbol: MarbleSymbol($0.event))
        }
        if let first = symbols.first, first.nanoseconds < 0 {
            let zero = symbols.firstIndex { $0.nanoseconds >= 0 } ?? symbols.endIndex
            symbols.insert((0, .subscribed), at: zero)
        }
        return MarbleWriter.text(of: symbols, tick: tick)
    }
}
