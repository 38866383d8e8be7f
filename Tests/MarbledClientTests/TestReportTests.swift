// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import Testing

private let good = ScenarioOutcome(file: "a.yaml", title: "a start", passed: true)
private let bad = ScenarioOutcome(
    file: "b.yaml", title: "a <stage> & #more", passed: false,
    failures: ["round at 10: expected 2, got 3", "it's late"],
    picture: "tick=1ms  0 10\n\nround     1-2")

@Suite struct `A test report` {
    @Test func `is read from one scenario and from several`() {
        let one: JSONValue = [
            "scenario": "a", "passed": false, "picture": "p",
            "failures": [
                ["output": "round", "at": 10, "expected": 2, "actual": nil],
                ["message": "an effect was open"],
            ],
        ]
        let outcomes = ScenarioOutcome.outcomes(
            of: ["passed": false, "reports": [one, ["scenario": "b", "passed": true]]],
            file: "f.yaml", nanoseconds: 2_000_000_000)
        #expect(outcomes.map(\.title) == ["a", "b"])
        #expect(outcomes.map(\.passed) == [false, true])
        #expect(
            outcomes[0].failures
                == ["round at 10: expected 2, got nothing", "an effect was open"])
        #expect(outcomes[0].seconds == 1)
        #expect(
            ScenarioOutcome.outcomes(of: one, file: "f.yaml", nanoseconds: 0).map(\.title) == ["a"])
    }

    @Test func `says where a file cannot be read as a scenario`() {
        let error = RemoteError([
            "message": "14:23: stubs is a list", "data": ["suggestion": "stubs"],
        ])
        #expect(
            ScenarioOutcome.refused(error, file: "a.yaml").failures
                == ["a.yaml:14:23: stubs is a list; did you mean \"stubs\"?"])
        let said = RemoteError([
            "message": "no feature \"a\"; did you mean \"b\"?", "data": ["suggestion": "b"],
        ])
        #expect(
            ScenarioOutcome.refused(said, file: "a.yaml").failures
                == ["no feature \"a\"; did you mean \"b\"?"])
    }

    @Test func `shows people what failed and only that`() {
        #expect(TestReport.lines(good, Look()) == ["✓ a start  a.yaml"])
        #expect(
            TestReport.lines(bad, Look()) == [
                "✗ a <stage> & #more  b.yaml", "    round at 10: expected 2, got 3",
                "    it's late", "", "    tick=1ms  0 10", "", "    round     1-2", "",
            ])
        #expect(
            TestReport.summary([good, bad], nanoseconds: 34_000_000, Look())
                == "1 passed, 1 failed in 34ms")
        #expect(TestReport.summary([good], nanoseconds: 1_999_999, Look()) == "1 passed in 1ms")
    }

    @Test func `is TAP with its details in YAML`() {
        #expect(
            TestReport.tap([good, bad]) == [
                "TAP version 14", "1..2", "ok 1 - a start",
                "not ok 2 - a <stage> & \\#more", "  ---", "  file: 'b.yaml'", "  failures:",
                "    - 'round at 10: expected 2, got 3'", "    - 'it''s late'", "  picture: |2",
                "    tick=1ms  0 10", "", "    round     1-2", "  ...",
            ])
    }

    @Test func `cannot be steered by a title in TAP`() {
        #expect(TestReport.escapedForTAP("a # SKIP \\ b\nok 9") == "a \\# SKIP \\\\ b\\\\nok 9")
    }

    @Test func `is JUnit XML with a suite for each file`() {
        #expect(
            TestReport.junit([good, bad]) == [
                #"<?xml version="1.0" encoding="UTF-8"?>"#,
                #"<testsuites name="marbled" tests="2" failures="1" errors="0" time="0.000">"#,
                #"  <testsuite name="a.yaml" tests="1" failures="0" errors="0" time="0.000">"#,
                #"    <testcase name="a start" classname="a.yaml" time="0.000"/>"#,
                "  </testsuite>",
                #"  <testsuite name="b.yaml" tests="1" failures="1" errors="0" time="0.000">"#,
                #"    <testcase name="a &lt;stage&gt; &amp; #more" classname="b.yaml" time="0.000">"#,
                #"      <failure message="round at 10: expected 2, got 3">"#
                    + "round at 10: expected 2, got 3\nit's late\ntick=1ms  0 10\n\nround     1-2"
                    + "</failure>",
                "    </testcase>", "  </testsuite>", "</testsuites>",
            ])
    }

    @Test(arguments: [
        ("a\"b", "a&quot;b", "a\"b"), ("]]>", "]]&gt;", "]]&gt;"), ("a\nb", "a&#10;b", "a\nb"),
        ("\u{1B}[1m\u{0}", "\u{FFFD}[1m\u{FFFD}", "\u{FFFD}[1m\u{FFFD}"),
        ("日\t本", "日&#9;本", "日&#9;本"), ("\u{FFFF}", "\u{FFFD}", "\u{FFFD}"),
    ])
    func `escapes what XML cannot hold`(text: String, attribute: String, content: String) {
        #expect(TestReport.escapedForXML(text) == attribute)
        #expect(TestReport.escapedForXML(text, asText: true) == content)
    }
}
