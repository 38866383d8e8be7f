// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
package import JSONRPC
package import Scheduling

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
            host.strike("openEffects")
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
        let shown = host.redaction.shown(json, of: name)
        var entry = 0
        func note(_ request: UnsafeRawBufferPointer) {
            entry = record.append(
                at: now.nanoseconds, late: clock.lateness, step: clock.microstep, kind: .effect,
                port: effect, event: .next, value: request)
        }
        if !host.redaction.concerns(name) || shown == json {
            request.onOneLine(note)
        } else {
            Array(shown.text.utf8).withUnsafeBytes(note)
        }
        let id = nextEffect
        nextEffect += 1
        let open = OpenEffect(
            effect: effect, request: shown, since: now, entry: entry, answer: answer, data: data)
        effects[id] = open
        switch script?.plan(for: name, json, shownAs: shown, id: id, of: self) {
        case .answers(let answers)?:
            arrive(id, open, answers)
            open.isAnswered = true
        case .refuse(let reason)?: fail(reason)
        case .world?, nil: askWorld(id, open, name, json)
        }
        return id
    }

    /// Without a script: a stub answers, else the provider, else nobody is there.
    private func askWorld(
        _ id: UInt64, _ open: OpenEffect, _ name: String, _ request: JSONValue
    ) {
        if let refusal = host.effect(name)?.refusal(of: request) {
            arrive(id, open, [TimedAnswer(after: 0, refusal)])
        } else {
            stubDesk.ask(id, name, request, at: open.since)
        }
    }

    /// Puts what a script answers on the timeline, of an effect to which it gave no answers yet.
    package func answer(_ id: UInt64, _ answers: [TimedAnswer]) {
        if let open = effects[id] { arrive(id, open, answers) }
    }

    /// Puts what stubs answer on the timeline; who gave the effect up does not hear it.
    func stubsAnswer(_ id: UInt64, _ answers: [TimedAnswer], from start: Instant) {
        guard let open = effects[id] else { return }
        let delay = start.nanoseconds &- open.since.nanoseconds
        let description = host.effect(effectNames[open.effect])
        var shifted: [TimedAnswer] = []
        for one in answers {
            let said = description?.checked(one.answer) ?? one.answer
            let (after, overflow) = delay.addingReportingOverflow(one.after)
            shifted.append(TimedAnswer(after: overflow ? .max : after, said))
            // Behind a bad answer nothing comes.
            if said.isLast { break }
        }
        arrive(id, open, shifted)
    }

    /// No stub answers.
    func askProvider(_ id: UInt64, _ name: String, _ request: JSONValue) {
        guard let open = effects[id] else { return }
        if let provider = providers[name] {
            // One that a partition kept waiting is asked late.
            let began = host.clock() &- (clock.now.nanoseconds &- open.since.nanoseconds)
            open.asker = self
            let cancel = provider.perform(request, for: self) { said in
                guard let self = open.asker, !open.isAnswered else { return }
                self.worldAnswered(id, open, said, after: self.host.clock() &- began)
            }
            // Given up from inside: too many answers at once, or the instance is over.
            guard !open.isGivenUp else { return cancel?() ?? () }
            guard !open.isAnswered else { return }
            open.cancel = cancel
            if case .virtual(let scheduler) = clock { open.hold = scheduler.hold("live effect") }
        } else {
            let message = "there is no live \"\(name)\" here, and no stub matches the request"
            let failure = EffectAnswer.failure(kind: "unavailable", message: message)
            stubsAnswer(id, [TimedAnswer(after: 0, failure)], from: clock.now)
        }
    }

    /// A provider has answered, now or later. In virtual time, which stood still meanwhile, the answer
    /// takes as long as it took the world.
    private func worldAnswered(
        _ id: UInt64, _ open: OpenEffect, _ given: EffectAnswer, after latency: Int64
    ) {
        var said = host.effect(effectNames[open.effect])?.checked(given) ?? given
        if !given.isLast, said.isLast { open.giveUp() }
        if !said.isLast, open.answers.count >= host.limits.waitingAnswers {
            host.strike("waitingAnswers")
            open.giveUp()
            let waiting = open.answers.count
            let message = "\(waiting) answers wait and another came (limits.waitingAnswers)"
            said = .failure(kind: "overrun", message: message)
        }
        if said.isLast {
            open.cancel = nil
            open.asker = nil
        }
        var after = clock.arrivalInstant().nanoseconds &- open.since.nanoseconds
        if let hold = open.hold {
            after = max(0, latency)
            if said.isLast {
                open.hold = nil
                hold.release()
            }
        }
        arrive(id, open, [TimedAnswer(after: after, said)])
        runDueFromOutside()
        worldHasAnswered?()
    }

    func cancelEffect(_ id: UInt64) -> Bool {
        guard let open = effects.removeValue(forKey: id) else { return false }
        if !open.isHeard {
            Array(open.request.text.utf8).withUnsafeBytes { request in
                _ = record.append(
                    at: clock.now.nanoseconds, late: clock.lateness, step: clock.microstep,
                    kind: .cancel, port: open.effect, event: .next, cause: open.entry,
                    value: request)
            }
        }
        clock.scheduler.cancel(open.token)
        stubDesk.giveUp(id)
        open.giveUp()
        return true
    }

    /// Puts answers on the timeline, one after the other, behind those that are on their way.
    private func arrive(_ id: UInt64, _ open: OpenEffect, _ answers: [TimedAnswer]) {
        if let last = answers.last { open.isAnswered = last.answer.isLast }
        open.answers += answers
        if open.token == .none { scheduleNext(id, open) }
    }

    private func scheduleNext(_ id: UInt64, _ open: OpenEffect) {
        guard let next = open.answers.first else { return }
        let due = open.since.advanced(byNanoseconds: next.after)
        open.token = clock.scheduler.schedule(at: due, phase: .arrival, label: "effect answer") {
            [unowned self] in
            guard effects[id] === open, isOpen, let next = open.answers.popFirst() else { return }
            open.token = .none
            scheduleNext(id, open)
            deliver(id, open, next.answer)
        }
    }

    /// Releases what stubs hold under `name`, in the order in which it was asked for: it is answered from now
    /// on; and heals the partitions of that name. Returns how many answers and partitions that were. From
    /// outside any run, what is due now runs at once.
    @discardableResult
    package func release(_ name: String) -> Int {
        let count = stubDesk.release(name, at: clock.arrivalInstant())
        if count > 0 { runDueFromOutside() }
        return count
    }

    /// The names under which stubs hold answers or can be healed.
    package var heldNames: [String] { stubDesk.names(at: clock.now) }

    /// The rules, and what was asked of them.
    package var stubs: StubBook { stubDesk.book }

    /// Lets an answer of this effect that is due at `due` come after whatever else is due then; false
    /// when there is none.
    @discardableResult
    package func putAnswerLast(_ id: UInt64, at due: Instant) -> Bool {
        guard let open = effects[id], let next = open.answers.first,
            open.since.advanced(byNanoseconds: next.after) == due,
            clock.scheduler.cancel(open.token)
        else { return false }
        scheduleNext(id, open)
        return true
    }

    /// Hands an answer to the plugin and, where it is the one answer, that nothing more comes.
    private func deliver(_ id: UInt64, _ open: OpenEffect, _ said: EffectAnswer) {
        let json = said.json
        note(said, json, of: open)
        open.isHeard = said.isLast
        switch said {
        case .failure, .error, .completed: effects[id] = nil
        case .value, .part: break
        }
        callPlugin {
            json.withUnsafeBytes {
                open.answer(open.data, UInt32(said.event.rawValue), marbled_bytes($0))
            }
        }
        // A plugin that has what it wanted may have given the effect up inside the answer, and let go of
        // what its `data` points to.
        guard case .value = said, isOpen, effects.removeValue(forKey: id) != nil else { return }
        callPlugin {
            open.answer(
                open.data, UInt32(Record.Event.completed.rawValue),
                marbled_bytes(data: nil, size: 0))
        }
    }

    /// Writes an answer down, as it may be shown.
    private func note(_ said: EffectAnswer, _ json: [UInt8], of open: OpenEffect) {
        var shown = json
        if effectNames[open.effect] == "http", said.event == .next,
            let answer = json.withUnsafeBytes({ try? JSONValue(parsing: $0) })
        {
            let redacted = host.redaction.redact(answer: answer)
            if redacted != answer { shown = Array(redacted.text.utf8) }
        }
        _ = shown.withUnsafeBytes {
            record.append(
                at: clock.now.nanoseconds, late: clock.lateness, step: clock.microstep,
                kind: .answer, port: open.effect, event: said.event, cause: open.entry,
                hasMore: !said.isLast, value: $0)
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

    /// A request as it may be shown.
    package func shown(_ request: JSONValue, of effect: String) -> JSONValue {
        host.redaction.shown(request, of: effect)
    }

    /// Puts other stubs in place; see `StubDesk.replace(with:at:)`.
    package func setStubs(_ stubs: [Stub]) {
        // Reading a real clock moves it: where nothing can be let go it stays, also before the feature starts.
        guard stubDesk.hasWaiting else { return stubDesk.replace(with: stubs, at: clock.now) }
        stubDesk.replace(with: stubs, at: clock.arrivalInstant())
        runDueFromOutside()
    }

    /// The name of what a record entry is about.
    package func portName(_ entry: Record.Entry) -> String {
        switch entry.kind {
        case .jump: "clock"
        case .input: feature.inputs[Int(entry.port)].name
        case .output: feature.outputs[Int(entry.port)].name
        case .effect, .answer, .cancel: effectNames[Int(entry.port)]
        }
    }
}
