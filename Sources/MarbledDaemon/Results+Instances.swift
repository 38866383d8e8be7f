// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// Instances, their clocks and their stubs.
extension Results {
    static let opened = Shape.object(
        "Opened",
        [
            "instance": instanceName, "now": .instant,
            "outputs": .map(.any).doc("The value of each state."),
        ])

    private static let instanceName = Shape.string.doc("The instance's name.")

    static let closed = Shape.object(
        "CloseReport",
        [
            "pendingTimers": .integer.doc("Items that still waited on its timeline."),
            "openEffects": .integer.doc("Effects that were not answered."),
            "unusedStubs": .list(.any).doc("Rules that answered nothing."),
        ])

    static let instances = Shape.object(
        "Instances",
        [
            "instances": .list(
                .object(
                    "InstanceHead",
                    [
                        "instance": instanceName, "feature": featureName, "clock": clockName,
                        "now": .instant, "state": life, "running": running,
                    ], optional: ["reason": failure])
            ).doc("The open instances.")
        ])

    private static let clockName = Shape.words(["real", "virtual"]).doc("What moves its time.")
    private static let life = Shape.words(["open", "failed"]).doc(
        "Failed: its plugin made a mistake, and it can only be looked at and closed.")
    private static let running = Shape.boolean.doc("Whether a run goes on.")
    private static let failure = Shape.string.doc("Why it failed.")
    static let step = Shape.integer.doc("The microstep within the instant.")

    static let instance = Shape.object(
        "InstanceReport",
        [
            "instance": instanceName, "feature": featureName, "clock": clockName,
            "now": .instant, "state": life, "running": running, "step": step,
            "seed": .integer.doc("The seed of its random draws."),
            "inputs": .list(.string).doc("The names of its inputs."),
            "outputs": .list(
                .object(
                    "OutputReport",
                    [
                        "name": .string.doc("The output's name."),
                        "kind": .words(["state", "event"]).doc("Whether it has a value to read."),
                        "subscribers": .integer.doc("Who listens."),
                    ], optional: ["value": .any.doc("A state's newest value."), "at": .instant])
            ).doc("Its outputs, states with their values."),
            "pending": .list(.object("PendingWork", ["at": .instant, "label": label])).doc(
                "The items that come next on its timeline."),
            "pendingCount": .integer.doc("How many wait in all."),
            "effects": .list(
                .object(
                    "OpenEffect",
                    [
                        "effect": effectName, "request": request,
                        "since": .instant.doc(
                            "When it was asked, in ns since the instance opened."),
                    ])
            ).doc("What it asked of the world and waits for."),
            "holds": .list(.string).doc("Why its clock may not move on."),
        ], optional: ["reason": failure])

    private static let label = Shape.string.doc("What the item is.")
    private static let effectName = Shape.string.doc("The effect's name.")
    private static let request = Shape.any.doc("What was asked.")

    static let sent = Shape.object(
        "Sent", ["now": .instant],
        optional: ["events": events.doc("With `collect`: what the value caused, in order.")])

    /// Entries of a record: `instance.record`, and `instance.send` that collects.
    private static let events = Shape.list(
        .object(
            "RecordedEvent",
            [
                "at": .instant, "step": step,
                "kind": .words(["input", "effect", "answer", "output", "jump", "cancel"]).doc(
                    "What happened."),
                "port": .string.doc("The input, output or effect."),
                "event": .string.doc("Such as next, error or completed."),
            ],
            optional: [
                "late": .integer.doc("How many ns later than asked for it came."),
                "cause": .integer.doc("Of an answer, the number of the entry that asked."),
                "more": .boolean.doc("Whether further answers follow."),
                "value": .any.doc("What was said."),
            ]))

    static let value = Shape.object(
        "StateValue",
        ["value": .any.doc("The newest value."), "at": .instant.doc("Since when, in ns.")])

    static let awaited = Shape.object(
        "Awaited",
        [
            "values": .list(
                .object("TimedValue", ["at": .instant, "value": .any.doc("What was said.")])
            ).doc("All that came, however it ended."),
            "ended": .words([
                "satisfied", "completed", "error", "timeout", "moreThanOne", "cancelled",
                "closed",
            ]).doc("Why the wait is over."),
        ],
        optional: [
            "error": .any.doc("The error that the output ended with."),
            "reason": .string.doc("Why it was closed."),
        ])

    static let record = Shape.object(
        "RecordPart",
        [
            "events": events.doc("The entries, in order."),
            "first": .integer.doc("The number of the first entry here."),
            "next": .integer.doc("The number that the next entry will have."),
        ])

    static let clock = Shape.object("ClockReading", ["now": .instant, "step": step])

    static let next = Shape.object(
        "NextItem",
        ["at": .either(.instant, .null).doc("When it is due; null where nothing waits.")],
        optional: ["label": label])

    static let progress = Shape.object(
        "Progress",
        [
            "now": .instant, "ran": .integer.doc("How many items ran."),
            "idle": .boolean.doc("Whether nothing waits any more."),
        ], optional: ["blockedBy": .list(.string).doc("Why the clock could not move on.")])

    static let stubs = Shape.object(
        "StubsSet", ["stubs": .integer.doc("How many rules are in place.")])
    static let released = Shape.object(
        "Released", ["released": .integer.doc("How many answers and partitions it were.")])

    static let calls = Shape.object(
        "StubCalls",
        [
            "calls": .list(
                .object(
                    "StubCall",
                    [
                        "effect": effectName, "request": request, "at": .instant,
                        "stub": .either(.integer, .null).doc(
                            "The number of the rule that answered; null where none did."),
                    ])
            ).doc("What was asked so far, in order.")
        ])
}
