// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

/// What is known of one output.
struct OutputState {
    let isState: Bool
    /// Set by an error or a completion, after which nothing may come.
    var hasEnded = false
    /// The newest value of a state, or nil before the first.
    var value: [UInt8]?
    /// When it was said.
    var at: Int64 = 0
    var subscribers = OutputSubscribers()

    init(isState: Bool) {
        self.isState = isState
    }

    /// Keeps a copy of the newest value in room that is used again.
    mutating func keep(_ bytes: UnsafeRawBufferPointer, at: Int64) {
        self.at = at
        if value == nil { value = [] }
        value?.removeAll(keepingCapacity: true)
        value?.append(contentsOf: bytes)
    }
}

extension Instance {
    /// The plugin says something on an output.
    func emit(_ output: Int, _ code: UInt32, _ value: UnsafeRawBufferPointer) {
        guard isOpen else { return }
        guard output < outputs.count else {
            return fail("it emitted on output number \(output); it has \(outputs.count)")
        }
        guard !outputs[output].hasEnded else {
            return fail("it emitted on \(feature.outputs[output].name) after that had ended")
        }
        guard let event = Record.Event(rawValue: UInt8(clamping: code)) else {
            return fail("it emitted an event of kind \(code)")
        }
        if event == .completed {
            guard value.isEmpty else { return fail("it emitted a completion with a value") }
            return say(output, event, value)
        }
        if value.isShortInteger, !value.hasLeadingZero { return say(output, event, value) }
        guard host.isJSON(value) else {
            return fail("what it emitted on \(feature.outputs[output].name) is not JSON")
        }
        value.onOneLine { say(output, event, $0) }
    }

    /// Notes what an output said and tells those who listen.
    private func say(_ output: Int, _ event: Record.Event, _ value: UnsafeRawBufferPointer) {
        let at = clock.now.nanoseconds
        let number = record.append(
            at: at, late: clock.lateness, step: clock.microstep, kind: .output, port: output,
            event: event, value: value)
        if event != .next {
            outputs[output].hasEnded = true
        } else if outputs[output].isState {
            outputs[output].keep(value, at: at)
        }
        guard !outputs[output].subscribers.isEmpty else { return }
        let said = OutputEvent(
            instance: self, number: number, output: output, at: at, event: event, value: value)
        // A copy: who is told may take itself off the list, and others.
        for case let subscriber? in outputs[output].subscribers.places {
            subscriber.outputSaid(said)
        }
    }

    /// Adds a listener to an output, for what comes from now on; one that does not listen there yet.
    package func subscribe(_ subscriber: any OutputSubscriber, to output: Int) {
        outputs[output].subscribers.add(subscriber)
    }

    /// Removes a listener from an output.
    package func unsubscribe(_ subscriber: any OutputSubscriber, from output: Int) {
        outputs[output].subscribers.remove(subscriber)
    }

    /// How many listen to an output.
    package func subscriberCount(_ output: Int) -> Int { outputs[output].subscribers.count }

    /// The newest value of a state and when it was said, or nil for an output that has none.
    package func state(_ output: Int) -> (value: [UInt8], at: Int64)? {
        outputs[output].value.map { ($0, outputs[output].at) }
    }
}

extension UnsafeRawBufferPointer {
    /// Hands over this JSON text as a line holds it: without white space around it, which a line cannot
    /// tell from its own, and without line ends; between tokens, the only place where JSON has them, a blank
    /// says the same. Records and messages are lines.
    func onOneLine(_ body: (UnsafeRawBufferPointer) -> Void) {
        let text = withoutBlanksAround
        guard let start = text.baseAddress,
            text.contains(0x0A, from: start) || text.contains(0x0D, from: start)
        else { return body(text) }
        let line = text.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        line.withUnsafeBytes(body)
    }

    private var withoutBlanksAround: UnsafeRawBufferPointer {
        func isBlank(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        }
        guard let first, let last, isBlank(first) || isBlank(last) else { return self }
        let start = firstIndex { !isBlank($0) } ?? endIndex
        let end = lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    private func contains(_ byte: Int32, from start: UnsafeRawPointer) -> Bool {
        memchr(start, byte, count) != nil
    }
}
