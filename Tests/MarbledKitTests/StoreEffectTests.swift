// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Streams
import Testing

/// The store as a feature writes it down.
@Suite struct StoreEffectTests {
    private let scheduler = TestScheduler()
    private let door: StubDoor
    private let store: StoreEffect

    init() {
        door = StubDoor(on: scheduler)
        store = FeatureContext(door, on: scheduler).store
    }

    /// What a question comes to, as text.
    private func answer<Value>(_ single: Single<Value>) -> String {
        var said = "nothing"
        let subscription = single.subscribe { said = "\($0)" }
        scheduler.start()
        subscription.dispose()
        return said
    }

    private func value<Value>(_ single: Single<Value>) throws -> Value {
        var result: Result<Value, any Error>?
        let subscription = single.subscribe { result = $0 }
        scheduler.start()
        subscription.dispose()
        return try #require(result).get()
    }

    /// Spelled in its own way, as a payload may be.
    private struct Spelled: PortValue, Equatable {
        var number: Int

        static var schema: Schema { .any }
        func encode(into json: inout JSONText) throws { json.append("[\(number)]") }
        static func decode(_ json: UnsafeRawBufferPointer) throws -> Spelled {
            Spelled(number: try [Int].decode(json).first ?? 0)
        }
    }

    @Test func `a value is stored as it spells itself, alone and in a transaction`() throws {
        _ = answer(store.set("a", to: Spelled(number: 7)))
        #expect(try value(store.get("a", as: [Int].self)) == [7])
        #expect(try value(store.get("a", as: Spelled.self)) == Spelled(number: 7))
        let more = try value(
            store.update("a", as: Spelled.self) { Spelled(number: ($0?.number ?? 0) + 1) })
        #expect(more == Spelled(number: 8))
    }

    @Test func `a page of a list has its keys, its values and where to go on`() throws {
        for key in ["b", "a/2", "a/1", "a/3"] { _ = answer(store.set(key, to: [key, "\""])) }
        let page = try value(store.list(prefix: "a/", limit: 2, as: [String].self))
        #expect(page.entries.map(\.key) == ["a/1", "a/2"])
        #expect(page.entries.map(\.value) == [["a/1", "\""], ["a/2", "\""]])
        #expect(page.after == "a/2")
        let rest = try value(store.list(prefix: "a/", after: page.after, as: [String].self))
        #expect(rest.entries.map(\.key) == ["a/3"] && rest.after == nil)
        #expect(try value(store.list(as: [String].self)).entries.count == 4)
        #expect(answer(store.list(limit: 0, as: Int.self)).contains("badRequest: limit"))
    }

    @Test func `a transaction is done whole, or not at all`() throws {
        let first: [StoreOperation] = [
            .expectNothing("count"), .set("count", to: 1), .set("a \"name\"", to: ["x": 1]),
        ]
        #expect(try value(store.transaction(first)))
        #expect(try value(store.transaction(first)) == false)
        #expect(
            try value(
                store.transaction([
                    .expect("count", is: 1), .remove("count"),
                    .expect("a \"name\"", is: ["x": 2]),
                ])) == false)
        #expect(try door.stored("count", as: Int.self) == 1)
        #expect(
            try value(
                store.transaction([.expect("a \"name\"", is: ["x": 1]), .remove("a \"name\"")])))
        #expect(try door.stored("a \"name\"", as: [String: Int].self) == nil)
        #expect(answer(store.transaction([])).contains("badRequest"))
        #expect(answer(store.transaction([.set("a", to: Double.nan)])).contains("no JSON form"))
    }

    @Test func `an update makes, changes and removes`() throws {
        let best = { [store] (score: Int) in
            store.update("best", as: Int.self) { max($0 ?? 0, score) }
        }
        #expect(try value(best(3)) == 3)
        #expect(try value(best(2)) == 3)
        #expect(try value(best(5)) == 5)
        #expect(try door.stored("best", as: Int.self) == 5)
        #expect(try value(store.update("best", as: Int.self) { _ in nil }) == nil)
        #expect(try door.stored("best", as: Int.self) == nil)
    }

    @Test func `of updates at the same time none is lost`() throws {
        let updates = (0..<8).map { _ in
            store.update("count", as: Int.self) { ($0 ?? 0) + 1 }.asObservable()
        }
        let counts = try value(Observable.merge(updates).toArray())
        #expect(counts.compactMap { $0 }.sorted() == Array(1...8))
        #expect(try door.stored("count", as: Int.self) == 8)
    }

    @Test func `an update goes by what is stored, not by what its type knows of it`() throws {
        struct Wide: PortValue {
            var score: Int
            var name: String
        }
        struct Narrow: PortValue {
            var score: Int
        }
        _ = answer(store.set("a", to: Wide(score: 1, name: "x")))
        let updated = try value(
            store.update("a", as: Narrow.self) { Narrow(score: ($0?.score ?? 0) + 1) })
        #expect(updated?.score == 2)
    }

    @Test func `an update that others always precede gives up`() throws {
        var rounds = 0
        let said = answer(
            store.update("count", as: Int.self) { [store] found in
                rounds += 1
                _ = store.set("count", to: rounds).subscribe()
                return (found ?? 0) + 100
            })
        #expect(said.contains("busy: \"count\" is changed by others"))
        #expect(rounds == 16)
    }

    @Test func `an update whose change fails, fails so`() {
        let said = answer(store.update("a", as: Int.self) { _ in throw PortValueError("no") })
        #expect(said.contains("no"))
        #expect(door.calls().count == 1)
    }
}
