// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Testing

@Suite struct LifetimeTests {
    @Test func `after close the feature and its streams are gone, whatever was pending`() throws {
        let probe = try ProbeLab()
        let tracker = Probe.Tracker()
        let instance = try Probe.$tracker.withValue(tracker) {
            try probe.open(
                options: ["asksAtOnce": true], stubs: [["store": true, "reply": ["never": true]]])
        }
        try instance.send("wait", 500)
        try instance.ask("store", ["get": "a"])
        try instance.send("say", "later", atTick: 5)
        #expect(tracker.feature != nil && tracker.relay != nil)
        probe.host.close(instance)
        #expect(tracker.feature == nil && tracker.relay == nil)
    }

    @Test func `after a failed open the feature is gone`() throws {
        let probe = try ProbeLab()
        let tracker = Probe.Tracker()
        Probe.$tracker.withValue(tracker) {
            _ = try? probe.open(options: ["asksAtOnce": true, "refuse": true])
        }
        #expect(tracker.feature == nil)
    }

    @Test func `an instance is gone when nobody holds it`() throws {
        let probe = try ProbeLab()
        weak var gone: Instance?
        do {
            let instance = try probe.open()
            gone = instance
            try instance.send("wait", 500)
            try instance.ask("store", ["get": "a"])
            probe.host.close(instance)
        }
        #expect(gone == nil)
    }

    @Test func `an instance closed inside its own callback is gone with the next that is closed`()
        throws
    {
        let probe = try ProbeLab()
        weak var gone: Instance?
        do {
            let instance = try probe.open()
            gone = instance
            let listener = Listener(onSaid: { [unowned instance] _ in probe.host.close(instance) })
            instance.subscribe(listener, to: try instance.feature.outputNumber("said"))
            try? instance.send("say", "x")
        }
        #expect(gone != nil)
        probe.host.close(try probe.open())
        #expect(gone == nil)
    }
}
