// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import JSONRPC
internal import MarbledClient

/// What a verb works with: the daemon, and the place to print to. One for each command.
final class Context {
    let options: GlobalOptions
    let format: OutputFormat
    let look: Look
    let paths: [SocketPath]
    let client: Client
    /// How long the caller allows; nil where nothing was said.
    let timeout: Duration?

    /// The time for a call whose answer needs no work.
    static let quick = Duration.seconds(10)

    convenience init(_ options: GlobalOptions) throws {
        try self.init(connected: try Self.paths(options), options)
    }

    /// Connects to the first of `paths` that is there.
    init(connected paths: [SocketPath], _ options: GlobalOptions) throws {
        self.options = options
        self.paths = paths
        timeout = try options.timeout.map { (text) throws(Complaint) in
            try ArgumentText.duration(text, of: "--timeout")
        }
        let isTerminal = Output.standard.isTerminal
        format = options.output ?? .standard(isTerminal: isTerminal)
        look = Self.look(isTerminal: isTerminal)
        client = try Client.connect(to: paths, timeout: timeout ?? Self.quick)
    }

    static func look(isTerminal: Bool = Output.standard.isTerminal) -> Look {
        Look(
            width: isTerminal ? Terminal.size.width : nil,
            ink: Ink(isOn: isTerminal && Terminal.allowsColour))
    }

    static func paths(_ options: GlobalOptions) throws(Complaint) -> [SocketPath] {
        if options.socket?.isEmpty == true {
            throw .usage(
                "--socket names no path",
                advice: "Leave it out, or name the socket; is a variable empty?")
        }
        if options.spawn { return [try PrivateDaemons.start()] }
        return SocketPath.candidates(option: options.socket, environment: Terminal.variable)
    }

    // MARK: Calling

    /// A call that the daemon answers at once.
    func call(_ method: String, _ params: JSONValue = [:]) throws(ClientError) -> JSONValue {
        try client.call(method, params, timeout: timeout ?? Self.quick)
    }

    /// A call that may take as long as it takes. On a terminal it is shown, from the first second on,
    /// that time passes at `what`, and where the clock of `instance` stands.
    ///
    /// Whoever interrupts it, or has allowed it no more time, wants it to end: it is taken back, so that
    /// a run does not go on alone.
    func longCall(
        _ method: String, _ params: JSONValue, instance: String? = nil, what: String? = nil
    ) throws(ClientError) -> JSONValue {
        let start = Deadline.now
        let end = timeout.map(start.advanced)
        let id = try client.begin(method, params, until: end)
        let signals = Signals.watch([SIGINT, SIGTERM, SIGHUP])
        defer { Signals.forget(signals) }
        let isShown = Output.error.isTerminal && !Terminal.isDumb
        var next = start.advanced(by: .seconds(1))
        var isPainted = false
        func clear() {
            if isPainted { Output.error.write("\r\u{1B}[K") }
            isPainted = false
        }
        defer { clear() }
        while true {
            if let result = try client.answer(to: id, until: .now) { return result }
            if let end, end.hasPassed {
                takeBack(id)
                throw .timeout(method)
            }
            wait(signals, until: isShown ? min(next, end ?? next) : end)
            if let number = Signals.take(signals).first {
                takeBack(id)
                clear()
                PrivateDaemons.stop()
                Signals.die(of: number)
            }
            guard isShown, next.hasPassed else { continue }
            let elapsed = Deadline.now.nanoseconds - start.nanoseconds
            var text = "\((what ?? method).printable): \(elapsed / 1_000_000_000)s"
            if let instance,
                let report = try? client.call(
                    "instance.inspect", ["instance": .string(instance)],
                    timeout: .milliseconds(200)),
                let now = report["now"]?.int
            {
                text += ", the clock is at \(Quantity.time(now))"
            }
            Output.error.write("\r\(text.clipped(to: Terminal.size.width - 1))\u{1B}[K")
            isPainted = true
            next = .after(.milliseconds(250))
        }
    }

    /// Waits for the daemon or a signal.
    private func wait(_ signals: Int32, until deadline: Deadline?) {
        var entries = [
            pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&entries, 2, deadline?.milliseconds ?? -1)
    }

    /// Asks the daemon to end a call. One that does not answer is left to itself.
    private func takeBack(_ id: Int64) {
        _ = try? client.call("rpc.cancel", ["id": .int(id)], timeout: .milliseconds(500))
    }

    // MARK: Printing

    func print(_ lines: [String]) { Output.standard.write(lines: lines) }

    /// Prints an answer: as `view` draws it, or as JSON; `list` names the member whose elements are the
    /// lines of `jsonl`.
    func show(
        _ answer: JSONValue, list: String? = nil, _ view: (JSONValue, Look) -> [String]
    ) {
        switch format {
        case .table: print(view(answer, look))
        case .json: print([answer.prettyText])
        case .jsonl:
            if let list, let elements = answer[list]?.array {
                print(elements.map(\.text))
            } else {
                print([answer.text])
            }
        }
    }
}

extension JSONValue {
    /// An object of those members that are there.
    static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }
}
