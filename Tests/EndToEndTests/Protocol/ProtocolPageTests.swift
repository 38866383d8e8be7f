// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledDaemon
import TestSupport
import Testing

/// The protocol page and that of the wire scripts: they say what the code does, and who holds it exists.
@Suite struct ProtocolPageTests {
    private static func table() throws -> ProtocolTable {
        let scripts = try WireScriptTests.names.map {
            try ProtocolTable.Script($0, Files.text("\(WireScriptTests.folder)/\($0)"))
        }
        return ProtocolTable(scripts: scripts, tests: ProtocolTable.tests)
    }

    @Test(arguments: ["Protocol.md", "WireScripts.md"])
    func `the page is up to date`(_ name: String) throws {
        let table = try Self.table()
        let text =
            name == "Protocol.md"
            ? ProtocolPage(holders: table.holders).text
            : WireScriptsPage(scripts: table.scripts).text
        try GeneratedPage(
            "Documentation/Marbled.docc/\(name)",
            writtenBy: "MARBLED_WRITE_PAGES=1 swift test --filter ProtocolPageTests"
        ).expectUpToDate(text)
    }

    @Test func `every promise and every kind of error has a script or a test that exists`() throws {
        #expect(try Self.table().faults(listed: SystemsPageTests.listedTests()) == [])
    }

    @Test func `faults are found: nobody who holds it, a promise and a test that are none`() throws
    {
        let script = try ProtocolTable.Script(
            "odd.wire", "# Odd.\npromise line lien\n< {\"kind\":\"limit\"}\n")
        let tests = ["turns": [SystemsRow.Test(target: "T", sentence: "gone")], "trun": []]
        let faults = ProtocolTable(scripts: [script], tests: tests).faults(listed: [])
        #expect(faults.contains("odd.wire: there is no promise lien"))
        #expect(faults.contains("turns: T has no test `gone`"))
        #expect(faults.contains("trun is no promise and no kind of error"))
        #expect(faults.contains("lineLimit: no script and no test"))
        #expect(faults.contains("busy: no script and no test"))
        #expect(!faults.contains { $0.hasPrefix("line:") || $0.hasPrefix("limit:") })
    }

    @Test func `every limit, promise and kind of error is on the page`() throws {
        let text = ProtocolPage(holders: [
            "line": [.script("framing"), .test("it is so")], "limit": [.script("framing")],
        ]).text
        let framing = "[framing](doc:WireScripts#framing)"
        for limit in DaemonLimits.table {
            #expect(text.contains("| `\(limit.name)` | \(limit.standard) | \(limit.doc) |"))
        }
        for promise in Promise.allCases {
            let held = promise == .line ? "\(framing)<br>it is so" : ""
            #expect(text.contains("| `\(promise.rawValue)` | \(promise.sentence) | \(held) |"))
        }
        for kind in ErrorKind.allCases {
            let held = kind == .limit ? framing : ""
            #expect(
                text.contains("| `\(kind.rawValue)` | \(kind.code) | \(kind.summary) | \(held) |"))
        }
    }

    @Test func `every parameter and every member of a result has its sentence`() throws {
        let lines = ProtocolPage(holders: try Self.table().holders).text.split(separator: "\n")
        // The heads of these tables end in an empty cell, and nothing else does.
        #expect(lines.filter { $0.hasSuffix("|  |") && !$0.contains("| type |") } == [])
    }

    @Test func `no cell breaks its table, and every row has the cells of its head`() throws {
        var columns: Int?
        let text = ProtocolPage(holders: try Self.table().holders).text
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                columns = nil
                continue
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).count
            #expect(cells == columns ?? cells, "\(line)")
            columns = cells
        }
    }
}
