// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import Testing

private let gone = Complaint(.closed, "the daemon closed the connection")
private let absent = Complaint(.cannotConnect, "no daemon")

private func event(
    _ subscription: String, _ output: String, _ value: JSONValue, cursor: String,
    _ event: String = "next"
) -> WatchSession.Input {
    .notified(
        ServerNotification(
            "stream.event",
            [
                "subscription": .string(subscription), "cursor": .string(cursor), "at": 0,
                "output": .string(output), "event": .string(event), "value": value,
            ]))
}

private func notification(_ method: String, _ params: JSONValue) -> WatchSession.Input {
    .notified(ServerNotification("stream.\(method)", params))
}

extension WatchSession {
    fileprivate init(
        _ outputs: [String] = [], change: (inout Options) -> Void = { _ in }
    ) {
        var options = Options(instance: "i1", outputs: outputs)
        change(&options)
        self.init(options, now: 0)
    }

    /// Connects and answers each subscription: `s1` from cursor `e:1`, `s2` from `e:2`, and so on.
    fileprivate mutating func stream() {
        var actions = handle(.connected, now: 0)
        var number = 0
        while case .subscribe? = actions.last {
            number += 1
            let name = "s\(number)"
            actions = handle(
                .subscribed([
                    "subscription": .string(name), "cursor": .string("e:\(number)"),
                ]), now: 0)
        }
    }
}

