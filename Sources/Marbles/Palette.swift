// SPDX-License-Identifier: Apache-2.0

/// The colours of a picture, as the parameters of ANSI SGR sequences (`"31"` is red); empty is none.
///
/// Colours only repeat what the signs already say, so a picture loses nothing without them.
public struct Palette: Hashable, Sendable {
    /// The ruler and its numbers.
    public var ruler = ""
    /// The names of the lanes.
    public var name = ""
    /// Dashes and durations.
    public var silence = ""
    /// Values, and the marks of a subscription.
    public var value = ""
    /// `|`.
    public var completed = ""
    /// `#`.
    public var error = ""
    /// The legend below a picture.
    public var legend = ""
    /// The caret under a difference.
    public var caret = ""
    /// What was expected, in a table of differences.
    public var expected = ""
    /// What came instead.
    public var actual = ""

    /// No colour at all.
    public static let plain = Palette()

    /// The sixteen colours that every terminal has, readable on dark and on light.
    public static let ansi: Palette = {
        var palette = Palette()
        palette.ruler = "2"
        palette.name = "1"
        palette.silence = "2"
        palette.value = "36"
        palette.completed = "32"
        palette.error = "31"
        palette.legend = "2"
        palette.caret = "1;31"
        palette.expected = "32"
        palette.actual = "31"
        return palette
    }()

    /// What a span of a picture is, which decides its colour.
    enum Role: Hashable {
        case blank, ruler, name, silence, value, completed, error, legend, caret, expected, actual
    }

    func paint(_ text: String, _ role: Role) -> String {
        let code: String =
            switch role {
            case .blank: ""
            case .ruler: ruler
            case .name: name
            case .silence: silence
            case .value: value
            case .completed: completed
            case .error: error
            case .legend: legend
            case .caret: caret
            case .expected: expected
            case .actual: actual
            }
        return code.isEmpty || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
