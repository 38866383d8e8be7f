// SPDX-License-Identifier: Apache-2.0

/// `Documentation/Marbled.docc/Conformance.md`, made of the table and of the names of the tests.
struct ConformancePage {
    /// A test whose name begins with its row: `row 19 …`, `rows 39 and 40 …`, `own 3 …`.
    struct NamedTest: Equatable {
        /// The rows it names.
        let rows: [ConformanceRow.Name]
        /// What it says after that.
        let sentence: String
    }

    let rows: [ConformanceRow]
    let tests: [NamedTest]

    /// What is wrong with table and tests; empty when they fit.
    var faults: [String] {
        var faults: [String] = []
        let known = Set(rows.map(\.name))
        if known.count != rows.count { faults.append("a row stands twice in the table") }
        let named = Set(tests.flatMap(\.rows))
        for row in rows {
            if !named.contains(row.name) { faults.append("\(row.name) has no test") }
        }
        for test in tests where !known.isSuperset(of: test.rows) {
            faults.append("a test names no row of the table: \(test.sentence)")
        }
        return faults
    }

    var text: String {
        func count(_ letter: String) -> Int {
            rows.count { $0.kind.letter == letter && !$0.name.isOwn }
        }
        let peers = rows.filter { !$0.name.isOwn }
        return """
            # Conformance

            What the tests of other projects demand of virtual time, streams, marbles and stubs, and the tests of
            ours that hold it. The table is `Tests/ConformanceTests/ConformanceTable.swift`; a test belongs to the
            row that its name begins with. No code is taken over, only what must hold. This page is made by
            `Tests/Scripts/conformance.sh`, and a test fails when it is not up to date.

            - **A** (\(count("A")) rows): holds as it stands there.
            - **B** (\(count("B")) rows): holds under the profile `rxTest`, which exists to move such suites over.
            - **C** (\(count("C")) rows): we decide otherwise; our value and the reason stand beside it.

            Times are ticks; "sub" is when a source was subscribed to and given up. Every row has a test.

            | row | whose test | what must hold | class | our value, where it differs | our tests |
            |---|---|---|---|---|---|
            \(peers.map(line).joined(separator: "\n"))

            ## Our own

            What no other project tests.

            | row | what must hold | our tests |
            |---|---|---|
            \(rows.filter(\.name.isOwn).map(ownLine).joined(separator: "\n"))

            """
    }

    private func line(_ row: ConformanceRow) -> String {
        let value = if case .ours(let value) = row.kind { value } else { "" }
        return cells([
            "\(row.name.number)", row.source, row.holds, row.kind.letter, value, sentences(row),
        ])
    }

    private func ownLine(_ row: ConformanceRow) -> String {
        cells(["\(row.name.number)", row.holds, sentences(row)])
    }

    private func sentences(_ row: ConformanceRow) -> String {
        tests.filter { $0.rows.contains(row.name) }.map(\.sentence).joined(separator: "<br>")
    }

    private func cells(_ texts: [String]) -> String {
        "| " + texts.joined(separator: " | ") + " |"
    }

    // MARK: Reading names

    /// The test that a line of source declares, if its name begins with a row.
    static func test(in line: some StringProtocol) -> NamedTest? {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        // A quote before it: a name that is only talked about.
        guard parts.count == 3, parts[0].hasSuffix("func "), !parts[0].contains("\"") else {
            return nil
        }
        var words = parts[1].split(separator: " ")[...]
        let make: (Int) -> ConformanceRow.Name
        switch words.popFirst() {
        case "row", "rows": make = { .row($0) }
        case "own": make = { .own($0) }
        default: return nil
        }
        var numbers: [Int] = []
        while let word = words.first {
            if let number = Int(word) {
                numbers.append(number)
            } else if word != "and" || numbers.isEmpty {
                break
            }
            words.removeFirst()
        }
        guard !numbers.isEmpty else { return nil }
        return NamedTest(rows: numbers.map(make), sentence: words.joined(separator: " "))
    }
}

extension ConformanceRow.Name {
    var number: Int {
        switch self {
        case .row(let number), .own(let number): number
        }
    }

    var isOwn: Bool {
        if case .own = self { true } else { false }
    }
}

extension ConformanceRow.Name: CustomStringConvertible {
    var description: String { "\(isOwn ? "own" : "row") \(number)" }
}
