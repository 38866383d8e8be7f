// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
package import JSONRPC
package import Scheduling

/// One effect that has not ended: whom to answer, and how to give it up.
final class OpenEffect {
    let effect: Int
    let request: JSONValue
    let since: Instant
    let answer: marbled_answer
    let data: UnsafeMutableRawPointer?
    /// The answer on its way.
    var token = WorkToken.none
    /// Whether somebody answered; who answers again is not heard.
    var isAnswered = false
    /// Whether the answer came; who lets go of the effect then does not cancel it.
    var isHeard = false
    /// How to tell the world that nobody waits any more.
    var cancel: (() -> Void)?

    init(
        effect: Int, request: JSONValue, since: Instant, answer: @escaping marbled_answer,
        data: UnsafeMutableRawPointer?
    ) {
        self.effect = effect
        self.request = request
        self.since = since
        self.answer = answer
        self.data = data
    }

    func giveUp() {
        cancel.take()?()
    }
}

extension Instance {
    /// Names that are kept per instance, and how long each may be: the record numbers them.
    private static let effectNameCount = 256
    private static let effectNameLength = 128

    /// The feature asks the world something: a stub answers, else the provider, else nobody is there.
    func perform(
        _ name: UnsafeRawBufferPointer, _ request: UnsafeRawBufferPointer,
        _ answer: @escaping marbled_answer, _ data: UnsafeMutableRawPointer?
    ) -> UInt64 {
        guard isOpen else { return 0 }
        guard effects.count < host.limits.openEffects else {
            fail("it has \(host.limits.openEffects) effects open and asks for another")
            return 0
        }
        guard name.count <= Self.effectNameLength else {
            fail("it asked for an effect whose name has \(name.count) bytes")
            return 0
        }
        let name = String(decoding: name, as: UTF8.self)
        guard let json = host.parse(request) else {
            fail("what it asked of \(name) is not JSON")
            return 0
        }
        guard let effect = effectNumber(name) else {
            fail("it asked for more than \(Self.effectNameCount) different effects")
            return 0
        }
        let now = clock.now
        request.onOneLine { request in
            record.append(
                at: now.nanoseconds, step: clock.microstep, kind: .effect, port: effect,
                event: .next, value: request)
        }
        let id = nextEffect
        nextEffect += 1
        let open = OpenEffect(
            effect: effect, request: json, since: now, answer: answer, data: data)
        effects[id] = open
        if let reply = stubs.reply(to: name, json, at: now.nanoseconds) {
            guard let said = reply.answer else { return id }
            arrive(id, open, said, at: now.advanced(byNanoseconds: reply.after))
        } else if let provider = providers[name] {
            let cancel = provider.perform(json, for: self) { [weak self, weak open] said in
                guard let self, let open, effects[id] === open, !open.isAnswered else { return }
                open.cancel = nil
                arrive(id, open, said, at: clock.now)
                runDueFromOutside()
            }
            if !open.isAnswered { open.cancel = cancel }
        } else {
            let message = "there is no live \"\(name)\" here, and no stub matches the request"
            arrive(id, open, .failure(kind: "unavailable", message: message), at: now)
        }
        return id
    }

    func cancelEffect(_ id: UInt64) -> Bool {
        guard let open = effects.removeValue(forKey: id) else { return false }
        if !open.isHeard {
            Array(open.request.text.utf8).withUnsafeBytes { request in
                _ = record.append(
                    at: clock.now.nanoseconds, step: clock.microstep, kind: .cancel,
                    port: open.effect, event: .next, value: request)
            }
        }
        clock.scheduler.cancel(open.token)
        open.giveUp()
        return true
    }

    /// Puts an answer on the timeline.
    private func arrive(_ id: UInt64, _ open: OpenEffect, _ said: EffectAnswer, at due: Instant) {
        open.isAnswered = true
        open.token = clock.scheduler.schedule(at: due, phase: .arrival, label: "effect answer") {
            [unowned self] in
            guard effects[id] === open, isOpen else { return }
            open.token = .none
            said.json.withUnsafeBytes { deliver(id, open, said.event, $0) }
        }
    }

    /// Hands an answer to the plugin, and that nothing more comes.
    private func deliver(
        _ id: UInt64, _ open: OpenEffect, _ event: Record.Event, _ json: UnsafeRawBufferPointer
    ) {
        record.append(
            at: clock.now.nanoseconds, step: clock.microstep, kind: .answer, port: open.effect,
            event: event, value: json)
        open.isHeard = true
        if event == .error { effects[id] = nil }
        callPlugin { open.answer(open.data, UInt32(event.rawValue), marbled_bytes(json)) }
        // A plugin that has what it wanted may have given the effect up inside the answer, and let go of
        // what its `data` points to.
        guard event == .next, isOpen, effects.removeValue(forKey: id) != nil else { return }
        callPlugin {
            open.answer(
                open.data, UInt32(Record.Event.completed.rawValue),
                marbled_bytes(data: nil, size: 0))
        }
    }

    /// The number of an effect among those this instance has used, or nil past the bound. A name that its
    /// manifest does not list is recorded all the same.
    private func effectNumber(_ name: String) -> Int? {
        if let number = effectNames.firstIndex(of: name) { return number }
        guard effectNames.count < Self.effectNameCount else { return nil }
        effectNames.append(name)
        return effectNames.count - 1
    }

    /// The effects that have not ended, oldest first.
    package var openEffects: [(effect: String, request: JSONValue, since: Instant)] {
        effects.sorted { $0.key < $1.key }.map {
            (effectNames[$0.value.effect], $0.value.request, $0.value.since)
        }
    }

    /// Whether somebody answers an effect for which no stub does.
    package func hasProvider(for effect: String) -> Bool { providers[effect] != nil }

    /// Puts other stubs in place; requests that wait for an answer keep waiting.
    package func setStubs(_ stubs: [Stub]) {
        self.stubs.replace(with: stubs)
    }

    /// The name of what a record entry is about.
    package func portName(_ entry: Record.Entry) -> String {
        switch entry.kind {
        case .input: feature.inputs[Int(entry.port)].name
        case .output: feature.outputs[Int(entry.port)].name
        case .effect, .answer, .cancel: effectNames[Int(entry.port)]
        }
    }
}
