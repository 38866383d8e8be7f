// SPDX-License-Identifier: Apache-2.0

import Marbles
import Testing

/// What each operator does at errors, ends and disposal, with sources that speak at once, without end,
/// or from inside: the tables in the folder Behaviours.
@Suite struct BehaviourTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let number: Int
        let testDescription: String
    }

    static let cases = BehaviourTable.behaviours.enumerated().map { number, behaviour in
        Case(number: number, testDescription: "\(behaviour.label): \(behaviour.title)")
    }

    @Test(arguments: cases)
    func `what a table says is what happens`(of one: Case) throws {
        let behaviour = BehaviourTable.behaviours[one.number]
        let place = "\(behaviour.file):\(behaviour.line), \(one.testDescription)"
        let drawing = try #require(Drawings.named(behaviour.label), "\(place)")
        let outcome = try PictureBench(inputs: behaviour.inputs).play(
            drawing, as: behaviour.result)
        #expect(outcome.faults.isEmpty, "\(place): \(outcome.faults)")
        #expect(outcome.isAsExpected, "\(place)\n\(outcome.difference)")
    }

    /// What has a further subscriber besides the one that takes a value.
    static let shared: Set<String> = [
        "share()", "share(replay: 1)", "publish()", "replay(1)", "replayAll()", "asDriver",
        "asSignal", "multicast { PublishSubject() }", "multicast(PublishSubject())",
    ]

    @Test(arguments: cases.filter { !shared.contains(BehaviourTable.behaviours[$0.number].label) })
    func `what is taken one value of lets go of everything at that instant`(
        of one: Case
    ) throws {
        let behaviour = BehaviourTable.behaviours[one.number]
        let place = "\(behaviour.file):\(behaviour.line), \(one.testDescription)"
        let drawing = try #require(Drawings.named(behaviour.label), "\(place)")
        let bench = try PictureBench(inputs: behaviour.inputs)
        guard let outcome = try bench.playFirst(drawing, of: behaviour.result) else { return }
        #expect(outcome.faults.isEmpty, "\(place): \(outcome.faults)")
        #expect(outcome.isAsExpected, "\(place)\n\(outcome.difference)")
    }

    /// What has no source to listen to, and what `SubjectsTests` and `PrimitiveSequenceTests` look at.
    static let withoutSource: Set<String> = Set(
        Drawings.all.map(\.label).filter { label in
            ["Subject", "Single, ", "Maybe, ", "Completable, ", "scheduler:)"].contains {
                label.contains($0) && !label.hasPrefix("multicast")
            }
                || [
                    "create", "just", "of", "from", "empty", "never", "error", "repeatElement",
                    "generate", "range", "timer", "interval",
                ].contains(String(label.prefix { $0.isLetter }))
        })

    @Test(arguments: Drawings.labels.subtracting(withoutSource).sorted())
    func `each operator is there, with each of its sources`(label: String) {
        let rows = BehaviourTable.behaviours.filter { $0.label == label }
        let titles = rows.map(\.title)
        for needed in ["error", "completion", "disposed at", "at once"] {
            #expect(titles.contains { $0.hasPrefix(needed) }, "\(label) has no row `\(needed)`")
        }
        for source in Set(rows.flatMap { $0.sources.map(\.label) }) where source != "9 makes" {
            for end in ["#", "|"] {
                #expect(
                    rows.contains { row in
                        row.sources.contains { $0.label == source && $0.lane.contains(end) }
                    }, "\(label) has no row in which `\(source)` ends with \(end)")
            }
        }
    }

    @Test(arguments: [
        "  error  -1-2-#  ^----!  -2-4-|", "  error  -1-2-#  ^---!  -2-4-#",
        "  error  -1-2-#  ^----!,^!  -2-4-#", "  error  -1-2-#  -  -2-4-#",
        "  error  -1-2-#  ^----!  -2-3-#", "  error  -1-2-#  ^----!  --2-4-#",
        "  disposed at 2  -1-2-#  ^----!  -2-4-#", "  at once  -1-2-#  ^----!  -2-4-#",
    ])
    func `a table that is wrong is seen to be`(row: String) throws {
        let text = "map { 2x }  source  used  result\n\(row)"
        let behaviour = try #require(BehaviourTable.behaviours(in: text, file: "").first)
        let drawing = try #require(Drawings.named(behaviour.label))
        let outcome = try PictureBench(inputs: behaviour.inputs).play(
            drawing, as: behaviour.result)
        #expect(!outcome.faults.isEmpty || !outcome.isAsExpected)
    }

    @Test func `a lane without a part is seen`() throws {
        let text = "map { 2x }  source  other  result\n  error  -1-2-#  -1-  -2-4-#"
        let behaviour = try #require(BehaviourTable.behaviours(in: text, file: "").first)
        let drawing = try #require(Drawings.named(behaviour.label))
        let outcome = try PictureBench(inputs: behaviour.inputs).play(
            drawing, as: behaviour.result)
        #expect(outcome.faults == ["the lane `other` takes no part"])
    }
}
