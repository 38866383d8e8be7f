// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scheduling
import Testing

@testable import Scenarios

@Suite struct RecordFileTests {
    private static let sample = """
        marbled-record 1
        marbled 0.1.0
        plugin words 1.2.0
        feature search
        clock real
        profile rxTest
        epoch 978307200000000000
        seed 42
        options {"pause":5}
        stub {"http":"*","reply":{"json":[3]}}

        0s output round 1
        10ms input "a name" "text"
        10ms.1 ask 1 http {"url":"http://x"}
        30.125ms answer 1 http after 20.125ms more {"status":200}
        40ms answer 1 http after 30ms error {"kind":"reset"}
        5s jump over 50ms
        5s late 95us output hint error "no"
        5s.2 output hint completed
        5s.2 ask 2 http {"url":"http://y"}
        5s.3 cancel 2 http
        6s end early

        """

    @Test func `what was written is read as the same, and written as the same bytes`() throws {
        let file = try RecordReader.read(Self.sample)
        #expect(file.text == Self.sample)
        #expect(try RecordReader.read(file.text) == file)
        #expect(file.feature == "search" && file.isReal && file.seed == 42 && file.endsEarly)
        #expect(file.facts.map(\.line) == [12, 13, 14, 15, 16, 17, 18, 19, 20, 21])
        #expect(file.facts[6].late == 95_000 && file.facts[7].step == 2)
        #expect(file.facts[1].what == .input(port: "a name", json: "\"text\""))
    }

    @Test func `comments, empty lines, blanks and other line ends change nothing`() throws {
        let file = try RecordReader.read(Self.sample)
        let edited = Self.sample.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "  \($0) \t\r" }.joined(separator: "\n# a remark\n\n")
        // The first line is the format's own.
        let text = "marbled-record 1" + edited.drop { $0 != "\r\n" && $0 != "\n" }
        #expect(try RecordReader.read(text).text == file.text)
    }

    @Test func `white space around a payload is none of it`() throws {
        let edited = Self.sample.replacing("output round 1", with: "output round  1 \t\r \r\r")
        let file = try RecordReader.read(edited)
        #expect(file.text == Self.sample)
        #expect(file.facts[0].what == .output(port: "round", event: .next, json: "1"))
    }

    @Test(arguments: [
        ("marbled-record 1", "marbled-recrd 1", "1:1: a record begins with `marbled-record 1`"),
        (
            "marbled-record 1", "marbled-record 2",
            "1:16: this is version 2 of the format, and version 1 is read here"
        ),
        (
            "feature search", "feture search",
            "4:1: the header has no `feture`; did you mean `feature`?"
        ),
        ("seed 42", "seed -1", "8:6: the seed stands here, a whole number"),
        ("seed 42", "seed 42 43", "8:9: nothing more stands in this line"),
        ("seed 42", "feature again", "8:1: `feature` stands twice"),
        ("options {\"pause\":5}", "options [5]", "9:9: options are a JSON object"),
        ("clock real", "clock rael", "5:7: one of virtual, real stands here; did you mean real?"),
        (
            "0s output round 1", "0s output round",
            "12:16: JSON stands here: there is no JSON value; one was expected"
        ),
        (
            "0s output round 1", "0s output round {",
            "12:17: JSON stands here: the text breaks JSON's grammar"
        ),
        (
            "0s output round 1", "0s outptu round 1",
            "12:4: one of input, ask, answer, cancel, output, jump, end stands here; did you mean output?"
        ),
        (
            "0s output round 1", "11ms output round 1",
            "13:1: time goes back here: the fact before is later"
        ),
        ("10ms.1 ask", "10ms.x ask", "14:1: a microstep is a whole number, as in 10ms.2"),
        ("10ms.1 ask", "10 ask", "14:1: a time stands here, such as 10ms, 1.5s or 10ms.2"),
        ("10ms.1 ask 1", "10ms.1 ask 0", "14:12: asks are numbered from 1"),
        (
            "answer 1 http after 30ms", "answer 2 http after 30ms",
            "16:13: there is no ask 2 before this answer"
        ),
        ("answer 1 http after 30ms", "answer 1 htp after 30ms", "16:15: ask 1 is for http"),
        (
            "answer 1 http after 30ms", "answer 1 http after 31ms",
            "16:26: the ask was at 10ms, so this answer came after 30ms"
        ),
        ("20.125ms more", "20.125ms", "16:13: ask 1 is over already"),
        ("cancel 2 http", "cancel 3 http", "21:13: there is no ask 3 before this cancel"),
        ("cancel 2 http", "cancel 2 htp", "21:15: ask 2 is for http"),
        ("cancel 2 http", "cancel 1 http", "21:13: ask 1 is over already"),
        ("jump over 50ms", "jump over 6s", "17:14: a jump is over an instant before it"),
        ("late 95us", "late soon", "18:9: how late stands here, a duration such as 20ms or 1500ns"),
        ("input \"a name\" \"text\"", "input \"a name", "13:12: this string is not closed"),
        ("6s end early", "", "23:1: the record stops without its last line, such as `1s end`"),
        ("6s end early", "6s end early\n7s end", "23:1: nothing stands after the line that ends"),
        ("seed 42\n", "", "22:1: the header lacks `seed`"),
    ])
    func `what cannot be meant is an error with line and column`(
        _ text: String, _ edit: String, _ expected: String
    ) {
        #expect {
            try RecordReader.read(Self.sample.replacing(text, with: edit, maxReplacements: 1))
        } throws: { error in
            #expect("\(error)" == expected)
            return true
        }
    }

    @Test(arguments: [1, 7, 1_000])
    func `a record that is written some facts at a time is the same text`(_ count: Int) throws {
        let lab = try ClockworkLab()
        let instance = try lab.live(seed: 3)
        let whole = RecordFile(instance)
        var writing = RecordWriting(instance)
        // What happens meanwhile is not in it.
        try instance.send("draw", .null)
        while !writing.isWhole { writing.write(atMost: count) }
        writing.write(atMost: count)
        #expect(writing.text == whole.text && writing.facts == whole.facts.count)
        #expect(whole.facts.contains { if case .cancel = $0.what { true } else { false } })
        #expect(RecordFile(instance).facts.count > whole.facts.count)
    }

    @Test(arguments: 0..<200)
    func `a damaged file is an error with a place, or another record; never a crash`(
        _ seed: UInt64
    ) throws {
        let random = RandomProvider(seed: seed)
        for _ in 0..<50 {
            var bytes = Array(Self.sample.utf8)
            for _ in 0...random.draw(0, 3) {
                guard !bytes.isEmpty else { break }
                let place = Int(random.draw(0, Int64(bytes.count - 1)))
                let length = Int(random.draw(1, 12))
                let end = min(bytes.count, place + length)
                switch random.draw(0, 5) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.draw(0, 255))
                case 1: bytes.removeSubrange(place..<end)
                case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
                case 3: bytes.replaceSubrange(place..<end, with: "9223372036854775807s".utf8)
                case 4: bytes.removeLast(min(bytes.count, place))
                default: bytes.swapAt(place, Int(random.draw(0, Int64(bytes.count - 1))))
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(RecordError) {
                let file = try RecordReader.read(text)
                let again = try RecordReader.read(file.text)
                #expect(again == file)
            } catch {
                let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
                #expect((1...lines.count).contains(error.line))
                let line = String(decoding: Array(lines[error.line - 1]), as: UTF8.self)
                #expect((1...line.count + 1).contains(error.column))
            }
        }
    }
}
