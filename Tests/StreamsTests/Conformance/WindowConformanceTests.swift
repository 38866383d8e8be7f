// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 87, 90 and 91: whose clock a stream is on, and which instants a subscription sees.
@Suite struct WindowConformanceTests {
    @Test func `row 87 metastreams: inner streams are compared on their own time`() {
        let lab = Lab()
        let (x, y) = (lab.cold("-a-b|"), lab.cold("-c-d|"))
        let outer = lab.scheduler.createHotObservable([
            .next(3, ("x", x)), .next(7, ("y", y)), .completed(12),
        ])
        var inner: [(name: String, from: Int, observer: TestableObserver<String>)] = []
        let observer = lab.scheduler.start(created: 0, subscribed: 0) {
            outer.map { name, stream in
                let observer = lab.scheduler.createObserver(String.self)
                stream.subscribe(observer)
                inner.append((name, lab.scheduler.clock, observer))
                return name
            }
        }
        #expect(Lab.draw(observer.events) == "---x---y----|")
        let own = inner.map { name, from, observer in
            "\(name) "
                + Lab.draw(observer.events.map { Recorded(time: $0.time - from, value: $0.value) })
        }
        #expect(own == ["x -a-b|", "y -c-d|"])
    }

    @Test func `row 90 time zero: a subscription is made before the first value of its instant`() {
        let lab = Lab()
        let source = lab.hot("a-b-|")
        #expect(lab.draw { source } == "a-b-|")
        #expect(source.subscriptions == [TestSubscription(0, 4)])
    }

    @Test func `row 91 disposal: its instant is outside, for hot and cold alike`() {
        for isHot in [false, true] {
            let lab = Lab()
            let source = isHot ? lab.hot("--a--b--c--") : lab.cold("--a--b--c--")
            #expect(lab.draw(until: 8) { source } == "--a--b")
            #expect(source.subscriptions == [TestSubscription(0, 8)])
        }
    }

    @Test func `row 91 disposal: given up before a value of the same instant`() {
        let lab = Lab()
        let source = lab.hot("a-b-|")
        #expect(lab.draw(until: 2) { source } == "a")
        #expect(source.subscriptions == [TestSubscription(0, 2)])
    }
}
