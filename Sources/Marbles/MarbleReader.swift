// SPDX-License-Identifier: Apache-2.0

/// Gives every symbol of a marble text its instant, and refuses what breaks the rules of time.
///
/// One rule makes gaps absolute: a symbol (or a whole group) takes one tick, *unless* a duration comes
/// directly after it, which then counts from the symbol itself. So `a 10ms b` puts b exactly 10 ms after
/// a, and `a- 10ms b` puts it 10 ms after the end of the dash, 12 ms after a where a tick is 1 ms.
/// Durations in a row add up.
struct MarbleReader {
    /// A symbol in its place.
    struct Placed: Equatable {
        var symbol: MarbleSymbol
        var nanoseconds: Int64
        var column: Int
    }

    private let tick: Int64
    /// Whether `^` is where time starts, so that what came before is negative.
    private let caretIsZero: Bool
    private var lexer: MarbleLexer
    private var placed: [Placed] = []
    /// Where the last token begins (a symbol, silence) or ends (a gap).
    private var position: Int64 = 0
    /// Whose tick is still to pass. What stands last owes its tick for good: a lane may end where time does.
    private var owesTick: Debtor?
    private var group: (column: Int, count: Int)?

    private enum Debtor { case symbol, silence }

    init(_ text: String, tick: Duration, caretIsZero: Bool) {
        lexer = MarbleLexer(text)
        self.tick = wholeTick(tick)
        self.caretIsZero = caretIsZero
    }

    static func read(
        _ text: String, tick: Duration, caretIsZero: Bool
    ) throws(MarbleError) -> [Placed] {
        var reader = MarbleReader(text, tick: tick, caretIsZero: caretIsZero)
        while let (token, column) = try reader.lexer.next() {
            try reader.take(token, column)
        }
        if let group = reader.group {
            throw reader.lexer.fault(group.column, "a group is open here and never closed")
        }
        return reader.placed
    }

    private mutating func take(_ token: MarbleToken, _ column: Int) throws(MarbleError) {
        switch token {
        case .symbol(let symbol):
            if group == nil { try payTick(column) }
            if caretIsZero && symbol == .subscribed { try startTimeHere(column) }
            placed.append(Placed(symbol: symbol, nanoseconds: position, column: column))
            group?.count += 1
            owesTick = .symbol
        case .silence:
            try refuseTimeInGroup(column)
            try payTick(column)
            owesTick = .silence
        case .gap(let nanoseconds):
            try refuseTimeInGroup(column)
            if owesTick == .symbol { owesTick = nil }
            try payTick(column)
            try pass(nanoseconds, column)
        case .groupOpens:
            guard group == nil else {
                throw lexer.fault(column, "a group within a group; one pair of ( ) is one instant")
            }
            try payTick(column)
            group = (column, 0)
        case .groupCloses:
            guard let open = group else {
                throw lexer.fault(column, "this closes a group that was never opened")
            }
            guard open.count > 0 else {
                throw lexer.fault(open.column, "an empty group; write - for a silent tick")
            }
            group = nil
        }
    }

    /// Makes the position zero; what was placed before goes below it.
    private mutating func startTimeHere(_ column: Int) throws(MarbleError) {
        guard !placed.contains(where: { $0.symbol == .subscribed }) else { return }
        for index in placed.indices { placed[index].nanoseconds -= position }
        position = 0
    }

    private func refuseTimeInGroup(_ column: Int) throws(MarbleError) {
        guard group == nil else {
            throw lexer.fault(column, "time does not pass inside a group, which is one instant")
        }
    }

    private mutating func payTick(_ column: Int) throws(MarbleError) {
        guard owesTick != nil else { return }
        owesTick = nil
        try pass(tick, column)
    }

    private mutating func pass(_ nanoseconds: Int64, _ column: Int) throws(MarbleError) {
        let (sum, overflow) = position.addingReportingOverflow(nanoseconds)
        guard !overflow else {
            throw lexer.fault(column, "time ends here: 292 years are all that fits")
        }
        position = sum
    }
}
