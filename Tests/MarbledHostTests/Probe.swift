// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import MarbledKit
import Streams

/// A feature whose inputs are orders: ask the world something, wait, say something, fail.
final class Probe: Feature {
    struct Input: Ports {
        @In("Asks an effect.") var ask: PublishRelay<Question>
        @In("Gives up what was asked last.") var giveUp: PublishRelay<Void>
        @In("Says \"fired\" after so many ticks.") var wait: PublishRelay<Int>
        @In("Is said at once.") var say: PublishRelay<String>
        @In("Sets the state.") var set: PublishRelay<Int>
        @In("Ends the stream with an error.") var fail: PublishRelay<String>
        @In("Ends the stream.") var finish: PublishRelay<Void>
    }

    struct Output: Ports {
        @Out("What an effect answered, JSON text.") var answer: PublishRelay<String>
        @Out("How an effect failed.") var failure: PublishRelay<EffectError>
        @Out("A wait is over.") var fired: PublishRelay<Int>
        @Out("What was to be said.") var said: Observable<String>
        @Out("What was set.") var state = BehaviorRelay(value: 0)
    }

    struct Options: FeatureOptions {
        var refuse = false
        /// Asks the store inside `init`, and never lets go of it.
        var asksAtOnce = false
    }

    static let name = "probe"
    static let doc = "Does as it is told."
    static let effects: [Effect] = [.store, .random]

    /// Finds out whether what a test made is gone.
    @TaskLocal static var tracker: Tracker?

    // Safety: a test uses it on its own thread; a task-local value has to be Sendable.
    final class Tracker: @unchecked Sendable {
        weak var feature: Probe?
        weak var relay: PublishRelay<Int>?
    }

    private let context: FeatureContext
    private let bag = DisposeBag()

    init(_ context: FeatureContext, options: Options) throws {
        if options.refuse { throw PortValueError("told to refuse") }
        self.context = context
        if options.asksAtOnce {
            // Not put into a bag, and it holds its owner: the end of the instance must take it back.
            _ = context.store.get("key", as: Int.self).subscribe { [self] _ in _ = self.context }
        }
        Self.tracker?.feature = self
    }

    func transform(_ input: Input) -> Output {
        var output = Output()
        let said = PublishSubject<String>()
        output.said = said.asObservable()
        let door = context.door
        let asked = SerialDisposable()
        input.ask.subscribe(onNext: {
            [weak bag, answer = output.answer, failure = output.failure] question in
            let effect = Effect(stringLiteral: question.effect)
            let answers =
                question.many == true
                ? door.askForMany(effect, question.request) {
                    [String(decoding: $0, as: UTF8.self)]
                }
                : door.ask(effect, question.request) { String(decoding: $0, as: UTF8.self) }
                    .asObservable()
            let subscription = answers.subscribe(
                onNext: { answer.accept($0) },
                onError: { error in
                    failure.accept(
                        error as? EffectError ?? EffectError(kind: "other", message: "\(error)"))
                })
            if question.keep == true, let bag {
                subscription.disposed(by: bag)
            } else {
                asked.disposable = subscription
            }
        }).disposed(by: bag)
        input.giveUp.subscribe(onNext: { asked.disposable = Disposables.create() }).disposed(
            by: bag)
        input.wait.flatMap { Observable.just($0).delay(.milliseconds($0)) }
            .bind(to: output.fired).disposed(by: bag)
        input.say.subscribe(onNext: { said.onNext($0) }).disposed(by: bag)
        input.set.bind(to: output.state).disposed(by: bag)
        input.fail.subscribe(onNext: { said.onError(PortValueError($0)) }).disposed(by: bag)
        input.finish.subscribe(onNext: { said.onCompleted() }).disposed(by: bag)
        Self.tracker?.relay = output.fired
        return output
    }

    /// An effect and its request.
    struct Question: PortValue {
        var effect: String
        var request: Request
        /// Whether all answers are wanted, not only the first.
        var many: Bool?
        /// Whether the next question leaves this one open.
        var keep: Bool?

        static var schema: Schema { .any }
    }

    /// Every member that some effect's request has.
    struct Request: PortValue {
        var get: String?
        var set: String?
        var remove: String?
        var value: Int?
        var min: Int?
        var max: Int?
        var method: String?
        var url: String?
        var headers: [String: String]?
        var stream: Bool?
    }
}

/// A host of a test with the probe on it, through the C table.
final class ProbeLab {
    let lab: Lab
    private let export: PluginExport

    init(limits: HostLimits = HostLimits(), sliceClock: @escaping () -> Int64 = { 0 }) throws {
        export = PluginExport(id: "probe-plugin", version: "1.0.0", [Probe.self])
        lab = Lab(limits: limits, sliceClock: sliceClock)
        lab.host.add(try Plugin(PluginTable(export.table)))
    }

    var host: Host { lab.host }

    func open(
        options: JSONValue = [:], stubs: [JSONValue] = [], seed: UInt64 = 0, isVirtual: Bool = true
    ) throws -> Instance {
        try lab.open("probe", options: options, stubs: stubs, seed: seed, isVirtual: isVirtual)
    }
}

extension Instance {
    /// Sends the probe the order to ask an effect.
    func ask(
        _ effect: String, _ request: JSONValue, atTick tick: Int? = nil, many: Bool = false
    ) throws {
        var order: JSONValue = ["effect": .string(effect), "request": request]
        if many { order["many"] = true }
        try send("ask", order, atTick: tick)
    }

    /// Sends the probe the order to ask beside what it asked before.
    func keepAsking(
        _ effect: String = "feed", _ request: JSONValue = [:], atTick tick: Int? = nil
    ) throws {
        try send(
            "ask", ["effect": .string(effect), "request": request, "keep": true], atTick: tick)
    }
}
