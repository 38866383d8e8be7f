// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

/// Async tasks of a feature behind the C boundary, on the instance's own timeline.
@Suite struct TaskFeatureTests {
    @Test func `a task sleeps, asks the world and answers, all on the instance's clock`() throws {
        let page = try Harness(
            Patient.self, stubs: [.http("GET */page", reply: .status(200).after(30))])
        page.send("ask", "a", at: 10)
        page.send("ask", "b", at: 15)
        page.run()
        expectEvents(
            page.events("answer", as: String.self),
            [.next(140, "a: 200"), .next(145, "b: 200")])
        #expect(page.calls(.http).map(\.time) == [110, 115])
        page.finish()
    }

    @Test func `cancelling a task that waits for the world gives the effect up at once`() throws {
        let page = try Harness(Patient.self, stubs: [.http("*", reply: .never)])
        page.send("ask", "a", at: 10)
        page.send("stop", at: 200)
        page.run()
        expectEvents(page.events("answer", as: String.self), [.next(200, "a: stopped")])
        // Strict: an effect that still waited would fail it.
        page.finish()
    }

    @Test func `a task that loops over an input sees each value when it comes`() throws {
        let page = try Harness(Patient.self)
        page.send("count", 3, at: 10)
        page.send("count", 4, at: 10)
        page.send("count", 5, at: 30)
        page.run()
        expectEvents(
            page.events("sum", as: Int.self),
            [.next(0, 0), .next(10, 3), .next(10, 7), .next(30, 12)])
        page.finish()
    }

    @Test func `two runs leave the same record`() throws {
        func record() throws -> [String] {
            let page = try Harness(
                Patient.self, stubs: [.http("*", reply: .status(200).after(7))])
            for name in ["a", "b", "c"] { page.send("ask", name, at: 5) }
            page.send("count", 1, at: 5)
            page.run()
            let record = page.record
            page.finish()
            return record
        }
        let first = try record()
        #expect(first.count > 10)
        #expect(try record() == first)
    }

    @Test func `closing an instance in the middle ends its tasks without a sound`() throws {
        let page = try Harness(Patient.self, stubs: [.http("*", reply: .never)])
        page.send("ask", "a", at: 10)
        page.advance(to: 50)
        page.finish(allowing: [.pendingTimers, .unusedStubs])
        #expect(page.log.isEmpty)
        #expect(page.record.allSatisfy { !$0.contains("answer") })
    }

    @Test func `an error that no one takes is told to the log`() throws {
        let page = try Harness(Patient.self, stubs: [])
        page.send("fail", at: 1)
        page.run()
        #expect(page.log.map(\.line).contains { $0.contains("a task failed") })
        page.finish()
    }
}

/// A feature written with tasks: waits politely before it asks.
private final class Patient: Feature {
    struct Input: Ports {
        @In("Asks for the page.") var ask: PublishRelay<String>
        @In("Gives up what is asked for.") var stop: PublishRelay<Void>
        @In("Adds to the sum.") var count: PublishRelay<Int>
        @In("Fails.") var fail: PublishRelay<Void>
    }

    struct Output: Ports {
        @Out("What came back.") var answer: PublishRelay<String>
        @Out("The sum of all counts.") var sum = BehaviorRelay(value: 0)
    }

    static let name = "patient"
    static let doc = "Waits before it asks."
    static let effects: [Effect] = [.http]

    private let context: FeatureContext
    private let bag = DisposeBag()
    private var tasks: [TimelineTask<Void>] = []

    init(_ context: FeatureContext, options: NoOptions) throws {
        self.context = context
    }

    func transform(_ input: Input) -> Output {
        let output = Output()
        input.ask.subscribe(onNext: { [unowned self] name in
            tasks.append(context.task { await self.answer(name, to: output.answer) })
        }).disposed(by: bag)
        input.stop.subscribe(onNext: { [unowned self] in tasks.forEach { $0.cancel() } })
            .disposed(by: bag)
        input.fail.subscribe(onNext: { [context] in
            context.task { throw EffectError(kind: "refused", message: "no") }
        }).disposed(by: bag)
        context.task("sums") {
            for await count in input.count.values { output.sum.accept(output.sum.value + count) }
        }
        return output
    }

    private func answer(_ name: String, to relay: PublishRelay<String>) async {
        do {
            try await context.clock.sleep(for: .milliseconds(100))
            let page = try await context.http.get("http://localhost/page").value
            relay.accept("\(name): \(page.status)")
        } catch {
            relay.accept("\(name): stopped")
        }
    }
}
