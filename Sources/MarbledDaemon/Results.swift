// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// The shapes of what methods answer, in the order of `Methods.all`. A test holds every answer of the
/// wire scripts against them.
enum Results {
    static let nothing = Shape.object("Nothing", [:])

    static let hello = Shape.object(
        "Hello",
        [
            "name": .string.doc("The word marbled."),
            "version": .string.doc("The daemon's version."),
            "protocol": .integer.doc("The protocol's version."),
            "level": levels.doc("What the caller may do."),
            "capabilities": .list(.string).doc(
                "What the protocol can do beyond its first version."),
            "limits": .map(.integer).doc("Every limit by its name."),
            "schema": .string.doc("Changes when any method's declaration does."),
            "effects": .list(
                .object(
                    "EffectDescription",
                    ["name": .string, "doc": .string, "request": .any, "answer": .any])
            ).doc("What the host carries out for features."),
        ])

    static let status = Shape.object(
        "Status",
        [
            "version": .string.doc("The daemon's version."), "pid": .integer.doc("Its process."),
            "uptime": .integer.doc("Since when it runs, in ns."),
            "memory": .integer.doc("Bytes it keeps in the machine."),
            "instances": .integer.doc("Open instances."),
            "connections": .integer.doc("Connected clients."),
            "subscriptions": .integer.doc("Their subscriptions."),
            "plugins": .integer.doc("Plugins that are known."),
            "store": store.doc("Where what plugins store is kept."),
            "counters": .object(
                "Counters",
                [
                    "accepted": .integer, "refused": .integer, "denied": .integer,
                    "cancelled": .integer, "lostEvents": .integer,
                ]
            ).doc("What happened since the start."),
            "limits": .map(.integer).doc(
                "How often each limit struck, by its name; those that never did are left out."),
        ])

    private static let levels = Shape.words(AccessLevel.allCases.map(\.rawValue))

    private static let store = Shape.object(
        "StoreStatus", ["kind": .words(["memory", "file"])],
        optional: ["file": .string, "waiting": .integer, "problem": .string])

    /// An OpenRPC document, whose shape its own specification tells.
    static let document = Shape.map(.any)

    static let clients = Shape.object(
        "Clients",
        [
            "clients": .list(
                .object(
                    "Client",
                    [
                        "client": .integer, "pid": .integer, "uid": .integer, "gid": .integer,
                        "level": levels,
                        "age": .integer.doc("For how long it is connected, in ns."),
                        "subscriptions": .integer, "callsInFlight": .integer,
                        "unsentBytes": .integer, "lostEvents": .integer,
                    ], optional: ["self": .boolean.doc("True for the caller.")]))
        ])

    static let logLevel = Shape.object(
        "LogLevel", ["before": .string.doc("The level until now.")])

    static let reloaded = Shape.object(
        "Reloaded",
        [
            "changed": .list(.string).doc(
                "Settings that hold from now on: access, clock, log, plugins."),
            "needRestart": .list(.string).doc(
                "Settings that changed and wait for the next start."),
            "features": .integer.doc("Features that can be opened."),
            "refusals": .integer.doc("Manifests that were refused."),
        ])

    static let cancelled = Shape.object(
        "Cancelled", ["cancelled": .boolean.doc("Whether such a call waited.")])

    static let plugins = Shape.object(
        "Plugins",
        [
            "plugins": .list(plugin),
            "refusals": .list(.object("Refusal", ["file": .string, "reason": .string])),
            "retired": .list(.string).doc("The ids of plugins that were retired."),
        ])

    static let plugin = Shape.object("Plugin", pluginMembers, optional: ["library": .string])

    static let reloadedPlugin = Shape.object(
        "ReloadedPlugin", pluginMembers,
        optional: [
            "library": .string, "changed": .boolean.doc("Whether it is another build."),
        ])

    private static var pluginMembers: KeyValuePairs<String, Shape> {
        [
            "id": .string, "version": .string,
            "loaded": .boolean.doc("Whether its code is mapped."),
            "features": .list(.string),
            "instances": .integer.doc("Instances that run this build."),
            "onOlderBuilds": .integer.doc("Instances that run builds before it."),
        ]
    }

    static let retiredPlugin = Shape.object(
        "RetiredPlugin",
        ["plugin": .string.doc("Its id."), "instances": .integer.doc("Instances that go on.")])

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
                "satisfied", "completed", "error", "timeout", "moreThanOne", "cancelled",
                "closed",
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
                "stream.bookmark", "Nothing came for a while, and this is where the stream stands.",
                .object("StreamBookmark", ["subscription": .string, "cursor": .string])
            ),
            (
                "stream.closed", "A subscription ended, and why.",
                .object("StreamClosed", ["subscription": .string, "reason": .string])
            ),
        ]
    }
}
