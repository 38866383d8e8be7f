// SPDX-License-Identifier: Apache-2.0

/// How pictures are drawn.
public struct PictureStyle: Hashable, Sendable {
    /// Which signs a picture is made of.
    public enum Signs: Hashable, Sendable {
        /// Those of the marble grammar: every lane can be pasted into a test and reads as what it shows.
        case ascii
        /// Box-drawing lines, for reading only.
        case unicode
    }

    /// Which signs to draw with.
    public var signs: Signs
    /// The colours.
    public var palette: Palette
    /// The longest run of silent ticks that is drawn tick by tick; longer ones become a duration.
    public var longestSilence: Int
    /// The widest value, in columns, that stands in its lane; wider ones become a letter with a line in
    /// the legend.
    public var widestValue: Int
    /// Whether instants between two ticks move back to the earlier one, for records of real time, whose
    /// nanoseconds say nothing to a reader.
    public var roundsToTicks: Bool

    /// A style; the default is plain ASCII, exact, without colours.
    public init(
        signs: Signs = .ascii, palette: Palette = .plain, longestSilence: Int = 20,
        widestValue: Int = 8, roundsToTicks: Bool = false
    ) {
        precondition(longestSilence >= 0, "a longest silence of \(longestSilence) ticks")
        precondition(widestValue >= 1, "a widest value of \(widestValue) columns")
        self.signs = signs
        self.palette = palette
        self.longestSilence = longestSilence
        self.widestValue = widestValue
        self.roundsToTicks = roundsToTicks
    }

    var caret: String { signs == .ascii ? "^" : "▲" }
    var ellipsis: String { signs == .ascii ? "..." : "…" }
    var nothing: String { signs == .ascii ? "-" : "–" }

    /// `symbol` as a lane shows it, given how its value is spelled.
    func sign(for symbol: MarbleSymbol) -> String {
        switch (symbol, signs) {
        case (.completed, .unicode): "│"
        case (.error, .unicode): "✕"
        default: symbol.spelling
        }
    }

    func silence(ticks: Int) -> String {
        String(repeating: signs == .ascii ? "-" : "─", count: ticks)
    }

    /// What fills a lane where another lane needs room. A blank costs no time in the grammar; a drawn
    /// line may as well go on.
    var filler: (sign: String, role: Palette.Role) {
        signs == .ascii ? (" ", .blank) : ("─", .silence)
    }

    /// A written duration, `width` columns without what sets it off on both sides.
    func duration(_ text: String, width: Int) -> String {
        let edge = signs == .ascii ? " " : "┄"
        let rest = String(repeating: edge, count: max(0, width - displayWidth(of: text)))
        return edge + text + rest + edge
    }
}
