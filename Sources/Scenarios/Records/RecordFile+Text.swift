// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Marbles
internal import Scheduling

/// A record as text: a header, an empty line, and one fact a line, in the order they happened.
///
///     marbled-record 1
///     marbled 0.1.0
///     plugin find-number 0.1.0
///     feature find-number
///     clock real
///     seed 42
///     options {"source":"http"}
///     stub {"http":"*","reply":{"json":[3]}}
///
///     0s output round 1
///     10ms input checkNumber 1
///     10ms output round 2
///     10ms ask 1 http {"method":"GET","url":"http://numbers.example/random"}
///     30.125ms answer 1 http after 20.125ms {"status":200,"body":"[3]"}
///     30.125ms output target 3
///     330.125ms late 95us output hint "higher"
///     330.125ms.1 output done completed
///     1s end
///
/// The first line is the format and its version. The header's other lines are `marbled` (who wrote
/// it), `plugin` with its version, `feature`, `clock real` or `virtual`, `seed`, and where they say
/// something `profile rxTest`, `epoch` (ns since 1970), `options`, `stub` (once for each rule in force) and
/// `dropped N`: the first N facts are lost, and the record cannot run again.
///
/// A fact is `TIME[.MICROSTEP] [late DURATION] KIND …`. Times are exact durations since the instance
/// opened; in real time they are the instants that the feature saw, and `late` says how far the clock was
/// ahead of that. The kinds:
///
///     input PORT JSON
///     ask NUMBER EFFECT JSON                            what the feature asked of the world
///     answer NUMBER EFFECT after DURATION [more] SAID   to that ask, so long after it
///     cancel NUMBER EFFECT                              that ask was given up
///     output PORT SAID
///     jump over TIME                                    what was due then was too late to be made up for
///     end [early]                                       the last line; early: what was due then still waits
///
/// `SAID` is JSON, `error JSON` or `completed`. `more` marks an answer that is not the last of its ask.
/// Payloads are the bytes that crossed the boundary. A name that is no plain word is a JSON string. Empty
/// lines and lines that begin with `#` say nothing.
extension RecordFile {
    /// The whole file. Equal records give equal bytes.
    package var text: String {
        var text = beginning
        for fact in facts { Self.write(fact, to: &text) }
        return text + ending
    }

    /// What stands before the facts.
    var beginning: String {
        var text = "marbled-record \(Self.version)\n"
        for (name, value) in header { text += "\(name) \(value)\n" }
        return text + "\n"
    }

    /// The line behind the facts.
    var ending: String { "\(Self.time(end)) end\(endsEarly ? " early" : "")\n" }

    /// Appends the line of one fact.
    static func write(_ fact: Fact, to text: inout String) {
        text += time(fact.at)
        if fact.step > 0 { text += ".\(fact.step)" }
        if fact.late > 0 { text += " late \(time(fact.late))" }
        write(fact.what, to: &text)
        text += "\n"
    }

    private var header: [(String, String)] {
        var lines = [
            ("marbled", Self.word(marbled)),
            ("plugin", "\(Self.word(plugin)) \(Self.word(pluginVersion))"),
            ("feature", Self.word(feature)), ("clock", isReal ? "real" : "virtual"),
        ]
        if profile != .strict { lines.append(("profile", profile.rawValue)) }
        if let epoch { lines.append(("epoch", String(epoch))) }
        lines.append(("seed", String(seed)))
        lines.append(("options", options.text))
        lines += stubs.map { ("stub", $0.text) }
        if dropped > 0 { lines.append(("dropped", String(dropped))) }
        return lines
    }

    private static func write(_ what: What, to text: inout String) {
        switch what {
        case .input(let port, let json): text += " input \(word(port)) \(json)"
        case .ask(let number, let effect, let json):
            text += " ask \(number) \(word(effect)) \(json)"
        case .answer(let answer):
            text += " answer \(answer.ask) \(word(answer.effect)) after \(time(answer.latency))"
            if answer.hasMore { text += " more" }
            text += said(answer.event, answer.json)
        case .cancel(let number, let effect): text += " cancel \(number) \(word(effect))"
        case .output(let port, let event, let json):
            text += " output \(word(port))\(said(event, json))"
        case .jump(let instant): text += " jump over \(time(instant))"
        }
    }

    private static func said(_ event: Record.Event, _ json: String) -> String {
        switch event {
        case .next: " \(json)"
        case .error: " error \(json)"
        case .completed: " completed"
        }
    }

    private static func time(_ instant: Instant) -> String { time(instant.nanoseconds) }

    private static func time(_ nanoseconds: Int64) -> String {
        DurationText.text(of: .nanoseconds(nanoseconds))
    }

    /// A name as it stands in a line.
    private static func word(_ name: String) -> String {
        !name.isEmpty && name.utf8.allSatisfy(isWordByte) ? name : JSONValue.string(name).text
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}
