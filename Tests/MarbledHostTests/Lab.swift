// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import MarbledTesting
import Scheduling

/// The host's rule; the test support has a double of that name.
typealias Stub = MarbledHost.Stub

/// A host for one test, with a log that is kept and a real clock that the test moves.
final class Lab {
    let host: Host
    private let state: State

    private final class State {
        var log: [(level: HostLogLevel, line: String)] = []
        var clock: Int64 = 0
    }

    init(limits: HostLimits = HostLimits(), sliceClock: @escaping () -> Int64 = { 0 }) {
        let state = State()
        self.state = state
        host = Host(
            .init(
                clock: sliceClock,
                makeRealScheduler: {
                    RealTimeScheduler(clock: { state.clock }, wallClock: { state.clock + 1_000 })
                },
                log: { state.log.append(($0, $1)) },
                makeSeed: { 42 }),
            limits: limits)
    }

    deinit { host.closeAll() }

    var log: [(level: HostLogLevel, line: String)] { state.log }

    /// What the real clock shows, in nanoseconds.
    var clock: Int64 {
        get { state.clock }
        set { state.clock = newValue }
    }

    func add(_ plugin: Plugin) -> Lab {
        host.add(plugin)
        return self
    }

    /// Opens a feature in virtual time.
    func open(
        _ feature: String, options: JSONValue = [:], stubs: [JSONValue] = [], seed: UInt64 = 0,
        isVirtual: Bool = true, profile: Profile = .strict
    ) throws -> Instance {
        var request = Host.OpenRequest(feature: feature, isVirtual: isVirtual)
        request.options = options
        request.stubs = try stubs.map { try Stub.read($0) }
        request.seed = seed
        request.profile = profile
        return try host.open(request)
    }
}

extension Stub {
    /// A rule whose `after` is in milliseconds.
    static func read(_ json: JSONValue) throws(HostError) -> Stub {
        try Stub(json, pointer: "/stubs/0") { (value, pointer) throws(HostError) in
            guard let ticks = value.int else {
                throw .badValue(pointer: pointer, expected: "ticks")
            }
            return ticks * 1_000_000
        }
    }
}

extension Instance {
    var lines: [String] { RecordText.lines(self) }

    func send(_ input: String, _ value: JSONValue, atTick tick: Int? = nil) throws {
        try send(
            feature.inputNumber(input), copying: Array(value.text.utf8),
            at: tick.map { Instant(nanoseconds: Int64($0) * 1_000_000) })
    }

    /// Runs through a tick; the host of a test never cuts a run, unless the test says so.
    @discardableResult
    func advance(toTick tick: Int) throws -> Progress {
        try run(.through(Instant(nanoseconds: Int64(tick) * 1_000_000)))
    }

    @discardableResult
    func run(_ goal: Run.Goal = .idle, limit: Int? = nil) throws -> Progress {
        var outcome: Result<Progress, HostError>?
        try drive(goal, limit: limit) { outcome = $0 }
        guard let outcome else { throw HostError.conflict("the run was cut") }
        return try outcome.get()
    }

    func stateText(_ output: String) throws -> String? {
        state(try feature.outputNumber(output)).map { String(decoding: $0.value, as: UTF8.self) }
    }

    /// What an output said, as texts.
    func said(_ output: String) throws -> [String] {
        let number = try feature.outputNumber(output)
        var values: [String] = []
        record.forEach(since: 0) { _, entry, value in
            if entry.kind == .output, Int(entry.port) == number {
                values.append(String(decoding: value, as: UTF8.self))
            }
            return true
        }
        return values
    }
}
