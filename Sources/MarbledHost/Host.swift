// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
package import Scheduling

/// How serious a line for the log is.
package enum HostLogLevel: Int, Sendable {
    case debug
    case info
    case warning
    case error
}

/// Plugins and the instances of their features. Names no socket and no kernel object.
///
/// Loop-confined. The daemon gives it a clock, a maker of real timelines and a log; a test gives it
/// numbers. Whoever owns it calls `resumeRuns()` as long as `hasRunningInstances`, and `closeAll()`
/// before it lets go.
package final class Host {
    /// What a host needs of its surroundings.
    package struct Surroundings {
        /// Monotonic nanoseconds, for the length of slices.
        package var clock: () -> Int64
        /// Makes the timeline of an instance in real time, or nil where there is none.
        package var makeRealScheduler: (() -> RealTimeScheduler)?
        /// Takes a line for the log.
        package var log: (HostLogLevel, String) -> Void
        /// Runs work on the loop; called from any thread.
        package var post: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
        /// Draws the seed of an instance in real time.
        package var makeSeed: () -> UInt64
        /// What of HTTP is not shown.
        package var redaction: Redaction

        package init(
            clock: @escaping () -> Int64 = { 0 },
            makeRealScheduler: (() -> RealTimeScheduler)? = nil,
            log: @escaping (HostLogLevel, String) -> Void = { _, _ in },
            post: (@Sendable (@escaping @Sendable () -> Void) -> Bool)? = nil,
            makeSeed: @escaping () -> UInt64 = { 0 }, redaction: Redaction = Redaction()
        ) {
            self.clock = clock
            self.makeRealScheduler = makeRealScheduler
            self.log = log
            self.post = post
            self.makeSeed = makeSeed
            self.redaction = redaction
        }
    }

    package let limits: HostLimits
    /// How often a bound struck, by the name of the limit.
    package private(set) var strikes: [String: Int] = [:]
    package private(set) var plugins: [Plugin] = []
    /// Plugins that were retired, so that who asks for them can be told.
    package private(set) var retired: [Plugin] = []
    /// Called when the first run is left unfinished: somebody must call `resumeRuns()`.
    package var runsNeedTurns: () -> Void = {}

    let handles: HandlePool
    let callbackWatch: CallbackWatch
    private let surroundings: Surroundings
    private let validator = JSONValidator()
    // Safety: unchecked exclusivity. Looked at and changed in one go; hashing a name runs no other code.
    @exclusivity(unchecked) private var instances = InstanceTable()
    private var nextNumber = 1
    /// How many instances were ever begun.
    private var opened = 0
    /// Closed from inside their own plugin's call, and kept until that has returned.
    private var leaving: [Instance] = []
    private var running: [Instance] = []
    /// Work of many runs, to be carried on in another turn.
    private var putOffWork: [() -> Void] = []
    /// The live effects of instances in real time, by name; virtual ones have none of the network.
    private var liveProviders: [String: any EffectProvider] = [:]
    /// What custom effects ask and answer, by name.
    private var described: [String: EffectDescription] = [:]
    private var memoryStores: [String: MemoryStore] = [:]

    package init(_ surroundings: Surroundings = Surroundings(), limits: HostLimits = HostLimits()) {
        self.surroundings = surroundings
        self.limits = limits
        handles = HandlePool(limit: limits.restingHandles)
        callbackWatch = CallbackWatch(limit: limits.callbackNanoseconds)
    }

    /// What of HTTP is not shown to people.
    package var redaction: Redaction { surroundings.redaction }

    func clock() -> Int64 { surroundings.clock() }

    /// Counts that a bound struck.
    func strike(_ limit: String) { strikes[limit, default: 0] += 1 }

    func log(_ level: HostLogLevel, _ line: String) { surroundings.log(level, line) }

    /// Whether a plugin said JSON.
    func isJSON(_ text: UnsafeRawBufferPointer) -> Bool { validator.validate(text) == nil }

    /// What a plugin said, or nil where it is not JSON.
    func parse(_ text: UnsafeRawBufferPointer) -> JSONValue? {
        // Spelled out: a bare nil would be JSON's null here.
        guard isJSON(text) else { return Optional<JSONValue>.none }
        return JSONValue(RawJSON(validated: text))
    }

    // MARK: Plugins

    /// Makes a plugin known; one of the same id is replaced for what is opened from now on.
    package func add(_ plugin: Plugin) {
        plugins.removeAll { $0.manifest.id == plugin.manifest.id }
        retired.removeAll { $0.manifest.id == plugin.manifest.id }
        plugins.append(plugin)
    }

    /// Takes a plugin out of what can be opened; its instances go on. False where none has that id.
    package func retire(_ id: String) -> Bool {
        guard let index = plugins.firstIndex(where: { $0.manifest.id == id }) else { return false }
        retired.append(plugins.remove(at: index))
        return true
    }

    /// Carries an effect out for real, for instances in real time.
    package func register(_ provider: any EffectProvider, for effect: String) {
        liveProviders[effect] = provider
    }

    /// Makes a custom effect known by a name of its own; one of the same name is replaced for what is opened
    /// and asked from now on.
    ///
    /// A request that does not fit `schema` fails with `badRequest` and reaches nobody; an answer that does not
    /// fit `answerSchema` fails with `badAnswer`, and whoever gave it is told that nobody waits any more.
    ///
    /// - Parameters:
    ///   - schema: the JSON Schema of a request.
    ///   - answerSchema: the JSON Schema of an answer, or of each of several.
    ///   - provider: who answers instances in real time; nil where only stubs do.
    /// - Throws: a sentence, for a schema that cannot be read and a name that is taken.
    package func register(
        effect name: String, doc: String = "", schema: JSONValue, answerSchema: JSONValue,
        provider: (any EffectProvider)?
    ) throws(ManifestError) {
        described[name] = try EffectDescription(
            name: name, doc: doc, request: schema, answer: answerSchema)
        liveProviders[name] = provider
    }

    /// The custom effects, in the order of their names.
    package var effects: [EffectDescription] {
        described.values.sorted { $0.name < $1.name }
    }

    /// The custom effect of a name.
    package func effect(_ name: String) -> EffectDescription? { described[name] }

    /// Every feature that can be opened, with its plugin, in the order of their names.
    package var features: [(plugin: Plugin, feature: FeatureDescription)] {
        plugins.flatMap { plugin in plugin.manifest.features.map { (plugin, $0) } }
            .sorted { $0.1.name < $1.1.name }
    }

    /// The feature of a name and its plugin; of two plugins that offer it, the one added first.
    package func feature(
        _ name: String
    ) throws(HostError) -> (plugin: Plugin, feature: FeatureDescription) {
        for plugin in plugins {
            if let feature = plugin.manifest.features.first(where: { $0.name == name }) {
                return (plugin, feature)
            }
        }
        if let plugin = retired.first(where: { $0.offers(name) }) {
            throw .retired("no plugin offers a feature \"\(name)\" any more: \(plugin.farewell)")
        }
        throw .unknownFeature(
            name, suggestion: NearestName.find(name, among: features.map(\.feature.name)))
    }

    // MARK: Instances

    /// How to open an instance.
    package struct OpenRequest {
        package var feature: String
        package var isVirtual: Bool
        package var options = JSONValue.object(JSONObject())
        package var stubs: [Stub] = []
        package var seed: UInt64?
        /// The wall clock at a virtual instance's zero point, in nanoseconds since 1970-01-01 UTC.
        package var epoch: Int64?
        package var profile: Profile = .strict
        package var tick: Duration = .milliseconds(1)
        package var name: String?
        /// What answers its effects before stubs and providers.
        package var script: (any EffectScript)?
        /// Lets a virtual instance ask the world, where its stubs have no answer.
        package var asksWorld = false

        package init(feature: String, isVirtual: Bool) {
            self.feature = feature
            self.isVirtual = isVirtual
        }
    }

    /// Opens an instance. When it throws, nothing was opened.
    package func open(_ request: OpenRequest) throws(HostError) -> Instance {
        guard instances.count < limits.instances else {
            strike("instances")
            throw .limit("\(limits.instances) instances are open already; close some first")
        }
        let (plugin, feature) = try feature(request.feature)
        try feature.options.check(request.options, pointer: "/options")
        let name = try pickName(request.name)
        let table = try plugin.load()
        let clock: InstanceClock
        if request.isVirtual {
            clock = .virtual(
                VirtualTimeScheduler(
                    profile: request.profile, tick: request.tick,
                    wallOrigin: request.epoch ?? VirtualTimeScheduler.defaultWallOrigin))
        } else {
            guard let make = surroundings.makeRealScheduler else {
                throw .conflict("there is no real clock here; open the instance as virtual")
            }
            clock = .real(make())
        }
        let seed = request.seed ?? (request.isVirtual ? 0 : surroundings.makeSeed())
        let instance = Instance(
            name: name, order: opened, plugin: plugin, table: table, feature: feature, clock: clock,
            request: request, seed: seed,
            providers: providers(
                for: plugin, feature, isVirtual: request.isVirtual && !request.asksWorld,
                seed: seed),
            host: self)
        instance.setStubs(request.stubs)
        let handle = handles.take(for: instance) {
            surroundings.post.map { PostDoor(limit: limits.postedWork, $0) }
        }
        opened += 1
        try instance.start(handle: handle)
        instances[name] = instance
        return instance
    }

    /// The instance of a name.
    package func instance(_ name: String) throws(HostError) -> Instance {
        guard let instance = instances[name] else { throw .unknownInstance(name) }
        return instance
    }

    /// The same by the bytes of the name, for those who have them; nil where there is none.
    package func instance(named name: UnsafeRawBufferPointer) -> Instance? { instances[name] }

    /// Closes an instance and says what was left.
    @discardableResult
    package func close(_ instance: Instance) -> CloseReport {
        // A name may have been given again by now.
        if instances[instance.name] === instance { instances[instance.name] = nil }
        leaving.removeAll { !$0.isInsidePlugin }
        if instance.isInsidePlugin { leaving.append(instance) }
        let report = instance.close()
        running.removeAll { $0 === instance }
        instance.abandonRun()
        return report
    }

    /// Closes everything, in the order of opening.
    package func closeAll() {
        for instance in instances.values.sorted(by: { $0.order < $1.order }) { close(instance) }
    }

    /// Every open instance, in the order of their names.
    package var openInstances: [Instance] { instances.values.sorted { $0.name < $1.name } }

    /// The `most` open instances that were opened last, in the order of their names: of very many a few,
    /// and the same every time.
    package func newestInstances(_ most: Int) -> [Instance] {
        var newest: [Instance] = []
        // Nothing older can be among them any more.
        var oldest = -1
        for instance in instances.values where instance.order > oldest {
            newest.append(instance)
            guard newest.count >= 2 * most else { continue }
            newest.sort { $0.order > $1.order }
            newest.removeLast(newest.count - most)
            oldest = newest[most - 1].order
        }
        newest.sort { $0.order > $1.order }
        return newest.prefix(most).sorted { $0.name < $1.name }
    }

    /// The builds that open instances run, each with how many do, in no order.
    package var buildsInUse: [(build: Plugin, instances: Int)] {
        var counts: [ObjectIdentifier: (build: Plugin, instances: Int)] = [:]
        for instance in instances.values {
            counts[ObjectIdentifier(instance.build), default: (instance.build, 0)].instances += 1
        }
        return Array(counts.values)
    }

    /// How many instances are open.
    package var instanceCount: Int { instances.count }

    /// How many handles of closed instances rest.
    package var restingHandles: Int { handles.resting }

    /// How often a plugin called for an instance that was over: nothing happens then, but it is a mistake.
    package var lateCalls: Int { handles.lateCalls }

    // MARK: Runs

    /// Whether a run was left unfinished.
    package var hasRunningInstances: Bool { !running.isEmpty || !putOffWork.isEmpty }

    /// Gives each unfinished run one slice, in turn.
    package func resumeRuns() {
        for work in exchange(&putOffWork, with: []) { work() }
        for instance in exchange(&running, with: []) {
            if !instance.resume(), instance.activeRun != nil { running.append(instance) }
        }
    }

    /// Carries on in another turn, so that nobody else waits: for work made of many short runs.
    package func putOff(_ work: @escaping () -> Void) {
        putOffWork.append(work)
        runsNeedTurns()
    }

    /// When whoever makes many short runs has had its turn.
    package func turnEnds() -> () -> Bool {
        let deadline = clock() &+ limits.sliceNanoseconds
        return { [unowned self] in clock() >= deadline }
    }

    func noteStopped(_ instance: Instance) { running.removeAll { $0 === instance } }

    func noteRunning(_ instance: Instance) {
        running.append(instance)
        runsNeedTurns()
    }

    // MARK: Helpers

    private func pickName(_ wanted: String?) throws(HostError) -> String {
        if let wanted {
            guard (1...64).contains(wanted.utf8.count),
                wanted.utf8.allSatisfy({ $0.isNameByte })
            else {
                throw .badValue(
                    pointer: "/name",
                    expected: "1 to 64 letters, digits, hyphens, dots or underscores")
            }
            guard instances[wanted] == nil else {
                throw .conflict("an instance named \"\(wanted)\" is open already")
            }
            return wanted
        }
        // Somebody may have taken a name of ours.
        while instances["i\(nextNumber)"] != nil { nextNumber += 1 }
        defer { nextNumber += 1 }
        return "i\(nextNumber)"
    }

    private func providers(
        for plugin: Plugin, _ feature: FeatureDescription, isVirtual: Bool, seed: UInt64
    ) -> [String: any EffectProvider] {
        var providers = isVirtual ? [:] : liveProviders
        providers["random"] = RandomProvider(seed: seed)
        providers["wallClock"] = WallClockProvider()
        if isVirtual {
            providers["store"] = MemoryStore(limits: limits.store)
        } else if providers["store"] == nil {
            providers["store"] = memoryStore(for: plugin, feature)
        }
        return providers
    }

    /// What a plugin's real instances share where nothing lasts.
    private func memoryStore(for plugin: Plugin, _ feature: FeatureDescription) -> MemoryStore {
        let id = plugin.manifest.id
        if let store = memoryStores[id] { return store }
        if feature.effects.contains("store") {
            log(
                .warning,
                "what \(id) stores is kept in memory and lost at the end: there is no state directory"
            )
        }
        let store = MemoryStore(limits: limits.store)
        memoryStores[id] = store
        return store
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}
