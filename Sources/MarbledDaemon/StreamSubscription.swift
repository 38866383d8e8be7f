// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

/// What a client hears of one output, or of all outputs of an instance.
///
/// A client that keeps up is written to at once. One that does not is held back: of a state only the
/// newest value is kept, and always delivered; events queue up to a bound of their own and one of the
/// connection, and then the oldest give way to a `stream.gap`, or the stream closes, as the subscriber chose.
///
/// Loop-confined. Ends by `close`, by `detach`, or with the instance.
final class StreamSubscription: OutputSubscriber {
    /// What happens when the queue of events is full.
    enum Overflow: String, CaseIterable {
        case gap
        case close
    }

    let number: Int
    let name: String
    let instance: Instance
    let outputs: [Int]
    private unowned let session: ClientSession
    private let overflow: Overflow
    private let lines: StreamLines
    /// How each of its lines begins.
    private let head: [UInt8]
    /// States whose newest value is held back, by output: the line's tail, and its number.
    private var heldStates: [Int: (number: Int, tail: [UInt8])] = [:]
    /// Events that are held back: the lines' tails, and the number of each.
    private var heldEvents: [(number: Int, tail: [UInt8])] = []
    /// How many at the front of them are lost already.
    private var lostAtFront = 0
    private var heldBytes = 0 {
        didSet { session.noteHeld(heldBytes - oldValue) }
    }
    /// Events that were lost since the last one written.
    private var gap: (from: Int, to: Int, count: Int)?
    private var isListening = false
    private var isClosed = false
    /// Its answer is not written yet: everything is held back.
    private var isParked = true
    /// Where its client resumes once it is: nothing is held back then, the record has it.
    private var parkedSince: Int?
    /// Why it ended before that.
    private var parkedEnd: String?
    /// The entry before which its client knows that it stands.
    private var told: Int

