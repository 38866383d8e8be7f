// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import Testing

@Suite struct PluginReportTests {
    private static let written = """
        {"began":"library"}
        {"check":"library","outcome":"ok","text":"it loads"}
        not a line of ours
        {"began":"x: memory"}

        """

    @Test(arguments: [
        (ChildEnding.signal(11), "the plugin crashed the process (signal 11)"),
        (.exit(3), "the plugin ended the process with code 3"),
        (.tooLong(seconds: 9), "it did not come back within 9 s"),
    ])
    func `a child that ended early is a finding of the check it was in`(
        _ ending: ChildEnding, _ text: String
    ) throws {
        let report = PluginReport(Array(Self.written.utf8), ending)
        #expect(!report.isGood && report.lines.count == 2)
        #expect(report.lines[1].check == "x: memory" && report.lines[1].text == text)
        #expect(report.text(Look()).last == "1 ok, 0 to look at, 1 failed")
    }

    @Test func `a child that finished says how it stands, warnings and all`() {
        let warning = """
            {"check":"symbols","outcome":"warning","text":"it uses sleep","advice":"Wait."}
            {"finished":true}

            """
        let report = PluginReport(Array((Self.written + warning).utf8), .exit(0))
        #expect(report.isGood)
        #expect(
            report.text(Look()) == [
                "ok       library: it loads", "warning  symbols: it uses sleep", "         Wait.",
                "1 ok, 1 to look at, 0 failed",
            ])
        #expect(
            report.json.text
                == #"{"passed":true,"findings":[{"check":"library","outcome":"ok","text":"it loads"},"#
                + #"{"check":"symbols","outcome":"warning","text":"it uses sleep","advice":"Wait."}]}"#
        )
    }

    @Test func `a child that loops is ended, and what it wrote is kept`() throws {
        let child = try ChildRun.run(
            ["/bin/sh", "-c", "echo first; exec tail -f /dev/null"], patience: .milliseconds(500))
        #expect(child.ending == .tooLong(seconds: 0))
        #expect(child.output == Array("first\n".utf8))
    }

    @Test func `a child's code and its signal are told apart`() throws {
        let exit = try ChildRun.run(["/bin/sh", "-c", "exit 7"], patience: .seconds(20))
        #expect(exit.ending == .exit(7))
        let killed = try ChildRun.run(["/bin/sh", "-c", "kill -9 $$"], patience: .seconds(20))
        #expect(killed.ending == .signal(9))
        #expect(throws: Complaint.self) {
            try ChildRun.run(["/nonexistent/program"], patience: .seconds(1))
        }
    }
}