@Suite struct `A watcher` {
    @Test func `subscribes to everything where no output is named`() {
        var watch = WatchSession()
        #expect(
            watch.handle(.connected, now: 0) == [.subscribe(["instance": "i1", "output": "*"])])
        #expect(watch.handle(.subscribed(["subscription": "s1", "cursor": "e:0"]), now: 0) == [])
        #expect(watch.isStreaming)
    }

    @Test func `subscribes to one output after the other`() {
        var watch = WatchSession(["round", "target"]) { $0.since = "e:7" }
        #expect(
            watch.handle(.connected, now: 0)
                == [.subscribe(["instance": "i1", "output": "round", "since": "e:7"])])
        #expect(
            watch.handle(.subscribed(["subscription": "s1", "cursor": "e:9"]), now: 0)
                == [.subscribe(["instance": "i1", "output": "target", "since": "e:7"])])
    }

    @Test func `reports events without what only the connection knows`() {
        var watch = WatchSession()
        watch.stream()
        let actions = watch.handle(event("s1", "round", 2, cursor: "e:5"), now: 0)
        #expect(
            actions == [
                .report(
                    .event([
                        "cursor": "e:5", "at": 0, "output": "round", "event": "next", "value": 2,
                    ]))
            ])
        #expect(watch.handle(event("s9", "round", 2, cursor: "e:6"), now: 0) == [])
    }

    @Test func `goes on at its last cursor after the connection was lost`() {
        var watch = WatchSession(["round", "target"])
        watch.stream()
        _ = watch.handle(event("s1", "round", 2, cursor: "e:5"), now: 0)
        #expect(watch.handle(.connectionLost(gone), now: 0) == [.connect(after: .zero)])
        #expect(
            watch.handle(.connected, now: 1)
                == [.subscribe(["instance": "i1", "output": "round", "since": "e:5"])])
        #expect(
            watch.handle(.subscribed(["subscription": "s1", "cursor": "e:8"]), now: 1)
                == [.subscribe(["instance": "i1", "output": "target", "since": "e:2"])])
    }

    @Test func `asks again for what had not come when the connection was lost once more`() {
        var watch = WatchSession(["round"])
        watch.stream()
        _ = watch.handle(event("s1", "round", 2, cursor: "e:5"), now: 0)
        _ = watch.handle(.connectionLost(gone), now: 0)
        _ = watch.handle(.connected, now: 0)
        // The answer's cursor is the present; the events since e:5 are still on their way.
        _ = watch.handle(.subscribed(["subscription": "s1", "cursor": "e:9"]), now: 0)
        _ = watch.handle(.connectionLost(gone), now: 0)
        #expect(
            watch.handle(.connected, now: 0)
                == [.subscribe(["instance": "i1", "output": "round", "since": "e:5"])])
    }

    @Test func `reports that the daemon could not go on from there`() {
        var watch = WatchSession(["round"]) { $0.since = "old:1" }
        _ = watch.handle(.connected, now: 0)
        #expect(
            watch.handle(
                .subscribed(["subscription": "s1", "cursor": "e:9", "reset": true]), now: 0)
                == [.report(.reset(output: "round", cursor: "e:9"))])
        _ = watch.handle(.connectionLost(gone), now: 0)
        #expect(
            watch.handle(.connected, now: 0)
                == [.subscribe(["instance": "i1", "output": "round", "since": "e:9"])])
    }

    @Test
    func `a daemon that accepts and says nothing is waited for no longer than one that is gone`() {
        var watch = WatchSession()
        watch.stream()
        var now: Int64 = 0
        var actions = watch.handle(.connectionLost(gone), now: now)
        var pauses: [Duration] = []
        while case .connect(let pause)? = actions.first {
            pauses.append(pause)
            _ = watch.handle(.connected, now: now)
            // Each time its answer is waited for in vain.
            now += 10_000_000_000
            actions = watch.handle(.connectionLost(gone), now: now)
        }
        #expect(pauses == [.zero, .milliseconds(50), .milliseconds(100)])
        guard case .finish(let complaint?)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(complaint.sentence.contains("did not come back"))
        // One that never said anything at all did not go away.
        var first = WatchSession()
        _ = first.handle(.connected, now: 0)
        #expect(first.handle(.connectionLost(gone), now: 30_000_000_000) == [.finish(gone)])
    }

    @Test func `waits longer each time, and 30 seconds in all`() {
        var watch = WatchSession()
        watch.stream()
        let start: Int64 = 5_000_000_000
        _ = watch.handle(.connectionLost(gone), now: start)
        var pauses: [Duration] = []
        for _ in 0..<8 {
            let actions = watch.handle(.connectFailed(absent), now: start)
            if case .connect(let pause)? = actions.first { pauses.append(pause) }
        }
        #expect(
            pauses
                == [50, 100, 200, 400, 800, 1600, 2000, 2000].map { Duration.milliseconds($0) })
        #expect(
            watch.handle(.connectFailed(absent), now: start + 29_999_999_999)
                == [.connect(after: .seconds(2))])
        let actions = watch.handle(.connectFailed(absent), now: start + 30_000_000_000)
        guard case .finish(let complaint?)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(complaint.status == .closed)
        #expect(complaint.advice == "Go on later with --since e:1.")
    }

    @Test func `takes a daemon that stops for one that may come back`() {
        let stopping = notification(
            "closed", ["subscription": "s1", "reason": .string(ErrorKind.stopping.summary)])
        var watch = WatchSession(["round"])
        watch.stream()
        let report = WatchSession.Action.report(
            .closed(output: "round", reason: ErrorKind.stopping.summary))
        #expect(watch.handle(stopping, now: 0) == [report])
        #expect(watch.handle(.connectionLost(gone), now: 0) == [.connect(after: .zero)])
        var single = WatchSession(["round"]) { $0.reconnects = false }
        single.stream()
        #expect(single.handle(stopping, now: 0).count == 2)
    }

    @Test func `waits for an instance that the daemon came back without`() {
        let missing = RemoteError(["data": ["kind": "unknownInstance"]])
        var watch = WatchSession()
        watch.stream()
        #expect(watch.situation == nil)
        _ = watch.handle(.connectionLost(gone), now: 0)
        #expect(watch.situation == "the connection is lost; looking for the daemon…")
        _ = watch.handle(.connected, now: 0)
        #expect(
            watch.handle(.subscribeFailed(missing), now: 0)
                == [.connect(after: .milliseconds(50))])
        #expect(
            watch.situation == "the daemon is back without i1; waiting for it to be opened…")
        _ = watch.handle(.connected, now: 1)
        #expect(
            watch.handle(.subscribeFailed(missing), now: 1)
                == [.connect(after: .milliseconds(100))])
        // The daemon goes once more: the time that it is waited for does not begin again.
        _ = watch.handle(.connected, now: 2)
        _ = watch.handle(.connectionLost(gone), now: 2)
        #expect(watch.situation == "the connection is lost; looking for the daemon…")
        _ = watch.handle(.connected, now: 30_000_000_000)
        let actions = watch.handle(.subscribeFailed(missing), now: 30_000_000_000)
        guard case .finish(let complaint?)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(complaint.status == .closed)
        #expect(complaint.advice == "Open it with `marblectl open FEATURE --name i1`.")
    }

    @Test func `goes on with an instance that was opened again`() {
        let missing = RemoteError(["data": ["kind": "unknownInstance"]])
        var watch = WatchSession()
        watch.stream()
        _ = watch.handle(.connectionLost(gone), now: 0)
        _ = watch.handle(.connected, now: 0)
        _ = watch.handle(.subscribeFailed(missing), now: 0)
        #expect(
            watch.handle(.connected, now: 0)
                == [.subscribe(["instance": "i1", "output": "*", "since": "e:1"])])
        _ = watch.handle(
            .subscribed(["subscription": "s1", "cursor": "f:1", "reset": true]), now: 0)
        #expect(watch.isStreaming && watch.situation == nil)
        // Another loss is another outage.
        _ = watch.handle(.connectionLost(gone), now: 40_000_000_000)
        #expect(
            watch.handle(.connectFailed(absent), now: 40_000_000_000)
                == [.connect(after: .milliseconds(50))])
    }

    @Test func `does not wait for an instance that was never there`() {
        let missing = RemoteError(["data": ["kind": "unknownInstance"]])
        var watch = WatchSession()
        _ = watch.handle(.connected, now: 0)
        guard case .finish? = watch.handle(.subscribeFailed(missing), now: 0).first else {
            Issue.record("the watch went on")
            return
        }
    }

    @Test func `goes on from the cursor that a quiet stream was told`() {
        var watch = WatchSession(["round"])
        watch.stream()
        #expect(
            watch.handle(
                notification("bookmark", ["subscription": "s1", "cursor": "e:9"]), now: 0) == [])
        _ = watch.handle(.connectionLost(gone), now: 0)
        #expect(
            watch.handle(.connected, now: 0)
                == [.subscribe(["instance": "i1", "output": "round", "since": "e:9"])])
    }

    @Test func `does not connect anew where it must not`() {
        var watch = WatchSession { $0.reconnects = false }
        watch.stream()
        #expect(watch.handle(.connectionLost(gone), now: 0) == [.finish(gone)])
    }

    @Test func `ends after so many events`() {
        var watch = WatchSession { $0.count = 2 }
        watch.stream()
        #expect(watch.handle(event("s1", "a", 1, cursor: "e:1"), now: 0).count == 1)
        #expect(watch.handle(event("s1", "b", 2, cursor: "e:2"), now: 0).last == .finish(nil))
        #expect(watch.handle(event("s1", "b", 3, cursor: "e:3"), now: 0) == [])
    }

    @Test func `ends when every output it watches has ended`() {
        var watch = WatchSession(["a", "b"])
        watch.stream()
        #expect(
            watch.handle(event("s1", "a", nil, cursor: "e:1", "completed"), now: 0).count == 1)
        #expect(
            watch.handle(event("s2", "b", "oops", cursor: "e:2", "error"), now: 0).last
                == .finish(nil))
    }

    @Test func `does not subscribe anew to an output that has ended`() {
        var watch = WatchSession(["a", "b"])
        watch.stream()
        _ = watch.handle(event("s1", "a", nil, cursor: "e:5", "completed"), now: 0)
        _ = watch.handle(.connectionLost(gone), now: 0)
        #expect(
            watch.handle(.connected, now: 0)
                == [.subscribe(["instance": "i1", "output": "b", "since": "e:2"])])
    }

    @Test func `complains when the server closed its streams`() {
        var watch = WatchSession(["a", "b"])
        watch.stream()
        #expect(
            watch.handle(
                notification("closed", ["subscription": "s1", "reason": "slow"]), now: 0)
                == [.report(.closed(output: "a", reason: "slow"))])
        let actions = watch.handle(
            notification("closed", ["subscription": "s2", "reason": "stopping"]), now: 0)
        guard case .finish(let complaint?)? = actions.last else {
            Issue.record("\(actions)")
            return
        }
        #expect(complaint.status == .closed)
        #expect(complaint.sentence == "the daemon closed the stream: stopping")
    }

    @Test func `goes on when only its connection was too slow`() {
        var watch = WatchSession()
        watch.stream()
        #expect(
            watch.handle(notification("closed", ["reason": "8 MiB unsent"]), now: 0)
                == [.report(.closed(output: nil, reason: "8 MiB unsent"))])
        #expect(watch.handle(.connectionLost(gone), now: 0) == [.connect(after: .zero)])
    }

    @Test func `ends with the daemon's refusal`() {
        var watch = WatchSession()
        _ = watch.handle(.connected, now: 0)
        let refusal = RemoteError(["code": -32001, "message": "no instance has this name"])
        guard
            case .finish(let complaint?)? =
                watch.handle(.subscribeFailed(refusal), now: 0).first
        else {
            Issue.record("the watch went on")
            return
        }
        #expect(complaint.status == .refused)
    }

    @Test func `prints each kind of record as its own shape`() {
        let gap = notification(
            "gap", ["subscription": "s1", "from": "e:1", "to": "e:4", "count": 3])
        var watch = WatchSession()
        watch.stream()
        guard case .report(let record)? = watch.handle(gap, now: 0).first else {
            Issue.record("no report")
            return
        }
        #expect(record.json.text == #"{"gap":3,"from":"e:1","to":"e:4"}"#)
        // It goes on behind what was lost.
        _ = watch.handle(.connectionLost(gone), now: 0)
        #expect(
            watch.handle(.connected, now: 0)
                == [.subscribe(["instance": "i1", "output": "*", "since": "e:4"])])
        #expect(
            WatchRecord.reset(output: "*", cursor: "e:1").json.text
                == #"{"reset":true,"output":"*","cursor":"e:1"}"#)
        #expect(
            WatchRecord.closed(output: nil, reason: "slow").json.text == #"{"closed":"slow"}"#)
        #expect(record.remark == "3 events lost: read faster")
    }
}

