// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

struct ReplyTests {
    @Test func `a dropped reply answers internal error`() throws {
        let front = Front()
        let answers = try front.answer(Request.call("drop", 1))
        #expect(front.seen == ["drop"])
        #expect(answers.count == 1)
        #expect(answers[0]["id"] == 1)
        #expect(answers[0]["error"]?["code"] == -32603)
        #expect(answers[0]["error"]?["data"]?["kind"] == "internalError")
        #expect(front.session.callsInFlight == 0)
    }

    @Test func `a thrown error is the answer, and the only one`() throws {
        let front = Front()
        let answers = try front.answer(Request.call("throw", 2))
        #expect(answers.count == 1)
        #expect(answers[0]["id"] == 2)
        #expect(answers[0]["error"]?["data"]?["kind"] == "unknownInstance")
        #expect(front.session.callsInFlight == 0)
    }

    @Test func `a kept reply answers after its line is gone`() throws {
        let front = Front()
        let long = "\"" + String(repeating: "x", count: 100) + "\""
        front.receive(#"{"jsonrpc":"2.0","method":"keep","id":\#(long)}"# + "\n")
        front.receive(Request.call("keep", 2) + "\n")
        for id in 3..<200 { front.receive(Request.ping(id) + "\n") }
        #expect(front.takeLines().count == 197)
        #expect(front.session.callsInFlight == 2)
        var late = 0
        front.session.whenAnsweredLate = { late += 1 }
        front.kept[1].take()?.succeed { writer in writer.object { $0.member("late", true) } }
        front.kept[0].take()?.succeed()
        #expect(late == 2)
        #expect(
            front.takeLines() == [
                #"{"jsonrpc":"2.0","result":{"late":true},"id":2}"#,
                #"{"jsonrpc":"2.0","result":{},"id":\#(long)}"#,
            ])
        #expect(front.session.callsInFlight == 0)
    }

    @Test func `a kept reply is given once`() {
        let front = Front()
        front.receive(Request.call("keep", 1) + "\n")
        front.kept[0].take()?.succeed()
        #expect(front.kept[0].isTaken)
        let isGone = front.kept[0].take() == nil
        #expect(isGone)
        #expect(front.takeLines().count == 1)
    }

    @Test func `a kept reply that is let go answers internal error`() throws {
        let front = Front()
        front.receive(Request.call("keep", 1) + "\n")
        #expect(front.takeLines().isEmpty)
        front.kept = []
        #expect(try front.takeValues().first?["error"]?["code"] == -32603)
        #expect(front.session.callsInFlight == 0)
    }

    @Test func `a reply after the connection is gone is harmless`() {
        let front = Front()
        front.receive(Request.call("keep", 1) + "\n" + Request.call("keep", 2) + "\n")
        front.session.whenAnsweredLate = { Issue.record("the shell was told") }
        front.session.close()
        front.kept[0].take()?.succeed()
        front.kept = []
        #expect(front.takeLines().isEmpty)
        #expect(front.session.callsInFlight == 0)
    }

    @Test func `a reply may outlive its session's owner`() {
        var front: Front? = Front()
        weak let watched = front?.session
        front?.receive(Request.call("keep", 1) + "\n")
        let kept = front?.kept.first
        front?.session.close()
        front = nil
        #expect(watched != nil, "the reply holds its sink")
        kept?.take()?.succeed()
        #expect(watched == nil)
    }

    @Test func `a reply knows its id as written`() throws {
        let front = Front()
        front.receive(#"{"jsonrpc":"2.0","method":"keep","id":"a"}"# + "\n")
        Array(#"["a","b",1]"#.utf8).withUnsafeBytes { text in
            let ids = Array(RawJSON(validated: text).elements)
            #expect(ids.map(front.kept[0].hasID) == [true, false, false])
        }
    }

    @Test(arguments: ["daemon.ping", "drop", "throw", "refuse", "nobody"])
    func `a notification is carried out and never answered`(_ method: String) {
        let front = Front()
        front.receive(Request.notify(method) + "\n")
        #expect(front.takeLines().isEmpty)
        #expect(front.session.callsInFlight == 0)
    }

    @Test func `a kept notification is in flight and is not answered`() {
        let front = Front()
        front.receive(Request.notify("keep") + "\n")
        #expect(front.session.callsInFlight == 1)
        front.kept[0].take()?.succeed()
        #expect(front.session.callsInFlight == 0)
        #expect(front.takeLines().isEmpty)
    }

    @Test func `an earlier reply may be answered inside a later call`() {
        let finish = Method<Front>("finish", level: .read, doc: "") { call, reply in
            call.context.kept.removeFirst().take()?.succeed()
            reply.succeed()
        }
        let release = Method<Front>("release", level: .read, doc: "") { call, reply in
            call.context.kept = []
            reply.succeed()
        }
        let front = Front(Front.makeRouter([finish, release]))
        var late = 0
        front.session.whenAnsweredLate = { late += 1 }
        for (id, method) in ["keep", "finish", "keep", "release"].enumerated() {
            front.receive(Request.call(method, id) + "\n")
        }
        let lines = front.takeLines()
        #expect(lines.count == 4)
        #expect(lines[0] == #"{"jsonrpc":"2.0","result":{},"id":0}"#)
        #expect(lines[1] == #"{"jsonrpc":"2.0","result":{},"id":1}"#)
        #expect(lines[2].contains("-32603") && lines[2].hasSuffix("\"id\":2}"))
        #expect(lines[3] == #"{"jsonrpc":"2.0","result":{},"id":3}"#)
        #expect(late == 0, "the shell sends after process anyway")
    }
}
