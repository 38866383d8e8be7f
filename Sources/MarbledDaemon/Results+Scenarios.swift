// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// Records and scenarios.
extension Results {
    static let recordText = Shape.object(
        "RecordText",
        [
            "record": .string.doc("The file's text."),
            "facts": .integer.doc("How many entries it holds."),
            "dropped": .integer.doc("How many are missing at its beginning."),
        ])

    static let replayed = Shape.either(
        .object(
            "ReplayReport",
            [
                "passed": .boolean.doc("Whether nothing differs."), "feature": featureName,
                "end": .instant.doc("Where the clock stood at the end, in ns."),
                "ran": .integer.doc("How many items ran."),
                "events": .integer.doc("What the outputs said."),
                "failures": .list(.string).doc("Each difference, in a sentence."),
                "notes": .list(.string).doc("What is worth knowing and no failure."),
                "picture": .string.doc("Both as marbles, where they differ."),
            ],
            optional: ["record": .string.doc("With mode `refresh`: the record as it is now.")]),
        nothing)

    static let scenarios = Shape.either(
        scenario,
        .object(
            "ScenarioReports",
            [
                "passed": .boolean.doc("Of several scenarios: whether all passed."),
                "reports": .list(scenario).doc("Of several scenarios: a report for each."),
            ]))

    private static let scenario = Shape.object(
        "ScenarioReport",
        [
            "scenario": .string.doc("The scenario's title."),
            "passed": .boolean.doc("Whether everything was as expected."),
            "outputs": .map(.list(.list(.any))).doc("What each output said: ticks and values."),
            "failures": .list(
                .object(
                    "ScenarioFailure", [:],
                    optional: [
                        "message": .string.doc("What is wrong, where it is no output's value."),
                        "output": .string.doc("The output."), "at": .any.doc("The tick."),
                        "expected": .any.doc("What was expected."),
                        "actual": .any.doc("What came."),
                    ])
            ).doc("What was not as expected."),
            "picture": .string.doc("The inputs and outputs as marbles."),
        ])
}
