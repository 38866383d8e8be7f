// SPDX-License-Identifier: Apache-2.0

import Foundation
import Marbles
import Scheduling
import Streams

/// Lanes under each other, as they stand in a comment or in a table of behaviours.
///
///     source          -1-2-3-|
///     1 makes          a--b|          a lane that is moved is cold, and subscribed to there
///     flatMap         -a--b---|
///
/// Behind three spaces or more stands a note: `x is [a, b], y is [c]` names values, `cold`, `at once`,
/// `endless` and `9 from inside` say what kind of source a lane is; other notes are for the reader.
struct Picture: Sendable {
    struct Row: Sendable {
        let label: String
        /// The lane, without what stands before and behind it.
        let lane: String
        /// How many ticks the lane is moved to the right.
        let offset: Int
        let note: String
        /// Its place in the file.
        let line: Int

        /// Whether it says when something is subscribed to and left.
        var isSubscription: Bool { lane.contains("^") }

        /// What the letters of the lane stand for.
        var names: [String: String] {
            var names: [String: String] = [:]
            var letter = ""
            for part in note.components(separatedBy: ", ") {
                if part.dropFirst().hasPrefix(" is ") {
                    letter = String(part.prefix(1))
                    names[letter] = String(part.dropFirst(5))
                } else if let begun = names[letter] {
                    // A comma inside a value is not the end of it.
                    names[letter] = "\(begun), \(part)"
                }
            }
            return names
        }

        /// The events that the lane shows, in ticks of a millisecond.
        func marbles() throws -> [Marble] {
            try MarbleDiagram(parsing: lane).marbles.map { marble in
                guard case .next(let name) = marble.event else { return marble }
                return Marble(at: marble.at, .next(names[name] ?? name))
            }
        }

        /// How many ticks the lane is long.
        var length: Int {
            lane.reduce((count: 0, isGroup: false)) { state, character in
                switch character {
                case "(": (state.count, true)
                case ")": (state.count + 1, false)
                default: state.isGroup ? state : (state.count + 1, false)
                }
            }.count
        }

        /// Whether the stream ends inside the lane.
        var isEnded: Bool { lane.contains("|") || lane.contains("#") }
    }

    let rows: [Row]

    /// Reads the lanes of `lines`, each with its number in the file.
    init(_ lines: [(number: Int, text: String)]) {
        let cut = lines.map { line -> (label: String, column: Int) in
            let characters = Array(line.text)
            // A label ends where two spaces stand; a line that begins with them has none.
            var end = 0
            while end + 1 < characters.count, characters[end] != " " || characters[end + 1] != " " {
                end += 1
            }
            let column = characters[end...].firstIndex { $0 != " " } ?? characters.count
            return (String(characters[..<end]).trimmed, column)
        }
        let left = cut.map(\.column).min() ?? 0
        rows = zip(lines, cut).map { line, cut in
            let body = String(line.text.dropFirst(cut.column))
            let gap = body.firstRange(of: "   ")
            return Row(
                label: cut.label, lane: String(body[..<(gap?.lowerBound ?? body.endIndex)]),
                offset: cut.column - left,
                note: gap.map { String(body[$0.upperBound...]).trimmed } ?? "",
                line: line.number)
        }
    }
}

extension String {
    /// Without the spaces around it.
    var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
