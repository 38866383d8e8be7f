// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import MarbledKit
import Scheduling
import Streams

@testable import Scenarios

/// A feature in which everything hangs on time: what it says shows when it was said.
final class Clockwork: Feature {
    struct Input: Ports {
        @In("Is said when it was quiet for 300 ms.") var text: PublishRelay<String>
        @In("Is said at most every 200 ms.") var tap: PublishRelay<Int>
        @In("Is said 70 ms and 140 ms later.") var late: PublishRelay<Int>
        @In("Is looked up, again after a pause when that fails.") var word: PublishRelay<String>
        @In("Is looked up beside others, once.") var aside: PublishRelay<String>
        @In("Draws a number.") var draw: PublishRelay<Void>
    }

    struct Output: Ports {
        @Out("Quiet text.") var quiet: PublishRelay<String>
        @Out("Taps, throttled.") var taps: PublishRelay<Int>
        @Out("Late numbers, each twice.") var delayed: PublishRelay<Int>
        @Out("What was found.") var found: PublishRelay<String>
        @Out("Numbers drawn.") var drawn = BehaviorRelay(value: 0)
        @Out("Every 450 ms.") var beat: PublishRelay<Int>
    }

    struct Options: FeatureOptions {
        /// How long the pause before another try is, in ms.
        var pause = 130
        var beats = true
    }

    static let name = "clockwork"
    static let doc = "Tells the time."
    static let effects: [Effect] = [.http, .random]

    private let context: FeatureContext
    private let options: Options
    private let bag = DisposeBag()

    init(_ context: FeatureContext, options: Options) {
        self.context = context
        self.options = options
    }

    func transform(_ input: Input) -> Output {
        let output = Output()
        input.text.debounce(.milliseconds(300)).bind(to: output.quiet).disposed(by: bag)
        input.tap.throttle(.milliseconds(200)).bind(to: output.taps).disposed(by: bag)
        let delayed = input.late.delay(.milliseconds(70))
        Observable.merge(delayed, delayed.delay(.milliseconds(70)))
            .bind(to: output.delayed).disposed(by: bag)
        let pause = Duration.milliseconds(options.pause)
        input.word
            .flatMapLatest { [context] word in
                context.http.get("http://words.example/\(word)").asObservable()
                    .compactMap(\.body)
                    .retry(when: { (errors: Observable<any Error>) in
                        errors.flatMap { _ in Observable.just(0).delay(pause) }
                    })
            }
            .bind(to: output.found).disposed(by: bag)
        input.aside
            .flatMap { [context] word in
                context.http.get("http://words.example/\(word)").asObservable().compactMap(\.body)
            }
            .bind(to: output.found).disposed(by: bag)
        input.draw.flatMap { [context] in context.random.integer(in: 1...1_000).asObservable() }
            .bind(to: output.drawn).disposed(by: bag)
        if options.beats {
            // Chained, not periodic: each beat hangs on the one before.
            func beat(_ number: Int) {
                _ = context.scheduler.schedule(after: .milliseconds(450)) {
                    output.beat.accept(number)
                    beat(number + 1)
                }
            }
            beat(1)
        }
        return output
    }
}

/// A host whose real clock and whose world are moved by a test.
final class ClockworkLab {
    let host: Host
    let world = World()
    private let export: PluginExport
    private let kernel = Kernel()

    final class Kernel {
        var clock: Int64 = 1_000
        /// How far the clock goes on whenever somebody looks.
        var look: Int64 = 0

        func read() -> Int64 {
            clock += look
            return clock
        }
    }

    /// Answers when the test says so.
    final class World: EffectProvider {
        var waiting: [(url: String, reply: (EffectAnswer) -> Void)] = []

        func perform(
            _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
        ) -> (() -> Void)? {
            waiting.append((request["url"]?.string ?? "", reply))
            return {}
        }

        func answer(_ body: String) {
            waiting.removeFirst().reply(.json(["status": 200, "body": .string(body)]))
        }

        func fail() {
            waiting.removeFirst().reply(.failure(kind: "reset", message: "gone"))
        }
    }

    init(limits: HostLimits = HostLimits(), version: String = "1.0.0") throws {
        export = PluginExport(id: "clockworks", version: version, [Clockwork.self])
        host = Host(
            .init(
                clock: { [kernel] in kernel.clock },
                makeRealScheduler: { [kernel] in
                    RealTimeScheduler(
                        clock: { kernel.read() }, wallClock: { kernel.clock + 7 },
                        catchUp: .seconds(1))
                },
                makeSeed: { 42 }),
            limits: limits)
        host.add(try Plugin(PluginTable(export.table)))
        host.register(world, for: "http")
    }

    deinit { host.closeAll() }

    /// What the machine's clock shows, in nanoseconds.
    var clock: Int64 {
        get { kernel.clock }
        set { kernel.clock = newValue }
    }

    func open(
        isVirtual: Bool = false, options: JSONValue = [:], stubs: [Stub] = [],
        seed: UInt64? = nil
    ) throws -> Instance {
        var request = Host.OpenRequest(feature: "clockwork", isVirtual: isVirtual)
        request.seed = seed
        request.options = options
        request.stubs = stubs
        return try host.open(request)
    }

    /// Strikes the alarm: runs what is due by now.
    func strike(_ instance: Instance) {
        if case .real(let scheduler) = instance.clock { scheduler.runDue() }
    }

    /// Lives an instance's life in real time, by a seed: inputs, answers and alarms at odd times, some of them
    /// late, with `jumps` some much too late.
    func live(seed: UInt64, steps: Int = 200, jumps: Bool = false) throws -> Instance {
        let random = RandomProvider(seed: seed)
        func pick(_ range: ClosedRange<Int64>) -> Int64 {
            random.draw(range.lowerBound, range.upperBound)
        }
        kernel.look = Int64(seed % 3) * 1_001
        let instance = try open()
        for step in 0..<steps {
            clock += pick(0...60_000_000)
            if jumps, pick(0...15) == 0 { clock += 3_000_000_000 }
            switch pick(0...9) {
            case 0: try instance.send("text", .string("text \(step)"))
            case 1, 2: try instance.send("tap", .int(Int64(step)))
            case 3: try instance.send("late", .int(Int64(step)))
            case 4: try instance.send("word", .string("w\(pick(0...3))"))
            case 5: try instance.send("draw", .null)
            case 6: if !world.waiting.isEmpty { world.answer("answer \(step)") }
            case 7: if !world.waiting.isEmpty { world.fail() }
            default: strike(instance)
            }
        }
        return instance
    }
}

extension Instance {
    func send(_ input: String, _ value: JSONValue, at: Int64? = nil) throws {
        try send(
            feature.inputNumber(input), copying: Array(value.text.utf8),
            at: at.map(Instant.init(nanoseconds:)))
    }
}
