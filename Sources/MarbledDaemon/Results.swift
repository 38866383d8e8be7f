// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// The shapes of what methods answer, in the order of `Methods.all`. A test holds every answer of the
/// wire scripts against them.
enum Results {
    static let nothing = Shape.object("Nothing", [:])

    static let hello = Shape.object(
        "Hello",
        [
            "name": .string, "version": .string, "protocol": .integer,
            "capabilities": .list(.string), "limits": .map(.integer), "schema": .string,
            "effects": .list(
                .object(
                    "EffectDescription",
                    ["name": .string, "doc": .string, "request": .any, "answer": .any])),
        ])

    static let status = Shape.object(
        "Status",
        [
            "version": .string, "pid": .integer, "uptime": .integer, "memory": .integer,
            "instances": .integer, "connections": .integer, "subscriptions": .integer,
            "plugins": .integer, "store": store,
            "counters": .object("Counters", ["accepted": .integer, "refused": .integer]),
        ])

    private static let store = Shape.object(
        "StoreStatus", ["kind": .words(["memory", "file"])],
        optional: ["file": .string, "waiting": .integer, "problem": .string])

    static let document = Shape.map(.any)

    static let plugins = Shape.object(
        "Plugins",
        [
            "plugins": .list(
                .object(
                    "Plugin",
                    [
                        "id": .string, "version": .string, "loaded": .boolean,
                        "features": .list(.string),
                    ], optional: ["library": .string])),
            "refusals": .list(.object("Refusal", ["file": .string, "reason": .string])),
        ])

    static let features = Shape.object(
        "Features",
        [
            "features": .list(
                .object(
                    "Feature",
                    ["name": .string, "doc": .string, "plugin": .string, "version": .string]))
        ])

    static let feature = Shape.object(
        "FeatureDescription",
        [
            "name": .string, "doc": .string, "plugin": .string, "version": .string,
            "inputs": .list(.map(.any)), "outputs": .list(.map(.any)), "options": .any,
            "effects": .any,
        ])

    static let opened = Shape.object(
        "Opened", ["instance": .string, "now": .instant, "outputs": .map(.any)])

    static let closed = Shape.object(
        "CloseReport",
        ["pendingTimers": .integer, "openEffects": .integer, "unusedStubs": .list(.any)])

    static let instances = Shape.object(
        "Instances",
        [
            "instances": .list(
                .object(
                    "InstanceHead",
                    [
                        "instance": .string, "feature": .string, "clock": clockName,
                        "now": .instant, "state": life, "running": .boolean,
                    ], optional: ["reason": .string]))
        ])

    private static let clockName = Shape.words(["real", "virtual"])
    private static let life = Shape.words(["open", "failed"])

    static let instance = Shape.object(
        "InstanceReport",
        [
            "instance": .string, "feature": .string, "clock": clockName, "now": .instant,
            "state": life, "running": .boolean, "step": .integer, "seed": .integer,
            "inputs": .list(.string),
            "outputs": .list(
                .object(
                    "OutputReport",
                    [
                        "name": .string, "kind": .words(["state", "event"]),
                        "subscribers": .integer,
                    ], optional: ["value": .any, "at": .instant])),
            "pending": .list(.object("PendingWork", ["at": .instant, "label": .string])),
            "pendingCount": .integer,
            "effects": .list(
                .object("OpenEffect", ["effect": .string, "request": .any, "since": .instant])),
            "holds": .list(.string),
        ], optional: ["reason": .string])

    static let sent = Shape.object("Sent", ["now": .instant], optional: ["events": events])

    /// Entries of a record: `instance.record`, and `instance.send` that collects.
    private static let events = Shape.list(
        .object(
            "RecordedEvent",
            [
                "at": .instant, "step": .integer,
                "kind": .words(["input", "effect", "answer", "output", "jump", "cancel"]),
                "port": .string,
                "event": .string,
            ], optional: ["late": .integer, "cause": .integer, "more": .boolean, "value": .any]))

    static let value = Shape.object("StateValue", ["value": .any, "at": .instant])

    static let awaited = Shape.object(
        "Awaited",
        [
            "values": .list(.object("TimedValue", ["at": .instant, "value": .any])),
            "ended": .words([
                "satisfied", "completed", "error", "timeout", "moreThanOne", "closed",
            ]),
        ], optional: ["error": .any, "reason": .string])

    static let record = Shape.object(
        "RecordPart", ["events": events, "first": .integer, "next": .integer])

    static let subscribed = Shape.object(
        "Subscribed", ["subscription": .string, "cursor": .string], optional: ["reset": .boolean])

    static let clock = Shape.object("ClockReading", ["now": .instant, "step": .integer])

    static let next = Shape.object(
        "NextItem", ["at": .either(.instant, .null)], optional: ["label": .string])

    static let progress = Shape.object(
        "Progress", ["now": .instant, "ran": .integer, "idle": .boolean],
        optional: ["blockedBy": .list(.string)])

    static let stubs = Shape.object("StubsSet", ["stubs": .integer])
    static let released = Shape.object("Released", ["released": .integer])

    static let calls = Shape.object(
        "StubCalls",
        [
            "calls": .list(
                .object(
                    "StubCall",
                    [
                        "effect": .string, "request": .any, "at": .instant,
                        "stub": .either(.integer, .null),
                    ]))
        ])

    static let recordText = Shape.object(
        "RecordText", ["record": .string, "facts": .integer, "dropped": .integer])

    static let replayed = Shape.either(
        .object(
            "ReplayReport",
            [
                "passed": .boolean, "feature": .string, "end": .instant, "ran": .integer,
                "events": .integer, "failures": .list(.string), "notes": .list(.string),
                "picture": .string,
            ], optional: ["record": .string]), nothing)

    static let scenarios = Shape.either(
        scenario,
        .object("ScenarioReports", ["passed": .boolean, "reports": .list(scenario)]))

    private static let scenario = Shape.object(
        "ScenarioReport",
        [
            "scenario": .string, "passed": .boolean, "outputs": .map(.list(.list(.any))),
            "failures": .list(
                .object(
                    "ScenarioFailure", [:],
                    optional: [
                        "message": .string, "output": .string, "at": .any, "expected": .any,
                        "actual": .any,
                    ])), "picture": .string,
        ])

    /// What the daemon says without being asked.
    static var notifications: [(method: String, doc: String, params: Shape)] {
        [
            (
                "stream.event", "An output said something.",
                .object(
                    "StreamEvent",
                    [
                        "subscription": .string, "cursor": .string, "at": .instant,
                        "output": .string, "event": .words(["next", "error", "completed"]),
                    ], optional: ["value": .any])
            ),
            (
                "stream.gap", "Events were lost, because this subscriber was too slow.",
                .object(
                    "StreamGap",
                    [
                        "subscription": .string, "from": .string, "to": .string,
                        "count": .integer,
                    ])
            ),
            (
                "stream.closed", "A subscription ended, and why.",
                .object("StreamClosed", ["subscription": .string, "reason": .string])
            ),
            (
                "daemon.refused", "The daemon takes no more connections, and closes this one.",
                .object("Refused", ["reason": .string])
            ),
        ]
    }
}
