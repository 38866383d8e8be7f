// SPDX-License-Identifier: Apache-2.0

import Glibc
import MarbledClient
import Testing

@Suite struct `A wire script` {
    @Test func `is read with its rule, limits, clients and bytes`() throws {
        let script = try WireScriptReader.read(
            """
            # A rule on
            # two lines.
            promise line idEchoed
            limits lineBytes=10 batchCalls=2

            # Only a remark.
            a > {"id":1}
            b raw \\xff\\n
            end
            """)
        #expect(script.rule == "A rule on two lines.")
        #expect(script.promises == ["line", "idEchoed"])
        #expect(script.limits.map(\.name) == ["lineBytes", "batchCalls"])
        #expect(script.steps.map(\.client) == ["a", "b", ""])
        #expect(script.steps.map(\.line) == [7, 8, 9])
        guard case .sendBytes([0xFF, 0x0A]) = script.steps[1].action else {
            Issue.record("\(script.steps[1])")
            return
        }
    }

    @Test(arguments: [
        ("> 1", 1, "begins with its rule"),
        ("# rule", 1, "nothing is sent"),
        ("# rule\nsend 1", 2, "none of promise, limits"),
        ("# rule\npromise", 2, "is no promise such as"),
        ("# rule\npromise a-b", 2, "is no promise such as"),
        ("# rule\n> {id}", 2, "{id} has no value yet"),
        ("# rule\n> {any}", 2, "{any} has no value yet"),
        ("# rule\n< {id}\n> {...}", 3, "{...} has no value yet"),
        ("# rule\nraw \\y", 2, "an escape is one of"),
        ("# rule\nraw \\x4", 2, "an escape is one of"),
        ("# rule\nend here", 2, "nothing stands behind"),
        ("# rule\nlimits lineBytes", 2, "is no limit such as"),
        ("# rule\nlimits lineBytes=0", 2, "is no limit such as"),
    ])
    func `that is wrong is refused with its line`(
        _ text: String, _ line: Int, _ hint: String
    ) throws {
        let error = #expect(throws: WireScriptError.self) { try WireScriptReader.read(text) }
        #expect(error?.line == line)
        #expect(error?.sentence.contains(hint) == true, "\(error?.sentence ?? "")")
    }

    @Test(arguments: [
        (#"{"a":{any}}"#, #"{"a":[1,{"b":"}]"}]}"#, true),
        (#"{"a":{any},"b":2}"#, #"{"a":"x\",","b":2}"#, true),
        (#"{"a":{any}}"#, #"{"a":1,"b":2}"#, false),
        (#"{"a":{any}}"#, #"{"a":}"#, false),
        (#"{"a":"{any}.x:{n}"}"#, #"{"a":"y.x.x:12"}"#, true),
        (#"{"a":"{any}"}"#, #"{"a":"x","b":"y"}"#, false),
        (#"{"a":1,{...}}"#, #"{"a":1,"b":[2,3]}"#, true),
        (#"[{...},3]"#, #"[1,3,2,3]"#, true),
        (#"{"a":{x},"b":{x}}"#, #"{"a":1,"b":1}"#, true),
        (#"{"a":{x},"b":{x}}"#, #"{"a":1,"b":2}"#, false),
        (#"{"a":{x},"b":{x}}"#, #"{"a":1,"b":12}"#, false),
        (#"{"a":{},"b":"{ c }"}"#, #"{"a":{},"b":"{ c }"}"#, true),
        (#"{}"#, #"{} "#, false),
    ])
    func `matches a line, or does not`(_ pattern: String, _ line: String, _ fits: Bool) {
        var values: [String: [UInt8]] = [:]
        #expect((WirePattern(pattern).match(Array(line.utf8), &values) == nil) == fits)
    }

    @Test func `keeps what a name stood for, and says it again`() {
        var values: [String: [UInt8]] = [:]
        #expect(
            WirePattern(#"{"cursor":"{e}.i:5"}"#).match(
                Array(#"{"cursor":"ab.i:5"}"#.utf8), &values) == nil)
        let text = WirePattern(#"{"since":"{e}.i:{any}"}"#).text(values)
        #expect(String(decoding: text, as: UTF8.self) == #"{"since":"ab.i:{any}"}"#)
    }

    @Test func `says how far a line fits, and what was wanted then`() {
        var values: [String: [UInt8]] = [:]
        let difference = WirePattern(#"{"a":{any},"b":{x},"c":{x}}"#)
            .match(Array(#"{"a":[1],"b":2,"c":3}"#.utf8), &values)
        #expect(difference == WirePattern.Difference(matched: 19, expected: "2}"))
        #expect(values.isEmpty)
    }
}

@Suite struct `A conversation from a script` {
    /// Runs a script against a server that has written all it will ever say.
    private func run(_ script: String, _ said: String, hangsUp: Bool) throws -> WireRun.Failure? {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        var said = said
        said.withUTF8 { _ = send(ends[1], $0.baseAddress, $0.count, 0) }
        if hangsUp { shutdown(ends[1], Int32(SHUT_WR)) }
        let near = ends[0]
        let parsed = try WireScriptReader.read("# rule\n" + script)
        do throws(WireRun.Failure) {
            try WireRun.run(
                parsed, patience: .milliseconds(20)
            ) { () throws(ClientError) -> WireSocket in WireSocket(adopting: near) }
            return nil
        } catch {
            return error
        }
    }

    private static let over = #"{"jsonrpc":"2.0","result":{},"id":"the script is over"}"# + "\n"

    @Test func `ends well where all is as told`() throws {
        #expect(try run("> x\n< 1\n< 2", "1\n2\n" + Self.over, hangsUp: false) == nil)
        #expect(try run("< 1\nclosed", "1\n", hangsUp: true) == nil)
    }

    @Test(arguments: [
        ("< 1", "", false, WireRun.Fault.silence(expected: "1")),
        ("< 1", "1", true, .ended(expected: "1")),
        ("< 12", "13\n", false, .differs(actual: Array("13".utf8), matched: 1, expected: "2")),
        ("closed", "1\n", true, .unexpected(Array("1".utf8))),
        ("closed", "", false, .silence(expected: "the end of the connection")),
        // Nothing may be left over.
        ("< 1", "1\n2\n" + over, false, .unexpected(Array("2".utf8))),
    ])
    func `ends with the first thing that is not`(
        _ script: String, _ said: String, _ hangsUp: Bool, _ fault: WireRun.Fault
    ) throws {
        #expect(try run(script, said, hangsUp: hangsUp)?.fault == fault)
    }

    @Test func `shows a long line around the first difference`() throws {
        let alike = String(repeating: "é", count: 80)
        let failure = WireRun.Failure(
            line: 7, client: "a",
            fault: .differs(
                actual: Array("\(alike)ab\(alike)".utf8), matched: 161, expected: "c\(alike)"))
        #expect(failure.sentence == "line 7: another line came for a")
        let shown = String(repeating: "é", count: 29)
        let behind = String(repeating: "é", count: 59)
        #expect(
            failure.picture == [
                "expected  …\(shown)ac\(behind)…", "actual    …\(shown)ab\(behind)…",
                "          " + String(repeating: " ", count: 31) + "^",
            ])
    }
}
