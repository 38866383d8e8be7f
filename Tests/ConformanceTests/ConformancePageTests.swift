// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The table, the tests that are named after its rows, and the page that shows both.
@Suite("The conformance table")
struct ConformancePageTests {
    /// Every test in the sources that is named after a row, in the order of files and lines.
    private static func namedTests() throws -> [ConformancePage.NamedTest] {
        let folder = "\(Checkout.path)/Tests"
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".swift") }.sorted()
        return paths.flatMap { path in
            Files.text("\(folder)/\(path)")
                .split(separator: "\n").compactMap(ConformancePage.test(in:))
        }
    }

    private static func page() throws -> ConformancePage {
        ConformancePage(
            rows: ConformanceTable.rows + ConformanceTable.own, tests: try namedTests())
    }

    @Test func `every row has a test, and every test that names a row has one`() throws {
        #expect(try Self.page().faults == [])
    }

    @Test func `the table is whole: rows 1 to 111, and seven of our own`() {
        #expect(ConformanceTable.rows.map(\.name) == (1...111).map { .row($0) })
        #expect(ConformanceTable.own.map(\.name) == (1...7).map { .own($0) })
    }

    @Test func `no text breaks its cell`() {
        for row in ConformanceTable.rows + ConformanceTable.own {
            let value = if case .ours(let value) = row.kind { value } else { "" }
            for text in [row.source, row.holds, value] {
                #expect(!text.contains("|") && !text.contains("\n"), "\(row.name): \(text)")
            }
        }
    }

    @Test func `the page is up to date`() throws {
        try GeneratedPage(
            "Documentation/Marbled.docc/Conformance.md", writtenBy: "Tests/Scripts/conformance.sh"
        ).expectUpToDate(try Self.page().text)
    }

    // MARK: Names

    @Test(
        arguments: [
            (
                "    @Test func `row 7 sleep: ten busy ticks`() {", [.row(7)],
                "sleep: ten busy ticks"
            ),
            ("func `rows 39 and 40 strictly: both`(", [.row(39), .row(40)], "strictly: both"),
            ("    func `own 3 three thirds`() {", [.own(3)], "three thirds"),
        ] as [(String, [ConformanceRow.Name], String)])
    func `a name begins with its row`(
        line: String, rows: [ConformanceRow.Name], sentence: String
    ) {
        #expect(
            ConformancePage.test(in: line)
                == ConformancePage.NamedTest(rows: rows, sentence: sentence))
    }

    @Test(arguments: [
        "func `a row 7 of something`() {", "// func `row 7", "let x = `row 7 x`",
        "func `row seven`() {", "(\"func `row 7 sleep`()\")", "func `rows and 7`() {",
        "func row7() {",
    ])
    func `other names name no row`(line: String) {
        #expect(ConformancePage.test(in: line) == nil)
    }

    @Test func `faults are found: no test, a test too many, no row, a row twice`() {
        let tests = [
            ConformancePage.NamedTest(rows: [.row(2)], sentence: "two"),
            ConformancePage.NamedTest(rows: [.row(9)], sentence: "nine"),
        ]
        let page = ConformancePage(
            rows: [
                .row(1, "", ""), .row(2, "", ""), .row(1, "", ""),
            ], tests: tests)
        #expect(
            page.faults == [
                "a row stands twice in the table", "row 1 has no test",
                "row 1 has no test",
                "a test names no row of the table: nine",
            ])
    }
}
