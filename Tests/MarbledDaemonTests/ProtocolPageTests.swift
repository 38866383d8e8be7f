// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONRPC
import MarbledDaemon
import Testing

/// The protocol page, and that it says what the code does.
@Suite struct ProtocolPageTests {
    private static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Documentation/Marbled.docc/Protocol.md")

    @Test func `the page is up to date`() throws {
        let text = ProtocolPage.text
        if ProcessInfo.processInfo.environment["MARBLED_WRITE_PAGES"] != nil {
            try text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let page = (try? String(contentsOf: Self.file, encoding: .utf8)) ?? ""
        let differs = zip(
            page.split(separator: "\n", omittingEmptySubsequences: false),
            text.split(separator: "\n", omittingEmptySubsequences: false)
        ).first { $0 != $1 }
        let isUpToDate = page == text
        #expect(
            isUpToDate,
            """
            Documentation/Marbled.docc/Protocol.md is not what the code says; MARBLED_WRITE_PAGES=1 swift test \
            --filter ProtocolPageTests writes it. First difference: \
            \(differs.map { "\($0.0) / \($0.1)" } ?? "its length")
            """)
    }

    @Test func `every limit, promise and kind of error is on the page`() {
        let text = ProtocolPage.text
        for limit in DaemonLimits.table {
            #expect(text.contains("| `\(limit.name)` | \(limit.standard) | \(limit.doc) |"))
        }
        for promise in Promise.allCases {
            #expect(text.contains("| `\(promise.rawValue)` | \(promise.sentence) |"))
        }
        for kind in ErrorKind.allCases {
            #expect(text.contains("| `\(kind.rawValue)` | \(kind.code) | \(kind.summary) |"))
        }
    }

    @Test func `no cell breaks its table, and every row has the cells of its head`() {
        var columns: Int?
        for line in ProtocolPage.text.split(separator: "\n", omittingEmptySubsequences: false) {
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
