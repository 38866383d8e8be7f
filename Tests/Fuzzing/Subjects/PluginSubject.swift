// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scenarios
internal import Scheduling

/// The plugin boundary: whatever a plugin does, the host stays, its record can be written and read, and what
/// was recorded runs again.
///
/// An input is what the client does, with its length in front, and what the plugin does.
enum PluginSubject {
    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        let client = FuzzInput(Array(input.take(1 + input.byte() % 64)))
        let plugin = ScriptedPlugin(orders: input)
        let record = try run(client, on: plugin)
        try require(plugin.copies == 0, "\(plugin.copies) copies are left")
        guard let record else { return }
        try RecordSubject.checkWritten(record.file)
        guard record.runsAgain else { return }
        try replay(record.file, with: ScriptedPlugin(orders: input))
    }

    private static func makeHost(_ plugin: ScriptedPlugin) throws(FuzzFinding) -> Host {
        var limits = HostLimits()
        limits.openEffects = 20
        limits.pendingWork = 100
        limits.waitingAnswers = 3
        let host = Host(limits: limits)
        do { host.add(try Plugin(PluginTable(plugin.pointer))) } catch {
            throw FuzzFinding("the host refuses the scripted plugin: \(error)")
        }
        return host
    }

    private static let stubs = [
        #"{"http":"*a.example*","reply":[{"json":[1],"after":20},{"never":true},{"release":"held"}]}"#,
        #"{"http":"*b.example*","reply":{"chunks":[{"body":"a"},{"body":"b","after":5}]}}"#,
        #"{"http":"*c.example*","reorder":{"window":2,"within":9},"reply":{"json":[2],"after":3}}"#,
        #"{"http":"*d.example*","reorder":2,"reply":[{"json":[3]},{"json":[4]}]}"#,
        #"{"other":true,"reply":{"value":1,"duplicate":2}}"#,
        #"{"store":{"get":"k"},"reply":{"fail":"refused","after":1}}"#,
    ].map { text in
        guard let rule = try? JSONValue(parsing: text) else { preconditionFailure(text) }
        return rule
    }

    private static func open(_ host: Host, _ seed: UInt64) throws(HostError) -> Instance {
        var request = Host.OpenRequest(feature: "script", isVirtual: true)
        request.seed = seed
        for rule in stubs {
            request.stubs.append(
                try Stub(rule, pointer: "/s") { (value, _) throws(HostError) in
                    (value.int ?? 0) * 1_000_000
                })
        }
        return try host.open(request)
    }

    // MARK: The client

    private struct Outcome {
        var file: RecordFile
        /// Whether what happened is a record's business alone: nothing was closed, refused or cut.
        var runsAgain: Bool
    }

    private static func run(
        _ client: FuzzInput, on plugin: ScriptedPlugin
    ) throws(FuzzFinding) -> Outcome? {
        var client = client
        let host = try makeHost(plugin)
        defer { host.closeAll() }
        guard let instance = try? open(host, UInt64(client.byte())) else {
            try require(host.instanceCount == 0, "an instance that did not open is there")
            return nil
        }
        var runsAgain = true
        while !client.rest.isEmpty, instance.life == .open {
            switch client.byte() % 5 {
            case 0, 1:
                let value = Array(
                    ["1", "null", "[ ]", "\"a\"", "{\"a\":1}"][client.byte() % 5].utf8)
                let at = client.byte() % 40
                let due = instance.clock.now.advanced(byNanoseconds: Int64(at) * 1_000_000)
                do throws(HostError) {
                    try instance.send(client.byte() % 2, copying: value, at: due) { _ in
                        runsAgain = false
                    }
                } catch { runsAgain = false }
            case 2, 3:
                let span = Int64(client.byte()) * 1_000_000
                let goal = Run.Goal.through(instance.clock.now.advanced(byNanoseconds: span))
                if (try? instance.drive(goal, limit: 200, completion: { _ in })) == nil {
                    runsAgain = false
                }
            default: _ = instance.release("held")
            }
        }
        let file = RecordFile(instance)
        return Outcome(
            file: file, runsAgain: runsAgain && instance.life == .open && !file.endsEarly)
    }

    private static func replay(
        _ file: RecordFile, with plugin: ScriptedPlugin
    ) throws(FuzzFinding) {
        let host = try makeHost(plugin)
        defer { host.closeAll() }
        let report: ReplayReport
        do { report = try Replay.run(file, on: host) } catch {
            throw FuzzFinding("the record does not run: \(error)\n\(file.text)")
        }
        try require(report.passed, "it ran differently: \(report.json)\n\(file.text)")
    }
}
