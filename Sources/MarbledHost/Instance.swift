// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
internal import Scheduling

/// A running copy of a feature: its timeline, its ports, its record, its effects.
///
/// Opened and closed by the `Host`; loop-confined. A mistake of its plugin ends the instance with a reason
/// that clients can read, and nothing else.
package final class Instance {
    /// Where an instance stands.
    package enum Life: Equatable {
        /// At work. Can move to `failed` or `closed`.
        case open
        /// Its plugin made a mistake; it is kept so that the reason can be read. Can move to `closed`.
        case failed(String)
        /// Gone.
        case closed
    }

    /// The name clients know it by.
    package let name: String
    /// The same in UTF-8.
    let nameBytes: [UInt8]
    package let feature: FeatureDescription
    package let pluginID: String
    package let pluginVersion: String
    /// What it was opened with.
    package let options: JSONValue
    /// What it was opened with, as it may be shown.
    package var shownOptions: JSONValue { host.redaction.redact(options: options) }
    package let clock: InstanceClock
    /// The seed of its random draws.
    package let seed: UInt64
    // Safety: unchecked exclusivity, here and below. Each is read or written in one go and never held
    // while other code runs; the checks would cost as much as the rest of an event.
    @exclusivity(unchecked) package internal(set) var life = Life.open
    @exclusivity(unchecked) package internal(set) var record: Record
    let stubDesk: StubDesk
    /// The run that is being carried on slice by slice, if there is one.
    var activeRun: ActiveRun?
    /// What waits for the run to end, in order. Its bound is that of the calls its clients have in flight.
    var waiting = Queue<() -> Void>()
    var isRunningWaiting = false
    /// Bytes of values that wait on the timeline; at most `HostLimits.pendingBytes`.
    var pendingBytes = 0

    unowned let host: Host
    /// The build that it runs, which may have been followed by another.
    package let build: Plugin
    let table: PluginTable
    var providers: [String: any EffectProvider]
    /// What answers its effects before anybody else, if it runs by a script.
    let script: (any EffectScript)?
    /// Told when a provider answered: a virtual clock that stood still may go on.
    package var worldHasAnswered: (() -> Void)?
    /// Told once, when it is closed: for whoever keeps it.
    package var whenClosed: (() -> Void)?
    /// The plugin's own pointer, nil before `create` returned and after `destroy`.
    @exclusivity(unchecked) private(set) var plugin: UnsafeMutableRawPointer?
    private var handle: UnsafeMutablePointer<InstanceHandle>?
    /// How deep in calls to the plugin we are: it is destroyed only from outside.
    @exclusivity(unchecked) private var depth = 0
    @exclusivity(unchecked) var outputs: [OutputState]
    var effects: [UInt64: OpenEffect] = [:]
    var nextEffect: UInt64 = 1
    package internal(set) var effectNames: [String]
    /// Its place in the order of opening; no other instance of the host ever has it.
    package let order: Int

    init(
        name: String, order: Int, plugin: Plugin, table: PluginTable, feature: FeatureDescription,
        clock: InstanceClock, request: Host.OpenRequest, seed: UInt64,
        providers: [String: any EffectProvider], host: Host
    ) {
        self.name = name
        nameBytes = Array(name.utf8)
        self.order = order
        self.feature = feature
        build = plugin
        pluginID = plugin.manifest.id
        pluginVersion = plugin.manifest.version
        options = request.options
        script = request.script
        self.clock = clock
        self.seed = seed
        stubDesk = StubDesk(seed: seed, on: clock.scheduler)
        self.table = table
        self.providers = providers
        self.host = host
        record = Record(maxEntries: host.limits.recordEntries, maxBytes: host.limits.recordBytes)
        outputs = feature.outputs.map { OutputState(isState: $0.kind == .state) }
        effectNames = feature.effects
        stubDesk.answer = { [unowned self] in stubsAnswer($0, $1, from: $2) }
        stubDesk.askWorld = { [unowned self] in askProvider($0, $1, $2) }
    }

    // MARK: Life

    /// Starts the feature; its first states are emitted from inside.
    func start(handle: UnsafeMutablePointer<InstanceHandle>) throws(HostError) {
        self.handle = handle
        if case .real(let scheduler) = clock {
            scheduler.onJump = { [unowned self] now, head in noteJump(to: now, over: head) }
        }
        let options = Array(options.text.utf8)
        let created = atOneInstant {
            enterPlugin {
                table.create(OpaquePointer(handle), feature: feature.name, options: options)
            }
        }
        if case .success(let plugin) = created { self.plugin = plugin }
        if case .failed(let reason) = life {
            settle()
            throw .pluginRefused("\(feature.name) failed while it was opened: \(reason)")
        }
        if case .failure(let error) = created {
            life = .closed
            dismantle()
            throw error
        }
    }

    /// A feature begins at zero, also where the clock goes on meanwhile.
    private func atOneInstant<Result>(_ body: () -> Result) -> Result {
        guard case .real(let scheduler) = clock else { return body() }
        var result: Result?
        scheduler.runNow { result = body() }
        guard let result else { preconditionFailure("a pass left its work out") }
        return result
    }

    /// Ends the instance and says what was left. From inside a call to the plugin its copy is destroyed
    /// when that call returns.
    func close() -> CloseReport {
        let report = CloseReport(
            pendingTimers: clock.pendingCount, openEffects: effects.count,
            unusedStubs: stubs.unused.map(\.source))
        life = .closed
        tellSubscribers("the instance was closed")
        whenClosed.take()?()
        if depth == 0 { dismantle() }
        return report
    }

    /// Ends the instance for a mistake of its plugin.
    package func fail(_ reason: String) {
        guard isOpen else { return }
        life = .failed(reason)
        host.log(.error, "instance \(name) of \(pluginID) ended: \(reason)")
        settle()
    }

    /// Whether it is at work.
    var isOpen: Bool { if case .open = life { true } else { false } }

    /// Whether this is called from inside a call to the plugin.
    var isInsidePlugin: Bool { depth > 0 }

    /// Throws the reason when the instance is not at work.
    package func requireOpen() throws(HostError) {
        switch life {
        case .open: return
        case .failed(let reason): throw .pluginFailed(instance: name, reason: reason)
        case .closed: throw .closed("instance \"\(name)\" was closed")
        }
    }

    /// Runs a call into the plugin and, once outside again, carries out an end that it caused.
    @inline(__always)
    func callPlugin<Result>(_ body: () -> Result) -> Result {
        let result = enterPlugin(body)
        if !isOpen { settle() }
        return result
    }

    /// Runs a call into the plugin, and tells the log when it took long.
    @inline(__always)
    private func enterPlugin<Result>(_ body: () -> Result) -> Result {
        depth += 1
        let watch = host.callbackWatch
        let begin = watch.now()
        let result = body()
        let spent = watch.now() &- begin
        if spent > watch.limit { host.log(.warning, watch.sentence(self, spent)) }
        depth -= 1
        return result
    }

    /// Takes an instance that is over apart, once its plugin is left.
    @inline(never)
    private func settle() {
        guard depth == 0, handle != nil else { return }
        switch life {
        case .open: return
        case .failed(let reason): tellSubscribers(reason)
        case .closed: break
        }
        dismantle()
    }

    /// The real clock jumped over work that was too late; without this the record could not run again.
    private func noteJump(to now: Instant, over head: Instant) {
        let head = Array(String(head.nanoseconds).utf8)
        head.withUnsafeBytes { value in
            _ = record.append(
                at: now.nanoseconds, step: 0, kind: .jump, port: 0, event: .next, value: value)
        }
    }

    private func dismantle() {
        for effect in effects.sorted(by: { $0.key < $1.key }) { effect.value.giveUp() }
        effects = [:]
        clock.close()
        if let plugin = plugin.take() { enterPlugin { table.destroy(plugin) } }
        if let handle = handle.take() { host.handles.giveBack(handle) }
    }

    private func tellSubscribers(_ reason: String) {
        for output in outputs.indices {
            // Taken first: who is told may take itself off the list.
            let subscribers = exchange(&outputs[output].subscribers, with: OutputSubscribers())
            for case let subscriber? in subscribers.places {
                subscriber.instanceEnded(self, reason: reason)
            }
        }
    }
}

/// What was left when an instance was closed.
package struct CloseReport {
    package var pendingTimers: Int
    package var openEffects: Int
    package var unusedStubs: [JSONValue]
}
