// SPDX-License-Identifier: Apache-2.0

import MarbledDaemon
import Testing

/// What the protocol page says of results, in tables.
@Suite struct ResultTableTests {
    /// The rows of a method's result.
    private func rows(of method: String) throws -> [Substring] {
        let text = ProtocolPage().text
        let start = try #require(text.firstRange(of: "### \(method)\n")).upperBound
        let section = text[start...].split(separator: "\n").prefix { !$0.hasPrefix("#") }
        return section.drop { !$0.hasPrefix("| result") }.dropFirst(2).filter { $0.hasPrefix("|") }
    }

    @Test func `what is in one alternative alone may be missing, and what is in all stands once`()
        throws
    {
        let names = try rows(of: "scenario.run").map { $0.split(separator: "`")[1] }
        #expect(
            names == ["scenario?", "passed", "outputs?", "failures?", "picture?", "reports?"])
        #expect(
            try rows(of: "record.replay").allSatisfy { $0.split(separator: "`")[1].hasSuffix("?") })
    }
}
