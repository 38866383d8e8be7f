// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
public import MarbledKit
internal import Scheduling
public import Streams
public import Testing

/// The world of a feature that a test builds by hand on a `TestScheduler`: rules, a store in memory, and
/// seeded random numbers. The host's own rules and generators, so both ways of testing agree.
///
/// ```swift
/// let scheduler = TestScheduler()
/// let door = StubDoor(on: scheduler, stubs: [.http("GET */random*", reply: .json([1]).after(20))])
/// let game = try FindNumber(FeatureContext(door, on: scheduler), options: .with { $0.source = .http })
/// let output = game.transform(input)
/// scheduler.start()
/// #expect(door.calls("http").map(\.time) == [0])
/// door.finish()
/// ```
///
/// A request is answered by the first rule that matches; without one `store`, `random` and `wallClock`
/// answer as in an instance in virtual time, and anything else fails with `unavailable`. Answers are
/// arrivals on the timeline, at the request's own instant unless a rule says later.
/// Loop-confined like the timeline, which it does not keep alive beyond its own work.
public final class StubDoor: EffectDoor {
    // The timeline alone: what waits there holds this door, and must not hold the test's scheduler.
    let timeline: VirtualTimeScheduler
    private let desk: StubDesk
    private var open: [UInt64: PendingAnswer] = [:]
    private var nextNumber: UInt64 = 1
    private let store = MemoryStore()
    private let random: RandomProvider
    /// What the feature wrote to its log, each line with its level.
    public private(set) var log: [(level: LogLevel, line: String)] = []

    /// A door whose answers come on `scheduler`.
    ///
    /// - Parameters:
    ///   - scheduler: the test's timeline.
    ///   - stubs: who answers; the first rule that matches.
    ///   - seed: where random draws begin; the same seed draws the same numbers.
    public init(on scheduler: TestScheduler, stubs: [StubRule] = [], seed: UInt64 = 0) {
        timeline = scheduler.timeline
        random = RandomProvider(seed: seed)
        desk = StubDesk(seed: seed, on: timeline)
        desk.owner = self
        desk.answer = { [unowned self] in open[$0]?.arrive($1[...], from: $2) }
        desk.askWorld = { [unowned self] id, effect, request in
            let answer = provide(Effect(stringLiteral: effect), request)
            open[id]?.arrive([TimedAnswer(after: 0, answer)], from: timeline.now)
        }
        stub(stubs)
    }

    /// Puts other rules in place; what was asked so far is kept.
    public func stub(_ rules: [StubRule]) {
        let tick = timeline.tick
        do {
            desk.replace(with: try rules.stubs(tick: tick), at: timeline.now)
        } catch {
            preconditionFailure("a stub cannot be read: \(error)")
        }
    }

    /// What was asked of `effect`, or of all effects, oldest first.
    public func calls(_ effect: Effect? = nil) -> [EffectCall] {
        let tick = timeline.tick.wholeNanoseconds
        return desk.book.calls.filter { effect == nil || $0.effect == effect?.name }
            .map { EffectCall($0, time: Int($0.at / tick)) }
    }

    /// What the feature's store holds under `key`, or nil.
    public func stored<Value: Decodable>(_ key: String, as type: Value.Type) throws -> Value? {
        guard var text = store.text(key) else { return nil }
        return try text.withUTF8 { try JSONText.decode(type, from: UnsafeRawBufferPointer($0)) }
    }

    /// Ends the test strictly: what is left over fails it, each kind relaxable by its name.
    ///
    /// - Parameters:
    ///   - allowed: kinds that pass.
    ///   - names: timers and effects that pass, by name.
    public func finish(
        allowing allowed: Set<Leftover> = [], except names: Set<String> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let tick = timeline.tick.wholeNanoseconds
        var end = EndOfTest(allowing: allowed, except: names)
        for stub in desk.book.unused {
            end.add(.unusedStubs, stub.matcher.effect, stub.source.text)
        }
        for waiting in open.values.sorted(by: { $0.number < $1.number }) {
            let since = sinceText(
                Int(waiting.since.nanoseconds / tick), now: timeline.tickNow)
            end.add(.openEffects, waiting.effect, "\(waiting.call), asked \(since)")
        }
        for call in calls() where !call.isStubbed && !Self.isBuiltIn(call.effect) {
            end.add(.unstubbedEffects, call.effect, call.description)
        }
        end.addPending(on: timeline)
        end.report(sourceLocation)
    }

