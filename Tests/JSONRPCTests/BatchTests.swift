// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

struct BatchTests {
    private func batch(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }

    @Test func `answers stand in the order of the calls, late ones included`() throws {
        let front = Front()
        front.receive(
            batch([
                Request.call("keep", 1), Request.ping(2), Request.notify("keep"),
                Request.call("keep", 3), Request.call("drop", 4),
            ]) + "\n" + Request.ping(9) + "\n")
        #expect(try front.takeValues().map { $0["id"] } == [9], "other calls overtake the batch")
        #expect(front.session.callsInFlight == 4)
        front.kept[2].take()?.succeed()
        front.kept[0].take()?.fail(RPCError(.busy))
        #expect(front.takeLines().isEmpty, "a notification still runs")
        front.kept[1].take()?.succeed()
        let answers = try #require(try front.takeValues().first?.array)
        #expect(answers.map { $0["id"] } == [1, 2, 3, 4])
        #expect(
            answers.map { $0["error"]?["data"]?["kind"]?.string } == [
                "busy", nil, nil, "internalError",
            ])
        #expect(front.session.callsInFlight == 0)
    }

    @Test func `a batch inside a batch is an invalid request`() throws {
        let answers = try Front().answer(batch([Request.ping(1), "[\(Request.ping(2))]"]))
        #expect(answers[0].array?.map { $0["error"]?["code"] } == [nil, -32600])
    }

    @Test func `calls past the limit are told so and not run`() throws {
        let front = Front()
        let items = (1...99).map(Request.ping) + [Request.notify("daemon.ping")]
        let past = [Request.ping(101), Request.notify("daemon.ping"), "1", "2", Request.ping(105)]
        let answers = try #require(try front.answer(batch(items + past)).first?.array)
        #expect(front.seen.count == 100)
        #expect(answers.count == 102)
        #expect(answers.prefix(99).allSatisfy { $0["result"] == [:] })
        #expect(answers.dropFirst(99).compactMap { $0["id"] } == [101, .null, 105] as [JSONValue])
        #expect(
            answers.dropFirst(99).allSatisfy { $0["error"]?["data"]?["kind"] == "limit" })
    }

    @Test func `a line of nonsense is not answered with fifty times its length`() throws {
        let front = Front()
        front.receive(batch(Array(repeating: "1", count: 100_000)) + "\n")
        let answers = try #require(try front.takeValues().first?.array)
        #expect(answers.count == 101)
        #expect(answers.dropLast().allSatisfy { $0["error"]?["code"] == -32600 })
        #expect(answers.last?["error"]?["data"]?["kind"] == "limit")
    }

    @Test func `answers past the byte limit become limit errors`() throws {
        var limits = RPCLimits()
        limits.batchAnswerBytes = 1000
        let front = Front(limits: limits)
        let value = "{\"value\":\"" + String(repeating: "x", count: 400) + "\"}"
        let items =
            (1...2).map { Request.call("echo", $0, value) }
            + [Request.call("echo", 3, value), Request.call("echo", 4), Request.call("echo", 5)]
        front.receive(batch(items) + "\n")
        let text = try #require(front.takeLines().first)
        let answers = try #require(try JSONValue(parsing: text).array)
        #expect(answers.map { $0["id"] } == [1, 2, 3, 4, 5])
        #expect(
            answers.map { $0["error"]?["data"]?["kind"]?.string } == [
                nil, nil, "limit", "limit", "limit",
            ])
        #expect(front.seen.count == 3, "the third is carried out, its answer does not fit")
        #expect(text.utf8.count < 1000 + 3 * 250)
    }

    @Test func `an open batch counts as one call until it is written`() {
        let front = Front()
        front.receive(batch([Request.call("keep", 1)]) + "\n")
        #expect(front.session.callsInFlight == 2)
        front.kept[0].take()?.succeed()
        #expect(front.session.callsInFlight == 0)
    }
}
