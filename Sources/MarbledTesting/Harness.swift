// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
package import MarbledHost
public import MarbledKit
public import Scheduling
public import Streams
public import Testing

/// One feature, running as in the daemon, in the test's own process and in virtual time.
///
/// It is opened on a host through the same C table that a daemon maps, so values are encoded, checked
/// and recorded as in service; nothing is loaded and nothing waits.
///
/// ```swift
/// @Test func `a right guess moves the stage on`() throws {
///     let game = try Harness(
///         FindNumber.self, options: .with { $0.source = .http },
///         stubs: [.http("GET */random*", reply: .json([1]).after(20))])
///     game.send("checkNumber", 1, at: 10)
///     game.send("checkNumber", 2, at: 50)
///     game.advance(to: 1_000)
///     expectEvents(game.events("round", as: Int.self), [.next(0, 1), .next(10, 2), .next(50, 1)])
///     #expect(game.calls("http").map(\.time) == [10])
///     game.finish()
/// }
/// ```
///
/// Times are ticks. What a verb cannot do (an unknown port, a value that does not fit, a limit that
/// strikes, a feature that failed) fails the test at the line of the call, and the test goes on.
/// Loop-confined; it closes its instance when it goes away.
public final class Harness {
    let host: Host
    let instance: Instance
    let timeline: VirtualTimeScheduler
    private let notes: HarnessNotes
    /// Up to which record entry the test has looked at each output.
    var readUpTo: [Int]
    /// What is compared at the strict end.
    var expectations: [any AnyExpectation] = []
    /// The feature's type, to be opened again.
    let typeName: String
    /// What the C table lives in; a library would keep it for ever.
    private let export: PluginExport?

    /// Opens `feature` at tick zero; its first states are said.
    ///
    /// - Parameters:
    ///   - feature: the feature's type.
    ///   - options: what it is opened with.
    ///   - stubs: who answers its effects; the first rule that matches.
    ///   - seed: where random draws begin; the same seed draws the same numbers.
    ///   - tick: how long one tick is.
    ///   - profile: whose rules of order hold.
    /// - Throws: a sentence, when the feature refuses its options or a stub cannot be read.
    public convenience init<Kind: Feature>(
        _ feature: Kind.Type, options: Kind.Options = Kind.Options(), stubs: [StubRule] = [],
        seed: UInt64 = 0, tick: Duration = .milliseconds(1), profile: Profile = .strict
    ) throws {
        let export = PluginExport(id: feature.name, version: "0.0.0", [feature])
        var request = Host.OpenRequest(feature: feature.name, isVirtual: true)
        request.options = JSONValue(encoding: options)
        request.stubs = try stubs.stubs(tick: tick)
        request.seed = seed
        request.tick = tick
        request.profile = profile
        try self.init(
            Plugin(try PluginTable(export.table)), request, keeping: export,
            typeName: "\(feature)")
    }

    /// Opens a feature of any plugin, also one that was mapped from a library.
    package init(
        _ plugin: Plugin, _ request: Host.OpenRequest, keeping export: PluginExport? = nil,
        typeName: String? = nil
    ) throws {
        EscapeWatch.start
        let notes = HarnessNotes()
        self.notes = notes
        self.export = export
        host = Host(.init(log: { notes.lines.append(("\($0)", $1)) }))
        host.add(plugin)
        instance = try host.open(request)
        timeline = try instance.virtualClock()
        readUpTo = Array(repeating: 0, count: instance.feature.outputs.count)
        self.typeName = typeName ?? request.feature
    }

    deinit {
        host.closeAll()
    }

    // MARK: Driving

    /// The tick the clock stands at.
    public var clock: Int { timeline.tickNow }

    /// How far a run may go before it fails the test.
    public var limits: SchedulingLimits {
        get { timeline.limits }
        set { timeline.limits = newValue }
    }

    /// Why the feature ended before its test did, or nil.
    public var failure: String? {
        if case .failed(let reason) = instance.life { reason } else { nil }
    }

    /// Sends a value to an input: at tick `time`, or now, with all that it causes at this instant.
    public func send(
        _ input: String, _ value: some Encodable, at time: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        send(input, JSONValue(encoding: value), at: time, sourceLocation)
    }

    /// Sends to an input that carries no value.
    public func send(
        _ input: String, at time: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        send(input, .null, at: time, sourceLocation)
    }

    private func send(
        _ input: String, _ value: JSONValue, at time: Int?, _ sourceLocation: SourceLocation
    ) {
        attempt(sourceLocation) { () throws(HostError) in
            let number = try instance.feature.inputNumber(input)
            try instance.feature.inputs[number].schema.check(value, pointer: "/" + input)
            try instance.send(
                number, copying: Array(value.text.utf8), at: time.map(timeline.instant(ofTick:))
            ) { refusal in
                let text = "\(input) refused \(value.text): \(refusal)"
                TestFailure.report(text, sourceLocation)
            }
        }
    }

    /// Runs everything due up to and including tick `time`; the clock ends there.
    public func advance(to time: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        drive(.through(timeline.instant(ofTick: time)), sourceLocation)
    }

    /// Runs everything due within `ticks` from now; the clock ends there.
    public func advance(by ticks: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        precondition(ticks >= 0, "a test cannot advance by \(ticks) ticks")
        let length = timeline.nanoseconds(ofTicks: ticks)
        drive(.through(timeline.now.advanced(byNanoseconds: length)), sourceLocation)
    }

