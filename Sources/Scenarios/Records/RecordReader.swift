// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Marbles
internal import Scheduling

/// Reads record files, also those that somebody edited: what cannot be meant is an error with line and
/// column. The format is described where it is written.
package struct RecordReader {
    private static let keys = [
        "marbled", "plugin", "feature", "clock", "profile", "epoch", "seed", "options", "stub",
        "dropped",
    ]

    private var file = RecordFile(
        plugin: "", pluginVersion: "", feature: "", isReal: false, seed: 0)
    private var seen: Set<String> = []
    /// When and of which effect each ask was, by its number; and whether its last answer has come.
    private var asks: [Int: (effect: String, at: Instant, isOver: Bool)] = [:]
    private var hasEnded = false

    /// Reads a whole file.
    package static func read(_ text: String) throws(RecordError) -> RecordFile {
        var reader = RecordReader()
        var number = 0
        var isHeader = true
        let validator = JSONValidator()
        // Bytes, not characters: a line end may be part of a character that follows it.
        for bytes in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            var line = RecordLine(Array(bytes), number: number, validator)
            if number == 1 {
                try reader.readFormat(&line)
            } else if line.isEmpty || line.isComment {
                continue
            } else if isHeader, !line.beginsWithDigit {
                try reader.readHeader(&line)
            } else {
                isHeader = false
                try reader.readFact(&line)
            }
        }
        return try reader.finish(number)
    }

    private func finish(_ lines: Int) throws(RecordError) -> RecordFile {
        for key in ["plugin", "feature", "clock", "seed"] where !seen.contains(key) {
            throw RecordError("the header lacks `\(key)`", line: lines, column: 1)
        }
        guard hasEnded else {
            throw RecordError(
                "the record stops without its last line, such as `1s end`", line: lines, column: 1)
        }
        return file
    }

    // MARK: The header

    private func readFormat(_ line: inout RecordLine) throws(RecordError) {
        guard line.take(word: "marbled-record") else {
            throw line.error("a record begins with `marbled-record \(RecordFile.version)`")
        }
        let start = line.mark
        let version = try line.integer("the format's version", Int.self)
        guard version == RecordFile.version else {
            throw line.error(
                "this is version \(version) of the format, and version \(RecordFile.version) is "
                    + "read here", at: start)
        }
        try line.finish()
    }

    private mutating func readHeader(_ line: inout RecordLine) throws(RecordError) {
        let start = line.mark
        let key = try line.name("a word of the header")
        guard Self.keys.contains(key) else {
            let hint =
                NearestName.find(key, among: Self.keys).map { "; did you mean `\($0)`?" } ?? ""
            throw line.error("the header has no `\(key)`\(hint)", at: start)
        }
        guard key == "stub" || seen.insert(key).inserted else {
            throw line.error("`\(key)` stands twice", at: start)
        }
        switch key {
        case "marbled": file.marbled = try line.name("a version")
        case "plugin":
            file.plugin = try line.name("the plugin's id")
            file.pluginVersion = try line.name("the plugin's version")
        case "feature": file.feature = try line.name("the feature's name")
        case "clock": file.isReal = try line.choice(["virtual", "real"]) == "real"
        case "profile":
            let word = try line.choice([Profile.strict.rawValue, Profile.rxTest.rawValue])
            file.profile = Profile(rawValue: word) ?? .strict
        case "epoch": file.epoch = try line.integer("nanoseconds since 1970", Int64.self)
        case "seed": file.seed = try line.integer("the seed", UInt64.self)
        case "options":
            let place = line.mark
            file.options = try line.value()
            guard file.options.object != nil else {
                throw line.error("options are a JSON object", at: place)
            }
        case "stub": file.stubs.append(try line.value())
        default:
            let place = line.mark
            file.dropped = try line.integer("how many facts are lost", Int.self)
            guard file.dropped > 0 else { throw line.error("at least 1", at: place) }
        }
        try line.finish()
    }

    // MARK: Facts

    private static let kinds = ["input", "ask", "answer", "cancel", "output", "jump", "end"]

    private mutating func readFact(_ line: inout RecordLine) throws(RecordError) {
        guard !hasEnded else { throw line.error("nothing stands after the line that ends") }
        let start = line.mark
        let (at, step) = try line.instant()
        if let last = file.facts.last {
            // The end is that of an instant, whatever its microstep.
            guard at > last.at || at == last.at && (step >= last.step || line.isAtEnd) else {
                throw line.error("time goes back here: the fact before is later", at: start)
            }
        }
        var fact = RecordFile.Fact(at: at, step: step, what: .jump(over: at), line: line.number)
        if line.take(word: "late") { fact.late = try line.duration("how late") }
        let kind = line.mark
        switch try line.choice(Self.kinds) {
        case "input":
            fact.what = .input(port: try line.name("the input's name"), json: try line.json())
        case "ask": fact.what = try readAsk(&line, at)
        case "answer": fact.what = .answer(try readAnswer(&line, at))
        case "cancel": fact.what = try readCancel(&line)
        case "output":
            let port = try line.name("the output's name")
            let (event, json) = try line.said()
            fact.what = .output(port: port, event: event, json: json)
        case "jump":
            guard line.take(word: "over") else {
                throw line.error("`over` and an instant follow, such as `jump over 10ms`")
            }
            let place = line.mark
            let over = try line.instant().at
            guard over < at else {
                throw line.error("a jump is over an instant before it", at: place)
            }
            fact.what = .jump(over: over)
        default:
            guard step == 0, fact.late == 0 else {
                throw line.error("the end has a time alone", at: kind)
            }
            file.end = at
            file.endsEarly = line.take(word: "early")
            hasEnded = true
            return try line.finish()
        }
        try line.finish()
        file.facts.append(fact)
    }

    private mutating func readAsk(
        _ line: inout RecordLine, _ at: Instant
    ) throws(RecordError) -> RecordFile.What {
        let place = line.mark
        let number = try line.integer("the ask's number", Int.self)
        guard number > 0 else { throw line.error("asks are numbered from 1", at: place) }
        guard asks[number] == nil else {
            throw line.error("there is an ask \(number) already", at: place)
        }
        let effect = try line.name("the effect's name")
        asks[number] = (effect, at, false)
        return .ask(number: number, effect: effect, json: try line.json())
    }

    private mutating func readAnswer(
        _ line: inout RecordLine, _ at: Instant
    ) throws(RecordError) -> RecordFile.Answer {
        let place = line.mark
        let number = try line.integer("the ask's number", Int.self)
        let effectPlace = line.mark
        let effect = try line.name("the effect's name")
        guard line.take(word: "after") else {
            throw line.error("`after` and how long the answer took follow, such as `after 20ms`")
        }
        let latencyPlace = line.mark
        let latency = try line.duration("how long the answer took")
        let hasMore = line.take(word: "more")
        let (event, json) = try line.said()
        // Of a record that lost its beginning an ask may be among what is lost.
        if number != 0 || file.dropped == 0 {
            guard let ask = asks[number] else {
                throw line.error("there is no ask \(number) before this answer", at: place)
            }
            guard ask.effect == effect else {
                throw line.error("ask \(number) is for \(ask.effect)", at: effectPlace)
            }
            guard !ask.isOver else {
                throw line.error("ask \(number) is over already", at: place)
            }
            guard ask.at.advanced(byNanoseconds: latency) == at else {
                let right = at.nanoseconds - ask.at.nanoseconds
                throw line.error(
                    "the ask was at \(Self.text(ask.at.nanoseconds)), so this answer came after "
                        + Self.text(right), at: latencyPlace)
            }
            asks[number]?.isOver = !hasMore || event != .next
        }
        return RecordFile.Answer(
            ask: number, effect: effect, latency: latency, event: event,
            hasMore: hasMore && event == .next, json: json)
    }

    private mutating func readCancel(
        _ line: inout RecordLine
    ) throws(RecordError) -> RecordFile.What {
        let place = line.mark
        let number = try line.integer("the ask's number", Int.self)
        let effectPlace = line.mark
        let effect = try line.name("the effect's name")
        // Of a record that lost its beginning an ask may be among what is lost.
        if number != 0 || file.dropped == 0 {
            guard let ask = asks[number] else {
                throw line.error("there is no ask \(number) before this cancel", at: place)
            }
            guard ask.effect == effect else {
                throw line.error("ask \(number) is for \(ask.effect)", at: effectPlace)
            }
            guard !ask.isOver else { throw line.error("ask \(number) is over already", at: place) }
            asks[number]?.isOver = true
        }
        return .cancel(ask: number, effect: effect)
    }

    private static func text(_ nanoseconds: Int64) -> String {
        DurationText.text(of: .nanoseconds(nanoseconds))
    }
}
