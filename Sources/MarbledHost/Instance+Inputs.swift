// SPDX-License-Identifier: Apache-2.0

package import Scheduling

extension Instance {
    /// Puts a value on the timeline as an arrival: at `at`, or now when that is nil or past.
    ///
    /// The value is JSON that fits the input's schema. An arrival of now runs before this returns, with
    /// everything it makes for this instant; inside an item of the timeline it waits for its turn.
    /// `refused` is told the feature's sentence when it refuses a value whose turn comes later; without
    /// it the log is.
    package func send(
        _ input: Int, _ value: UnsafeRawBufferPointer, at due: Instant? = nil,
        refused: ((String) -> Void)? = nil
    ) throws(HostError) {
        try requireOpen()
        if let due, due > clock.arrivalInstant() {
            return try enqueue(input, value, at: due, refused)
        }
        var refusal: String?
        let ran: Bool
        switch clock {
        case .real(let scheduler):
            ran = scheduler.runArrival { refusal = deliver(input, value) }
        case .virtual(let scheduler):
            ran = scheduler.runArrival { refusal = deliver(input, value) }
        }
        if !ran { refusal = try sendInTurn(input, value, refused) }
        if isOpen { try runDue() }
        try requireOpen()
        if let refusal { throw Self.refusalError(refusal) }
    }

    /// The same for a value that is an array of bytes.
    package func send(
        _ input: Int, copying value: [UInt8], at due: Instant? = nil,
        refused: ((String) -> Void)? = nil
    ) throws(HostError) {
        let outcome = value.withUnsafeBytes { bytes in
            Result { () throws(HostError) in try send(input, bytes, at: due, refused: refused) }
        }
        try outcome.get()
    }

    /// Sends where something else is due first. Returns the refusal of a value whose turn came.
    private func sendInTurn(
        _ input: Int, _ value: UnsafeRawBufferPointer, _ refused: ((String) -> Void)?
    ) throws(HostError) -> String? {
        var refusal: String?
        var isHere = true
        defer { isHere = false }
        try enqueue(input, value, at: clock.arrivalInstant()) { [unowned self] sentence in
            if isHere {
                refusal = sentence
            } else if let refused {
                refused(sentence)
            } else {
                logRefusal(input, sentence)
            }
        }
        try runDue()
        return refusal
    }

    /// Puts a value on the timeline and runs nothing, whatever is due: a record that runs again decides
    /// itself when its turn comes.
    package func enqueue(
        _ input: Int, copying value: [UInt8], at due: Instant,
        refused: @escaping (String) -> Void
    ) throws(HostError) {
        try requireOpen()
        let outcome = value.withUnsafeBytes { bytes in
            Result { () throws(HostError) in try enqueue(input, bytes, at: due, refused) }
        }
        try outcome.get()
    }

    private func enqueue(
        _ input: Int, _ value: UnsafeRawBufferPointer, at due: Instant,
        _ refused: ((String) -> Void)?
    ) throws(HostError) {
        guard clock.pendingCount < host.limits.pendingWork else {
            host.strike("pendingWork")
            throw .limit("\(host.limits.pendingWork) items wait on \"\(name)\" already")
        }
        guard value.count <= host.limits.pendingBytes - pendingBytes else {
            host.strike("pendingBytes")
            throw .limit(
                "\(pendingBytes) bytes of values wait on \"\(name)\" already, and at most "
                    + "\(host.limits.pendingBytes) do; let its clock come to them first")
        }
        let copy = [UInt8](value)
        pendingBytes += copy.count
        clock.scheduler.schedule(at: due, phase: .arrival, label: "input") { [unowned self] in
            pendingBytes -= copy.count
            guard let refusal = copy.withUnsafeBytes({ deliver(input, $0) }) else { return }
            if let refused { refused(refusal) } else { logRefusal(input, refusal) }
        }
    }

    /// Runs what is due now, unless the timeline is being run: then that run comes to it.
    func runDue() throws(HostError) {
        switch clock {
        case .real(let scheduler): scheduler.runDue()
        case .virtual(let scheduler):
            // Nearly always an input leaves nothing behind; a run costs more than this look.
            guard let next = scheduler.nextDue, next <= scheduler.now else { return }
            do {
                try scheduler.runDue()
            } catch .alreadyRunning {
            } catch {
                throw .limit("\(error)")
            }
        }
    }

    /// Hands a value to the plugin. Returns its sentence when it refuses it.
    private func deliver(_ input: Int, _ value: UnsafeRawBufferPointer) -> String? {
        guard let plugin, isOpen else { return nil }
        let number = record.append(
            at: clock.now.nanoseconds, late: clock.lateness, step: clock.microstep, kind: .input,
            port: input, event: .next, value: value)
        let refusal = callPlugin { table.send(plugin, input, value) }
        // What was refused has not happened.
        if refusal != nil { record.takeBack(number) }
        return refusal
    }

    private func logRefusal(_ input: Int, _ refusal: String) {
        let port = feature.inputs[input].name
        host.log(.warning, "instance \(name) refused a value for \(port): \(refusal)")
    }

    private static func refusalError(_ refusal: String) -> HostError {
        .badValue(pointer: "/value", expected: "what the feature takes: \(refusal)")
    }
}
