// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
internal import JSONRPC
internal import MarbledClient

struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show what outputs say while they say it.",
        discussion: """
              marblectl watch i1
              marblectl watch i1 round target --for 10s
              marblectl watch i1 round --count 3 -o jsonl | jq .value

            Lanes that grow on a terminal; in a pipe a line of JSON for each event, each gap \
            ({"gap":n}), each new start ({"reset":true}) and each end ({"closed":"why"}). A lost \
            connection is made anew, and goes on where it broke off.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String
    @Argument(help: "The outputs' names; all if none is given.", completion: Completion.outputs)
    var outputs: [String] = []
    @Option(help: ArgumentHelp("Begin after this cursor, as printed before.", valueName: "cursor"))
    var since: String?
    @Option(help: "End after so many events.") var count: Int?
    @Option(
        name: .customLong("for"), help: ArgumentHelp("End after so long.", valueName: "duration"))
    var span: String?
    @Option(help: ArgumentHelp("What a column of the lanes stands for.", valueName: "duration"))
    var tick: String?
    @Flag(inversion: .prefixedNo, help: "Connect anew when the connection is lost, for up to 30 s.")
    var reconnect = true

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count is at least 1.") }
    }

    func run() throws {
        var watch = WatchSession.Options(instance: instance, outputs: outputs)
        watch.since = since
        watch.count = count
        watch.reconnects = reconnect
        let span = try span.map { (text) throws(Complaint) in
            try ArgumentText.duration(text, of: "--for")
        }
        let tick = try tick.map { (text) throws(Complaint) in
            try ArgumentText.duration(text, of: "--tick")
        }
        if let tick, tick <= .zero { throw Complaint.usage("a --tick of 0 shows nothing") }
        let context = try Context(options)
        var picture: WatchPicture?
        if context.format == .table, Output.standard.isTerminal, !Terminal.isDumb {
            picture = try Watcher.picture(context.client, watch, tick: tick, context)
        }
        let watcher = Watcher(
            context, watch, end: span.map(Deadline.after), tick: tick, picture: picture)
        try watcher.run()
    }
}

/// Carries a `WatchSession` out: the socket, the signals, the screen.
private final class Watcher {
    private let context: Context
    private let options: WatchSession.Options
    private let tick: Duration?
    private var session: WatchSession
    private var picture: WatchPicture?
    private let end: Deadline?
    private let signals: Int32
    /// For a pipe: what came together is written together.
    private var lines: [String] = []
    private var client: Client?
    private var screen = LiveScreen()
    private var nextDrawing = Deadline.now
    private var isDirty = true
    private var pending: [WatchSession.Action] = []

    /// The shortest time between two pictures, and the longest while time passes by itself.
    private static let frame = Duration.milliseconds(50)
    private static let breath = Duration.milliseconds(250)

    init(
        _ context: Context, _ options: WatchSession.Options, end: Deadline?, tick: Duration?,
        picture: WatchPicture?
    ) {
        self.context = context
        self.options = options
        self.tick = tick
        self.end = end
        self.picture = picture
        client = context.client
        session = WatchSession(options, now: Deadline.now.nanoseconds)
        signals = Signals.watch([SIGINT, SIGTERM, SIGHUP, SIGWINCH])
    }

    /// The lanes of an instance as it is now.
    static func picture(
        _ client: Client, _ options: WatchSession.Options, tick: Duration?, _ context: Context
    ) throws(ClientError) -> WatchPicture {
        let report = try client.call(
            "instance.inspect", ["instance": .string(options.instance)],
            timeout: context.timeout ?? Context.quick)
        return WatchPicture(
            report, outputs: options.outputs == ["*"] ? [] : options.outputs, tick: tick,
            now: Deadline.now.nanoseconds, ink: context.look.ink)
    }

    func run() throws {
        defer { Output.standard.write(screen.end()) }
        tell(.connected)
        while true {
            while !pending.isEmpty {
                guard try perform(pending.removeFirst()) else { return }
            }
            // News may have come together with an answer: the socket would not tell of them again.
            if let notification = client?.takeNotification() {
                tell(.notified(notification))
                continue
            }
            flush()
            draw()
            guard waitForNews() else { return draw(isLast: true) }
            receive()
        }
    }

    private func tell(_ input: WatchSession.Input) {
        pending += session.handle(input, now: Deadline.now.nanoseconds)
    }

    /// False when that was the end.
    private func perform(_ action: WatchSession.Action) throws -> Bool {
        switch action {
        case .connect(let pause): return reconnect(after: pause)
        case .subscribe(let params): subscribe(params)
        case .report(let record): report(record)
        case .finish(let complaint):
            flush()
            draw(isLast: true)
            if let complaint { throw complaint }
            return false
        }
        return true
    }

    private func report(_ record: WatchRecord) {
        guard picture != nil else {
            lines.append(context.format == .table ? record.line : record.json.text)
            if lines.count >= 1024 { flush() }
            return
        }
        // What follows may be another instance of that name, with a clock of its own.
        if case .reset = record, let client,
            let fresh = try? Self.picture(client, options, tick: tick, context)
        {
            picture = fresh
        }
        picture?.take(record, now: Deadline.now.nanoseconds)
        isDirty = true
    }

    // MARK: The connection

    private func reconnect(after pause: Duration) -> Bool {
        client = nil
        picture?.say(session.situation)
        isDirty = true
        draw()
        let resume = Deadline.after(pause)
        while !resume.hasPassed {
            guard waitForNews(until: resume) else {
                draw(isLast: true)
                return false
            }
        }
        do {
            client = try Client.connect(
                to: context.paths, timeout: context.timeout ?? .seconds(1))
            tell(.connected)
        } catch {
            tell(.connectFailed(Complaint(error)))
        }
        return true
    }

    private func subscribe(_ params: JSONValue) {
        guard let client else { return }
        do {
            tell(
                .subscribed(
                    try client.call(
                        "stream.subscribe", params, timeout: context.timeout ?? Context.quick)))
            if session.isStreaming { picture?.say(nil) }
        } catch {
            if case .refused(let refusal, _) = error {
                tell(.subscribeFailed(refusal))
            } else {
                tell(.connectionLost(Complaint(error)))
            }
        }
    }

    private func receive() {
        do {
            try client?.receive()
        } catch {
            tell(.connectionLost(Complaint(error)))
        }
    }

    /// Waits for the socket, for the next picture or for `limit`. False when the watch is over.
    private func waitForNews(until limit: Deadline? = nil) -> Bool {
        var deadlines = [limit, end].compactMap { $0 }
        if isDirty, picture != nil { deadlines.append(nextDrawing) }
        if picture?.isReal == true { deadlines.append(.after(Self.breath)) }
        var entries = [
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            pollfd(fd: client?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            // A reader that has gone is no reason to wait for something that it would never see.
            pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
        ]
        // A signal interrupts the wait, and is in the pipe by then.
        _ = poll(&entries, 3, deadlines.min()?.milliseconds ?? -1)
        if entries[2].revents & Int16(POLLERR) != 0 { Output.readerIsGone() }
        for number in Signals.take(signals) {
            guard number != SIGWINCH else {
                isDirty = true
                continue
            }
            draw(isLast: true)
            Output.standard.write(screen.end())
            PrivateDaemons.stop()
            Signals.die(of: number)
        }
        if let end, end.hasPassed { return false }
        return true
    }

    // MARK: The screen

    private func flush() {
        context.print(lines)
        lines.removeAll(keepingCapacity: true)
    }

    private func draw(isLast: Bool = false) {
        let now = Deadline.now
        guard let isReal = picture?.isReal, isLast || now >= nextDrawing,
            isDirty || isReal || isLast
        else { return }
        isDirty = false
        nextDrawing = now.advanced(by: Self.frame)
        let size = Terminal.size
        let lines = picture?.lines(width: size.width, now: now.nanoseconds) ?? []
        Output.standard.write(screen.draw(lines, width: size.width, height: size.height))
    }
}
