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
                    [
                        "name": .string.doc("The effect's name."),
                        "doc": .string.doc("What it does, in a sentence."),
                        "request": .any.doc("The JSON Schema of what is asked."),
                        "answer": .any.doc("The JSON Schema of what is answered."),
                    ])
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
                    "accepted": .integer.doc("Connections that came."),
                    "refused": .integer.doc("Those of them that were turned away."),
                    "denied": .integer.doc("Those whose user may do nothing."),
                    "cancelled": .integer.doc("Calls that were taken back."),
                    "lostEvents": .integer.doc("Events that slow subscribers lost."),
                ]
            ).doc("What happened since the start."),
            "limits": .map(.integer).doc(
                "How often each limit struck, by its name; those that never did are left out."),
        ])

    static let levels = Shape.words(AccessLevel.allCases.map(\.rawValue))

    private static let store = Shape.object(
        "StoreStatus", ["kind": .words(["memory", "file"]).doc("Where it is.")],
        optional: [
            "file": .string.doc("The file's path."),
            "waiting": .integer.doc("Requests that are not carried out yet."),
            "problem": .string.doc("What keeps it from storing, if anything does."),
        ])

    /// An OpenRPC document, whose shape its own specification tells.
    static let document = Shape.map(.any)

    static let clients = Shape.object(
        "Clients",
        [
            "clients": .list(
                .object(
                    "Client",
                    [
                        "client": .integer.doc("The number that it has in the log."),
                        "pid": .integer.doc("Its process."), "uid": .integer.doc("Its user."),
                        "gid": .integer.doc("Its group."), "level": levels.doc("What it may do."),
                        "age": .integer.doc("For how long it is connected, in ns."),
                        "subscriptions": .integer.doc("Its subscriptions."),
                        "callsInFlight": .integer.doc("Its calls that wait for their answers."),
                        "unsentBytes": .integer.doc("Bytes that it has not taken yet."),
                        "lostEvents": .integer.doc("Events that it lost by being slow."),
                    ], optional: ["self": .boolean.doc("True for the caller.")])
            ).doc("Who is connected, the oldest connection first.")
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
            "plugins": .list(plugin).doc("Plugins that are known."),
            "refusals": .list(
                .object(
                    "Refusal",
                    [
                        "file": .string.doc("The manifest."),
                        "reason": .string.doc("What is wrong with it."),
                    ])
            ).doc("Manifests that were refused."),
            "retired": .list(.string).doc("The ids of plugins that were retired."),
        ])

    private static let library = Shape.string.doc("The file of its code.")

    static let plugin = Shape.object("Plugin", pluginMembers, optional: ["library": library])

    static let reloadedPlugin = Shape.object(
        "ReloadedPlugin", pluginMembers,
        optional: [
            "library": library, "changed": .boolean.doc("Whether it is another build."),
        ])

    private static var pluginMembers: KeyValuePairs<String, Shape> {
        [
            "id": .string.doc("The plugin's id."), "version": .string.doc("Its version."),
            "loaded": .boolean.doc("Whether its code is mapped."),
            "features": .list(.string).doc("The names of its features."),
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
                    [
                        "name": featureName, "doc": featureDoc, "plugin": pluginID,
                        "version": pluginVersion,
                    ])
            ).doc("What instance.open takes.")
        ])

    static let featureName = Shape.string.doc("The feature's name.")
    private static let featureDoc = Shape.string.doc("What it is, in a sentence.")
    private static let pluginID = Shape.string.doc("The plugin that offers it.")
    private static let pluginVersion = Shape.string.doc("That plugin's version.")

    static let feature = Shape.object(
        "FeatureDescription",
        [
            "name": featureName, "doc": featureDoc, "plugin": pluginID, "version": pluginVersion,
            "inputs": .list(.map(.any)).doc("Its inputs: name, sentence, JSON Schema."),
            "outputs": .list(.map(.any)).doc("Its outputs: name, kind, sentence, JSON Schema."),
            "options": .any.doc("The JSON Schema of its options, and their defaults."),
            "effects": .any.doc("What it asks of the world."),
        ])
}
