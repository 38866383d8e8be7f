// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import Manual
import Testing

/// What a page's text becomes for the formatters.
@Suite("Manual pages") struct ManualPageTests {
    private func lines(_ write: (inout ManualPage) -> Void) -> [Substring] {
        var page = ManualPage("thing", section: 1, summary: "does things")
        let before = page.text.split(separator: "\n").count
        write(&page)
        return Array(page.text.split(separator: "\n").dropFirst(before))
    }

    @Test(arguments: [
        ("plain", "plain"), (".SH Name", "\\&.SH Name"), ("'tis", "\\(aqtis"),
        ("a\\b", "a\\eb"), ("--at 1", "\\-\\-at 1"), ("`get` it", "\\fBget\\fR it"),
        ("`.x` it", "\\fB.x\\fR it"), ("one ` alone", "one \\(ga alone"), ("…", "\\[u2026]"),
        ("\u{1F600}", "\\[u1F600]"), ("~^\"", "\\(ti\\(ha\\(dq"),
    ])
    func `prose holds nothing that a formatter obeys`(_ text: String, _ expected: String) {
        #expect(lines { $0.paragraph(text) } == [".PP", expected[...]])
    }

    @Test func `long prose is broken where there are blanks, and no line becomes an order`() {
        let words = Array(repeating: "word", count: 15).joined(separator: " ")
        #expect(
            lines { $0.paragraph("\(words) and .then") }
                == [".PP", "\(words) and"[...], "\\&.then"])
    }

    @Test func `what is indented is an example, and kept as it is`() {
        let text = "  first \\\n    second\n\nA line\nand its rest.\n\n  .third `x`"
        #expect(
            lines { $0.discussion(text) } == [
                ".PP", ".RS 4", ".EX", "first \\e", "  second", ".EE", ".RE",
                ".PP", "A line and its rest.",
                ".PP", ".RS 4", ".EX", "\\&.third \\(gax\\(ga", ".EE", ".RE",
            ])
    }

    @Test func `no paragraph begins behind a heading`() {
        let lines = lines {
            $0.heading("one")
            $0.paragraph("a")
            $0.paragraph("b")
            $0.subheading("two")
            $0.example(["c"])
        }
        #expect(
            lines == [
                ".SH ONE", "a", ".PP", "b", ".SS two", ".RS 4", ".EX", "c", ".EE", ".RE",
            ])
    }

    @Test func `a term without an explanation keeps its place`() {
        #expect(lines { $0.item([.literal("-x")], "") } == [".TP", "\\fB\\-x\\fR", "\\&"])
    }

    @Test func `a documentation page is taken over part by part`() {
        let page = """
            # Protocol

            First
            paragraph.

            @Comment {
                hidden
            }

            ## Kinds

            ```json
            {"a": 1}
            ```

            ### ping

            | name | type | |
            | --- | --- | --- |
            | `a?` | number | Its `a`. |

            | kind | meaning |
            | --- | --- |
            | `b` | B |
            """
        #expect(
            lines { $0.markdown(page) } == [
                ".SH DESCRIPTION", "First paragraph.",
                ".SH KINDS", ".RS 4", ".EX", "{\\(dqa\\(dq: 1}", ".EE", ".RE",
                ".SS ping", ".TP", "\\fBa?\\fR \\fInumber\\fR", "Its \\fBa\\fR.",
                ".TP", "\\fBb\\fR", "B",
            ])
    }
}

/// What a command line's description becomes.
@Suite("The manual of a command") struct CommandManualTests {
    private func manual() throws -> CommandManual {
        let dump = try JSONValue(
            parsing: """
                {"command": {"commandName": "tool", "abstract": "Does.", "subcommands": [
                  {"commandName": "put", "abstract": "Puts.", "discussion": "  tool put a",
                   "shouldDisplay": true, "arguments": [
                    {"kind": "positional", "valueName": "place", "shouldDisplay": true,
                     "isOptional": false, "isRepeating": true, "abstract": "Where."},
                    {"kind": "option", "valueName": "n", "shouldDisplay": true, "isOptional": true,
                     "names": [{"kind": "long", "name": "count"}, {"kind": "short", "name": "c"}],
                     "abstract": "How many.", "defaultValue": "3"},
                    {"kind": "flag", "shouldDisplay": true, "isOptional": true,
                     "names": [{"kind": "long", "name": "all"}], "sectionTitle": "Anywhere"},
                    {"kind": "flag", "shouldDisplay": false, "isOptional": true,
                     "names": [{"kind": "long", "name": "secret"}]},
                    {"kind": "flag", "shouldDisplay": true, "isOptional": true,
                     "names": [{"kind": "short", "name": "h"}, {"kind": "long", "name": "help"}]}]},
                  {"commandName": "deep", "subcommands": [{"commandName": "er"}]},
                  {"commandName": "hidden", "shouldDisplay": false},
                  {"commandName": "help"}]}}
                """)
        return try #require(CommandManual(dump: dump))
    }

    @Test func `what is hidden and what every command has is left out`() throws {
        let manual = try manual()
        #expect(manual.leaves.map { $0.words.joined(separator: " ") } == ["put", "deep er"])
        let put = manual.leaves[0].command
        #expect(put.own.map(\.names) == [[], ["-c", "--count"]])
        #expect(put.arguments.map(\.group) == [nil, nil, "Anywhere"])
    }

    @Test func `a command is printed whole`() throws {
        var page = ManualPage("tool", section: 1, summary: "does")
        page.heading("verbs")
        let (words, put) = try manual().leaves[0]
        page.command(["tool"] + words, put)
        let text = try #require(page.text.split(separator: ".SH VERBS\n").last)
        #expect(
            text == """
                .SS put
                \\fBtool put\\fR \\fIplace\\fR... [\\fB\\-\\-count\\fR \\fIn\\fR]
                .PP
                Puts.
                .TP
                \\fIplace\\fR
                Where.
                .TP
                \\fB\\-c\\fR, \\fB\\-\\-count\\fR \\fIn\\fR
                How many. (default: 3)
                .PP
                .RS 4
                .EX
                tool put a
                .EE
                .RE

                """)
    }

    @Test(arguments: ["{}", "[]", "{\"command\": 3}"])
    func `what is no description is none`(_ text: String) throws {
        #expect(CommandManual(dump: try JSONValue(parsing: text)) == nil)
    }
}