    /// Runs until nothing waits; the clock rests on the last item.
    public func run(sourceLocation: SourceLocation = #_sourceLocation) {
        drive(.idle, sourceLocation)
    }

    /// Puts other rules in place. What is held by a name stays so; what waits for others of its window is
    /// answered, and what a partition cut off is asked again.
    public func stub(
        _ rules: [StubRule], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let tick = timeline.tick
        do {
            instance.setStubs(try rules.stubs(tick: tick))
        } catch {
            TestFailure.report(error, sourceLocation)
        }
    }

    /// Releases what rules hold under `name`: it is answered from now on, with all that this causes at this
    /// instant; and heals the partitions of that name. Where nothing is held so, the test fails.
    public func release(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
        guard instance.release(name) == 0 else { return }
        let held = instance.heldNames
        let text =
            "nothing is held as \"\(name)\"; "
            + (held.isEmpty ? "nothing is held at all" : "there is \(held.joined(separator: ", "))")
        TestFailure.report(text, sourceLocation)
    }

    /// Runs to `goal`, or until `condition` holds. Returns nil when that failed the test.
    @discardableResult
    func drive(
        _ goal: Run.Goal, limit: Int? = nil, until condition: (() -> Bool)? = nil,
        _ sourceLocation: SourceLocation
    ) -> Progress? {
        var outcome: Result<Progress, HostError>?
        attempt(sourceLocation) { () throws(HostError) in
            try instance.drive(goal, limit: limit, until: condition) { outcome = $0 }
            while outcome == nil { host.resumeRuns() }
            _ = try outcome?.get()
        }
        return try? outcome?.get()
    }

    /// Runs `body`; what it throws fails the test at `sourceLocation`.
    func attempt(
        _ sourceLocation: SourceLocation, _ body: () throws(HostError) -> Void
    ) {
        do {
            try body()
        } catch {
            TestFailure.report(error, sourceLocation)
        }
    }

    // MARK: Reading

    /// What an output said so far. An error is an `OutputError`.
    public func events<Value: Decodable>(
        _ output: String, as type: Value.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Recorded<Event<Value>>] {
        var events: [Recorded<Event<Value>>] = []
        forEach(output, sourceLocation) { time, event, json in
            switch event {
            case .next:
                guard let value = read(type, json, of: output, sourceLocation) else { return }
                events.append(.next(time, value))
            case .error:
                let message = (try? String.decode(json)) ?? String(decoding: json, as: UTF8.self)
                events.append(.error(time, OutputError(message)))
            case .completed: events.append(.completed(time))
            }
        }
        return events
    }

    /// When an output said something, for one that carries no value.
    public func times(
        of output: String, sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Int] {
        var times: [Int] = []
        forEach(output, sourceLocation) { time, event, _ in
            if event == .next { times.append(time) }
        }
        return times
    }

    /// The newest value of a state, or nil before its first.
    public func state<Value: Decodable>(
        _ output: String, as type: Value.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Value? {
        var state: (value: [UInt8], at: Int64)?
        attempt(sourceLocation) { () throws(HostError) in
            let number = try instance.feature.outputNumber(output)
            readUpTo[number] = instance.record.next
            state = instance.state(number)
        }
        return state?.value.withUnsafeBytes { read(type, $0, of: output, sourceLocation) }
    }

    /// What the feature asked of `effect`, or of all effects, oldest first.
    public func calls(_ effect: Effect? = nil) -> [EffectCall] {
        let tick = timeline.tick.wholeNanoseconds
        return instance.stubs.calls.filter { effect == nil || $0.effect == effect?.name }
            .map { EffectCall($0, time: Int($0.at / tick)) }
    }

    /// Everything that happened, a line each: `10 input checkNumber 1`. Equal runs give equal lines.
    public var record: [String] {
        for output in readUpTo.indices { readUpTo[output] = instance.record.next }
        return RecordText.lines(instance, tick: timeline.tick)
    }

    /// What the feature and the host wrote to the log: `info`, and the line.
    public var log: [(level: String, line: String)] { notes.lines }

    func forEach(
        _ output: String, _ sourceLocation: SourceLocation,
        _ body: (Int, Record.Event, UnsafeRawBufferPointer) -> Void
    ) {
        attempt(sourceLocation) { () throws(HostError) in
            let number = try instance.feature.outputNumber(output)
            readUpTo[number] = instance.record.next
            let tick = timeline.tick.wholeNanoseconds
            instance.record.forEach(since: 0) { _, entry, value in
                guard entry.kind == .output, Int(entry.port) == number else { return true }
                body(Int(entry.at / tick), entry.event, value)
                return true
            }
        }
    }

    private func read<Value: Decodable>(
        _ type: Value.Type, _ json: UnsafeRawBufferPointer, of output: String,
        _ sourceLocation: SourceLocation
    ) -> Value? {
        do {
            return try JSONText.decode(type, from: json)
        } catch {
            let text =
                "\(output) said \(String(decoding: json, as: UTF8.self)), no \(type): \(error)"
            TestFailure.report(text, sourceLocation)
            return nil
        }
    }
}

/// An output that failed, with what the feature said of it.
public struct OutputError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The error in the feature's words.
    public let description: String

    /// An error as an output tells it.
    public init(_ description: String) {
        self.description = description
    }
}

/// The lines that a host wrote to its log.
private final class HarnessNotes {
    var lines: [(level: String, line: String)] = []
}
