// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

/// What a feature sees of the boundary, with the host on the other side.
@Suite struct FeatureTests {
    @Test func `every kind of port carries its values`() throws {
        let feature = try Harness(EveryPort.self)
        feature.send("apple", 5, at: 10)
        feature.send("zebra", at: 20)
        feature.run()
        expectEvents(feature.events("state", as: Int.self), [.next(0, 1), .next(10, 15)])
        expectEvents(feature.events("event", as: String.self), [.next(10, "5")])
        expectEvents(feature.events("driver", as: String.self), [.next(0, "none"), .next(10, "5")])
        expectEvents(feature.events("signal", as: Bool.self), [.next(20, true)])
        expectEvents(feature.events("stream", as: Double.self), [.next(10, 2.5)])
        #expect(feature.times(of: "bell") == [20])
        #expect(feature.record.contains("20 output bell null"))
        feature.finish()
    }

    @Test func `options are laid over the defaults, member by member`() throws {
        let feature = try Harness(EveryPort.self, options: .with { $0.size = 7 })
        feature.send("apple", 2)
        #expect(feature.state("state", as: Int.self) == 14)
        #expect(feature.state("driver", as: String.self) == "2")
        let titled = try Harness(EveryPort.self, options: .with { $0.title = "here" })
        #expect(titled.state("driver", as: String.self) == "here")
    }

    @Test func `an output that fails says its error once and is over, the others go on`() throws {
        let feature = try Harness(EveryPort.self)
        feature.send("apple", -1, at: 1)
        feature.send("apple", 4, at: 2)
        feature.run()
        expectEvents(
            feature.events("stream", as: Double.self), [.error(1, OutputError("below zero"))])
        #expect(feature.events("event", as: String.self).count == 2)
        feature.finish()
    }

    @Test func `a value that JSON cannot say ends its output and not the instance`() throws {
        let feature = try Harness(EveryPort.self)
        feature.send("apple", 0, at: 1)
        feature.send("apple", 4, at: 2)
        feature.run()
        expectEvents(
            feature.events("stream", as: Double.self),
            [.error(1, OutputError("nan has no JSON form"))])
        #expect(feature.failure == nil)
        feature.finish(except: ["event"])
    }

    @Test func `an output that transform forgot is named`() {
        struct Forgetful: Feature {
            struct Input: Ports {}
            struct Output: Ports {
                @Out("Never set.") var title: Driver<String>
            }
            static let name = "forgetful"
            static let doc = ""
            init(_ context: FeatureContext, options: NoOptions) {}
            func transform(_ input: Input) -> Output { Output() }
        }
        let error = #expect(throws: (any Error).self) { _ = try Harness(Forgetful.self) }
        #expect("\(error as Any)".contains("transform did not set the output \"title\""))
    }