    init(
        number: Int, instance: Instance, outputs: [Int], overflow: Overflow,
        session: ClientSession
    ) {
        self.number = number
        name = "s\(number)"
        head = Array(
            #"{"jsonrpc":"2.0","method":"stream.event","params":{"subscription":"\#(name)"#.utf8)
        self.instance = instance
        self.outputs = outputs
        self.overflow = overflow
        self.session = session
        lines = session.daemon.lines
        told = instance.record.next
    }

    // MARK: Beginning

    /// Listens from now on.
    func attach() {
        isListening = true
        for output in outputs { instance.subscribe(self, to: output) }
    }

    /// Writes the newest value of every state.
    func writeSnapshot() {
        for output in outputs {
            guard let state = instance.state(output) else { continue }
            state.value.withUnsafeBytes { value in
                let event = OutputEvent(
                    instance: instance, number: instance.record.next - 1, output: output,
                    at: state.at, event: .next, value: value)
                tell(event)
            }
        }
    }

    /// Writes what the record holds from number `since` on, behind the answer; what finds no room is held
    /// back, as what is new.
    func replay(since: Int) {
        guard !isParked else {
            parkedSince = since
            return
        }
        told = since
        instance.record.forEach(since: since) { number, entry, value in
            if entry.kind == .output, outputs.contains(Int(entry.port)) {
                let event = OutputEvent(
                    instance: instance, number: number, output: Int(entry.port), at: entry.at,
                    event: entry.event, value: value)
                if session.isCongested { session.makeRoom() }
                tell(event)
            }
            return !isClosed
        }
    }

    /// The client knows the subscription's name by now: what was held back may follow.
    func answered() {
        guard !isClosed else { return }
        isParked = false
        if let since = parkedSince.take() { resume(since) } else { drain() }
        guard let parkedEnd else { return }
        drain()
        end(parkedEnd)
    }

    /// What the rest of a batch caused may have pushed the cursor out of the record.
    private func resume(_ since: Int) {
        guard since >= instance.record.first else {
            close("what came after the cursor is gone from the record")
            return session.remove(self)
        }
        replay(since: since)
    }

    // MARK: Hearing

    func outputSaid(_ said: OutputEvent) {
        guard isListening else { return }
        tell(said)
    }

    private func tell(_ said: OutputEvent) {
        if !isParked, !session.isCongested, !isHoldingBack {
            write(lines.tail(of: said))
            told = max(told, said.number + 1)
            session.markDirty()
        } else if parkedSince == nil {
            hold(said, lines.copy(of: said))
        }
    }

    /// Tells the client where it stands, if that has moved since it was last told: an output that is silent
    /// would else leave it with a cursor that grows too old to resume from.
    func bookmark() {
        let next = instance.record.next
        guard !isClosed, !isParked, !isHoldingBack, !session.isCongested, told < next else {
            return
        }
        told = next
        session.rpc.output.notification(method: "stream.bookmark") { writer in
            writer.object {
                $0.member("subscription", self.name)
                $0.member("cursor", self.lines.cursor(self.instance, next))
            }
        }
        session.markDirty()
    }

    func instanceEnded(_ instance: Instance, reason: String) {
        close(reason, withEvents: true)
        session.remove(self)
    }

    // MARK: Holding back

    /// Whether something waits for room; before its answer it is not room that is missing.
    private(set) var isHoldingBack = false {
        didSet {
            if isHoldingBack != oldValue { session.noteHolding(isHoldingBack ? 1 : -1) }
        }
    }

    private func hold(_ said: OutputEvent, _ tail: [UInt8]) {
        isHoldingBack = !isParked
        let isState = instance.feature.outputs[said.output].kind == .state
        if isState, said.event == .next {
            heldStates[said.output] = (said.number, tail)
            return
        }
        heldEvents.append((said.number, tail))
        heldBytes += tail.count
        let limits = session.daemon.configuration.limits
        while heldEvents.count - lostAtFront > limits.queuedEvents
            || heldBytes > limits.queuedEventBytes
            || session.heldBytes > limits.hardUnsentBytes && heldEvents.count > lostAtFront
        {
            let waiting = heldEvents.count - lostAtFront
            session.strike(waiting > limits.queuedEvents ? "queuedEvents" : "queuedEventBytes")
            if overflow == .close {
                close("overflow: \(waiting) events wait unread")
                session.remove(self)
                return
            }
            let lost = exchange(&heldEvents[lostAtFront], with: (0, []))
            lostAtFront += 1
            // The room of what is lost is taken back now and then, not each time.
            if lostAtFront * 2 >= heldEvents.count {
                heldEvents.removeFirst(lostAtFront)
                lostAtFront = 0
            }
            heldBytes -= lost.tail.count
            session.noteLostEvent()
            gap = (gap?.from ?? lost.number, lost.number, (gap?.count ?? 0) + 1)
        }
    }

    /// Writes all that is held back, in the order in which it was said; the gap stands where it ends.
    func drain() {
        guard !isParked else { return }
        // Whoever holds nothing back has heard all that was said until now.
        told = instance.record.next
        // The states of a snapshot share a number.
        let states = heldStates.sorted { ($0.value.number, $0.key) < ($1.value.number, $1.key) }
        var written = 0
        func writeStates(before number: Int) {
            while written < states.count, states[written].value.number < number {
                states[written].value.tail.withUnsafeBytes(write)
                written += 1
            }
        }
        if let gap {
            self.gap = nil
            writeStates(before: gap.to)
            session.rpc.output.notification(method: "stream.gap") { writer in
                writer.object {
                    $0.member("subscription", self.name)
                    $0.member("from", self.lines.cursor(self.instance, gap.from))
                    $0.member("to", self.lines.cursor(self.instance, gap.to + 1))
                    $0.member("count", gap.count)
                }
            }
        }
        for event in heldEvents[lostAtFront...] {
            writeStates(before: event.number)
            event.tail.withUnsafeBytes(write)
        }
        writeStates(before: .max)
        forgetEvents()
        heldStates = [:]
        isHoldingBack = false
        session.markDirty()
    }

    // MARK: Ending

    /// Ends the stream and tells why. The newest states are promised and still written; events that wait are
    /// worth their bytes only where their number is not why it ends.
    func close(_ reason: String, withEvents: Bool = false) {
        guard !isClosed else { return }
        if !withEvents {
            forgetEvents()
            gap = nil
        }
        guard !isParked else {
            parkedEnd = reason
            return stopListening()
        }
        drain()
        end(reason)
    }

    private func end(_ reason: String) {
        detach()
        session.rpc.output.notification(method: "stream.closed") { writer in
            writer.object {
                $0.member("subscription", self.name)
                $0.member("reason", reason)
            }
        }
        session.markDirty()
    }

    /// Stops listening, and forgets what was held back.
    func detach() {
        isClosed = true
        stopListening()
        parkedSince = nil
        parkedEnd = nil
        gap = nil
        forgetEvents()
        heldStates = [:]
        isHoldingBack = false
    }

    private func forgetEvents() {
        heldEvents = []
        lostAtFront = 0
        heldBytes = 0
    }

    private func stopListening() {
        guard isListening else { return }
        isListening = false
        for output in outputs { instance.unsubscribe(self, from: output) }
    }

    private func write(_ tail: UnsafeRawBufferPointer) {
        head.withUnsafeBytes { Self.append($0, tail, to: &session.rpc.output) }
    }

    private static func append(
        _ head: UnsafeRawBufferPointer, _ tail: UnsafeRawBufferPointer, to output: inout JSONWriter
    ) {
        output.append(head)
        output.append(tail)
    }
}
