// SPDX-License-Identifier: Apache-2.0

import MarbledClient
import Testing

@Suite struct `A plain command line` {
    @Test func `is words, and options that every verb has`() throws {
        let line = try #require(
            PlainLine(["-o", "json", "get", "--socket", "/s", "i1", "--timeout", "1s", "round"]))
        #expect(line.words == ["get", "i1", "round"])
        #expect(line.output == .json)
        #expect(line.socket == "/s")
        #expect(line.timeout == "1s")
    }

    @Test func `has negative numbers and the dash of the standard input among its words`() {
        #expect(PlainLine(["send", "i1", "x", "-5"])?.words == ["send", "i1", "x", "-5"])
        #expect(PlainLine(["call", "x", "-"])?.words == ["call", "x", "-"])
        #expect(PlainLine([])?.words == [])
    }

    @Test(arguments: [
        ["ping", "--help"], ["--version"], ["ping", "-o"], ["ping", "-o", "xml"],
        ["ping", "-ojson"], ["ping", "--output=json"], ["--spawn", "ping"], ["ping", "--", "x"],
        ["ping", "--socket", "a", "--socket", "b"], ["ping", "--socket", "--spawn"],
        ["send", "i1", "x", "-h"],
    ])
    func `is nothing else`(line: [String]) {
        #expect(PlainLine(line) == nil)
    }
}
