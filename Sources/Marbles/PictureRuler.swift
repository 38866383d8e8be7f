// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// Puts the tick numbers over the columns of a layout: the first, those behind a long silence, round
/// ones, then as many others as fit without crowding.
struct PictureRuler {
    let line: PictureLine

    /// The ruler of `layout`; numbers that would reach past `limit` columns are left out.
    init(_ layout: PictureLayout, limit: Int?) {
        let instants = layout.instants
        let columns = layout.columns
        let ticks = instants.map { $0 / layout.tick }
        func isRound(_ index: Int, _ unit: Int64) -> Bool {
            instants[index] % layout.tick == 0 && ticks[index] % unit == 0
        }
        let isAfterSilence = instants.indices.map { index in
            index > 0
                && ticks[index] - ticks[index - 1] > Int64(columns[index] - columns[index - 1])
        }
        // Later passes only fill what earlier ones left free.
        let passes: [(distance: Int, wanted: (Int) -> Bool)] = [
            (1, { $0 == 0 || isAfterSilence[$0] }),
            (1, { isRound($0, 10) }),
            (1, { isRound($0, 5) }),
            (2, { _ in true }),
        ]
        let texts = instants.map { Self.label($0, tick: layout.tick) }
        // In order of their columns, and apart from each other: only neighbours can be in the way.
        var labels: [Label] = []
        for pass in passes {
            var placed: [Label] = []
            var right = labels[...]
            for index in instants.indices where pass.wanted(index) {
                let label = Label(column: columns[index], text: texts[index])
                while let next = right.first, next.column <= label.column {
                    placed.append(next)
                    right.removeFirst()
                }
                let isFree =
                    placed.last.map { $0.end + pass.distance <= label.column } ?? true
                    && right.first.map { label.end + pass.distance <= $0.column } ?? true
                if isFree && label.end <= limit ?? label.end { placed.append(label) }
            }
            labels = placed + right
        }
        var line = PictureLine()
        for label in labels {
            line.pad(to: label.column)
            line.append(label.text, .ruler)
        }
        self.line = line
    }

    private struct Label {
        let column: Int
        let text: String
        /// The column behind it.
        let end: Int

        init(column: Int, text: String) {
            self.column = column
            self.text = text
            end = column + text.count
        }
    }

    /// An instant as a person reads it: a number of ticks, or its duration when it lies between two.
    static func label(_ nanoseconds: Int64, tick: Int64) -> String {
        let (count, rest) = nanoseconds.quotientAndRemainder(dividingBy: tick)
        return rest == 0 ? String(count) : DurationText.text(nanoseconds: nanoseconds)
    }
}
