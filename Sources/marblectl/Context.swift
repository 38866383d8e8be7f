// SPDX-License-Identifier: Apache-2.0

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
        if options.spawn { return [try PrivateDaemons.start()] }
        return SocketPath.candidates(option: options.socket, environment: Terminal.variable)
    }

    // MARK: Calling

    /// A call that the daemon answers at once.
    func call(_ method: String, _ params: JSONValue = [:]) throws(ClientError) -> JSONValue {
        try client.call(method, params, timeout: timeout ?? Self.quick)
    }

    /// A call that may take as long as it takes. On a terminal it is shown, from the first second on,
    /// that time passes, and where the clock of `instance` stands.
    func longCall(
        _ method: String, _ params: JSONValue, instance: String? = nil
    ) throws(ClientError) -> JSONValue {
        let start = Deadline.now
        let end = timeout.map(start.advanced)
        let id = try client.begin(method, params)
        let isShown = Output.error.isTerminal
        var next = start.advanced(by: .seconds(1))
        var isPainted = false
        defer { if isPainted { Output.error.write("\r\u{1B}[K") } }
        while true {
            let deadline = isShown ? min(next, end ?? next) : end
            if let result = try client.answer(to: id, until: deadline) { return result }
            if let end, end.hasPassed { throw .timeout(method) }
            let elapsed = Deadline.now.nanoseconds - start.nanoseconds
            var text = "\(method): \(elapsed / 1_000_000_000)s"
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