    private static func isBuiltIn(_ effect: String) -> Bool {
        [Effect.store.name, Effect.random.name, Effect.wallClock.name].contains(effect)
    }

    /// Releases what rules hold under `name`: it is answered from now on; and heals the partitions of that name.
    /// Returns how many requests and partitions it was.
    @discardableResult
    public func release(_ name: String) -> Int {
        desk.release(name, at: timeline.now)
    }

    // MARK: EffectDoor

    public func perform(
        _ effect: Effect, request: [UInt8],
        answer: @escaping (Event<UnsafeRawBufferPointer>) -> Void
    ) -> any Disposable {
        let now = timeline.now
        guard let json = try? request.withUnsafeBytes({ try JSONValue(parsing: $0) }) else {
            preconditionFailure("what was asked of \(effect.name) is not JSON")
        }
        let number = nextNumber
        nextNumber += 1
        let pending = PendingAnswer(
            self, number: number, effect: effect.name, request: json.text, since: now,
            answer)
        open[number] = pending
        desk.ask(number, effect.name, json, at: now)
        return pending
    }

    private func provide(_ effect: Effect, _ request: JSONValue) -> EffectAnswer {
        switch effect {
        case .store: return store.answer(request)
        case .random: return random.answer(request)
        case .wallClock: return .json(.int(timeline.wallNanoseconds))
        default:
            let message = "no stub matches the request, and a test has no live \"\(effect.name)\""
            return .failure(kind: "unavailable", message: message)
        }
    }

    public func log(_ message: String, level: LogLevel) {
        log.append((level, message))
    }

    fileprivate func close(_ pending: PendingAnswer) {
        open[pending.number] = nil
        desk.giveUp(pending.number)
    }
}

/// One request that has had no answer. Disposing it takes the answer back.
private final class PendingAnswer: Disposable {
    let number: UInt64
    let effect: String
    private let request: String
    let since: Instant
    private unowned let door: StubDoor
    private var token = WorkToken.none
    private var handler: ((Event<UnsafeRawBufferPointer>) -> Void)?

    init(
        _ door: StubDoor, number: UInt64, effect: String, request: String, since: Instant,
        _ handler: @escaping (Event<UnsafeRawBufferPointer>) -> Void
    ) {
        self.door = door
        self.number = number
        self.effect = effect
        self.request = request
        self.since = since
        self.handler = handler
    }

    var call: String { "\(effect) \(request)" }

    /// Puts answers on the timeline, one after the other.
    func arrive(_ answers: ArraySlice<TimedAnswer>, from start: Instant) {
        guard let next = answers.first else { return }
        // The answer holds the door until it came, so a test may let go of it.
        let door = door
        let due = start.advanced(byNanoseconds: next.after)
        token = door.timeline.schedule(at: due, phase: .arrival, label: "effect answer") {
            guard let handler = self.handler else { return }
            let isOver = next.answer.isLast
            if isOver {
                self.handler = nil
                door.close(self)
            } else {
                self.arrive(answers.dropFirst(), from: start)
            }
            switch next.answer {
            case .value(let json), .part(let json):
                json.withUnsafeBytes { handler(.next($0)) }
                if isOver { handler(.completed) }
            case .completed:
                handler(.completed)
            case .failure(let kind, let message):
                handler(.error(EffectError(kind: kind, message: message)))
            case .error(let json):
                let error = json.withUnsafeBytes { try? EffectError.decode($0) }
                handler(.error(error ?? EffectError(kind: "other", message: "an error")))
            }
        }
    }

    func dispose() {
        guard handler.take() != nil else { return }
        door.timeline.cancel(token)
        door.close(self)
    }
}

extension FeatureContext {
    /// A context on a test's timeline and a door of the test's own.
    public init(_ door: StubDoor, on scheduler: TestScheduler) {
        // The timeline alone, for the reason that the door keeps.
        self.init(scheduler: scheduler.timeline, door: door)
    }

    /// A context whose world is `stubs`, for a test that looks at outputs only.
    ///
    /// - Parameters:
    ///   - scheduler: the test's timeline.
    ///   - stubs: who answers effects; see `StubDoor`.
    ///   - seed: where random draws begin.
    public static func test(
        on scheduler: TestScheduler, stubs: [StubRule] = [], seed: UInt64 = 0
    ) -> FeatureContext {
        FeatureContext(StubDoor(on: scheduler, stubs: stubs, seed: seed), on: scheduler)
    }
}