    @Test func `an output that listens to itself does not mix its texts`() throws {
        struct Loop: Feature {
            struct Input: Ports {
                @In("Counts down.") var count: PublishRelay<Int>
            }
            struct Output: Ports {
                @Out("The numbers.") var numbers: Observable<Int>
            }
            static let name = "loop"
            static let doc = ""
            let bag = DisposeBag()
            init(_ context: FeatureContext, options: NoOptions) {}
            func transform(_ input: Input) -> Output {
                var output = Output()
                let subject = PublishSubject<Int>()
                input.count.bind(to: subject).disposed(by: bag)
                subject.filter { $0 > 0 }.map { $0 - 1 }.subscribe(onNext: { subject.onNext($0) })
                    .disposed(by: bag)
                output.numbers = subject.asObservable()
                return output
            }
        }
        let feature = try Harness(Loop.self)
        feature.send("count", 12)
        #expect(
            feature.events("numbers", as: Int.self).map(\.value.element)
                == Array((0...12).reversed()))
    }

    // MARK: Timers

    /// Hands its timeline to the test.
    private struct Timers: Feature {
        struct Input: Ports {
            @In("Runs what the test put there.") var act: PublishRelay<Int>
        }
        struct Output: Ports {
            @Out("What happened.") var log: PublishRelay<String>
        }

        // Safety: a test uses it on its own thread; a task-local value has to be Sendable.
        final class Script: @unchecked Sendable {
            var acts: [(any Scheduler, @escaping (String) -> Void) -> Void] = []
        }

        @TaskLocal static var script: Script?
        static let name = "timers"
        static let doc = "Follows a script."
        let scheduler: any Scheduler
        let script: Script?
        let bag = DisposeBag()

        init(_ context: FeatureContext, options: NoOptions) {
            scheduler = context.scheduler
            script = Self.script
        }

        func transform(_ input: Input) -> Output {
            let output = Output()
            input.act.subscribe(onNext: { [scheduler, script, log = output.log] number in
                script?.acts[number](scheduler) { log.accept($0) }
            }).disposed(by: bag)
            return output
        }
    }

    private func play(
        _ acts: (any Scheduler, @escaping (String) -> Void) -> Void...
    ) throws -> Harness {
        let script = Timers.Script()
        script.acts = acts
        let harness = try Timers.$script.withValue(script) { try Harness(Timers.self) }
        for number in acts.indices { harness.send("act", number, at: number * 10) }
        harness.run()
        return harness
    }

    private func log(_ harness: Harness) -> [String] {
        harness.events("log", as: String.self).map { "\($0.time) \($0.value.element ?? "")" }
    }

    @Test func `a timer runs once, at its time, and its token is stale after that`() throws {
        var token = WorkToken.none
        let harness = try play(
            { scheduler, say in
                token = scheduler.schedule(after: .milliseconds(5), label: "five") { say("ran") }
            },
            { scheduler, say in say("\(scheduler.cancel(token))") })
        #expect(log(harness) == ["5 ran", "10 false"])
        harness.finish()
    }

    @Test func `a cancelled timer does not run, and cannot be cancelled twice`() throws {
        let harness = try play({ scheduler, say in
            let token = scheduler.schedule(after: .milliseconds(5)) { say("never") }
            say("\(scheduler.cancel(token)) \(scheduler.cancel(token)) \(scheduler.cancel(.none))")
        })
        #expect(log(harness) == ["0 true false false"])
        harness.finish()
    }

    @Test func `a timer may cancel itself and another of its instant`() throws {
        let harness = try play({ scheduler, say in
            var tokens: [WorkToken] = []
            tokens.append(
                scheduler.schedule(after: .milliseconds(5)) {
                    say("\(scheduler.cancel(tokens[0])) \(scheduler.cancel(tokens[1]))")
                })
            tokens.append(scheduler.schedule(after: .milliseconds(5)) { say("never") })
        })
        #expect(log(harness) == ["5 false true"])
        harness.finish()
    }

    @Test func `a token of before does not cancel the timer that has its place`() throws {
        let harness = try play({ scheduler, say in
            let old = scheduler.schedule(after: .milliseconds(5)) { say("old") }
            scheduler.cancel(old)
            let new = scheduler.schedule(after: .milliseconds(6)) { say("new") }
            say("\(old == new) \(scheduler.cancel(old))")
        })
        #expect(log(harness) == ["0 false false", "6 new"])
        harness.finish()
    }

    @Test func `many timers come in order, those of one instant as they were made`() throws {
        let harness = try play({ scheduler, say in
            for number in 0..<100 {
                scheduler.schedule(after: .milliseconds(number % 3)) { say("\(number)") }
            }
        })
        let order = (0..<100).sorted { ($0 % 3, $0) < ($1 % 3, $1) }
        #expect(
            harness.events("log", as: String.self).map(\.value.element) == order.map { "\($0)" })
    }

    @Test func `the clock stands still in a callback and is the host's`() throws {
        let harness = try play(
            { _, _ in },
            { scheduler, say in
                say(
                    "\(scheduler.now.nanoseconds) \(scheduler.instant(after: .milliseconds(2)).nanoseconds)"
                )
                scheduler.schedule(at: .zero, phase: .timer, label: "past") {
                    say("\(scheduler.now.nanoseconds)")
                }
            })
        #expect(log(harness) == ["10 10000000 12000000", "10 10000000"])
    }

    @Test func `after the end the timeline takes no work and lets go of what waits`() throws {
        final class Held {}
        weak var gone: Held?
        var kept: (any Scheduler)?
        do {
            let held = Held()
            gone = held
            let harness = try play({ scheduler, _ in kept = scheduler })
            // Holds the timeline, which holds it: a circle that only the end breaks.
            kept?.schedule(after: .seconds(1)) { _ = (held, kept) }
            #expect(gone != nil)
            harness.finish(allowing: [.pendingTimers])
        }
        #expect(gone == nil)
        #expect(kept?.schedule(after: .seconds(1)) {} == WorkToken.none)
        #expect(kept?.cancel(WorkToken(rawValue: 1 << 32)) == false)
    }
}