@Suite struct `A watched picture` {
    private let inspection: JSONValue = [
        "clock": "virtual", "now": 10_000_000,
        "outputs": [["name": "round"], ["name": "target"]],
    ]

    private func event(_ output: String, _ at: Int64, _ value: JSONValue) -> WatchRecord {
        .event(["output": .string(output), "at": .int(at), "event": "next", "value": value])
    }

    @Test func `has a lane for each output`() {
        var picture = WatchPicture(inspection, outputs: [], tick: nil, now: 0, ink: .none)
        picture.take(event("round", 10_000_000, 1), now: 0)
        picture.take(event("target", 13_000_000, "x"), now: 0)
        #expect(
            picture.lines(width: 80, now: 99_000_000_000) == [
                "tick=1ms  10", "round     1───", "target    ───x",
            ])
    }

    @Test func `of real time moves on by itself`() {
        var inspection = inspection
        inspection["clock"] = "real"
        var picture = WatchPicture(
            inspection, outputs: ["round"], tick: .milliseconds(1), now: 500, ink: .none)
        picture.take(event("round", 10_000_000, 1), now: 500)
        #expect(
            picture.lines(width: 80, now: 3_000_500) == ["tick=1ms  10", "round     1───"])
    }

    @Test func `says what happened to the stream`() {
        var picture = WatchPicture(inspection, outputs: ["round"], tick: nil, now: 0, ink: .none)
        picture.take(.gap(count: 1, from: "a", to: "b"), now: 0)
        #expect(picture.lines(width: 80, now: 0).last == "1 event lost: read faster")
        picture.say(nil)
        #expect(picture.lines(width: 80, now: 0).count == 2)
    }
}
