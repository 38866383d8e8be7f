// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct RecordVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Print everything that happened in an instance, in order.",
        discussion: """
              marblectl record i1
              marblectl record i1 > run.record
              marblectl replay run.record
              marblectl record i1 -o jsonl | jq -c 'select(.kind == "effect")'

            In a pipe the record is text, one fact a line, for `marblectl replay` and for people; \
            -o jsonl prints a line of JSON for each event, -o json the answer whole. --since goes \
            with a table or JSON.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String
    @Option(help: ArgumentHelp("The number of the first event wanted.", valueName: "number"))
    var since: Int64?

    func run() throws {
        let context = try Context(options)
        if options.output == nil, context.format != .table, since == nil {
            let answer = try context.longCall("record.text", ["instance": .string(instance)])
            if let dropped = answer["dropped"]?.int, dropped > 0 {
                Output.error.write(
                    lines: [
                        "marblectl: the record lost its first \(dropped) entries; it cannot run again"
                    ])
            }
            return Output.standard.write(answer["record"]?.string ?? "")
        }
        let answer = try context.longCall(
            "instance.record",
            .members(["instance": .string(instance), "since": since.map { .int($0) }]))
        let events = answer["events"]?.array ?? []
        switch options.output ?? (context.format == .table ? .table : .jsonl) {
        case .table:
            let none =
                since.map { "nothing has happened since event \($0)" } ?? "nothing has happened"
            context.print(EventLines.lines(events, context.look, placeholder: none))
        case .json: context.print([answer.prettyText])
        case .jsonl: context.print(events.map(\.text))
        }
    }
}

struct ReplayVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Run a record again, and show where it differs.",
        discussion: """
              marblectl record i1 > run.record
              marblectl replay run.record
              marblectl --spawn replay --time x2 run.record
              marblectl replay --mode refresh run.record

            The record runs in virtual time against the plugin that is installed. What the world \
            answered is answered again; a request that is not recorded, and one not made again, are \
            differences like another output. With --mode none the first such request ends the run; \
            with --mode refresh the world answers it, and the file is written anew. Secrets are in no \
            record: where a request would need one, the file stays as it is.

            --time says how long answers take: recorded, zero, a factor such as x2, or jitter:SEED. \
            With other times than the recorded ones outputs are compared in order alone. The exit \
            code is 1 when something differs.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The record, or - for the standard input.", completion: .file())
    var file: String
    @Option(
        help: ArgumentHelp(
            "Requests that are not recorded: once, none or refresh.", valueName: "mode"),
        completion: .list(["once", "none", "refresh"]))
    var mode: String?
    @Option(help: ArgumentHelp("How long answers take.", valueName: "time")) var time: String?

    /// A line of the daemon takes a MiB by default; escapes can double a text, and more.
    private static let partBytes = 128 << 10

    func run() throws {
        let text = try Files.text(file)
        let context = try Context(options)
        var parts = Self.parts(text)[...]
        while parts.count > 1, let part = parts.popFirst() {
            _ = try context.call("record.replay", ["record": .string(part), "more": true])
        }
        let start = Deadline.now
        let answer: JSONValue
        do {
            answer = try context.longCall(
                "record.replay",
                .members([
                    "record": .string(parts.first ?? ""), "mode": mode.map { .string($0) },
                    "time": time.map { .string($0) },
                ]), what: "replay \(file)")
        } catch {
            throw Self.placed(error, in: file)
        }
        let elapsed = Deadline.now.nanoseconds - start.nanoseconds
        if let record = answer["record"]?.string {
            if file == "-" {
                Output.standard.write(record)
            } else {
                try Files.write(record, to: file)
            }
        }
        if file != "-" || answer["record"] == nil {
            context.show(answer) { answer, look in
                ReplayLines.lines(answer, nanoseconds: elapsed, look)
            }
        }
        if answer["passed"]?.bool != true { throw Ending(status: .refused) }
    }

    /// Cuts a text between characters.
    private static func parts(_ text: String) -> [String] {
        var parts: [String] = []
        var rest = text.utf8[...]
        while rest.count > partBytes {
            var end = rest.index(rest.startIndex, offsetBy: partBytes)
            while rest[end] & 0xC0 == 0x80 { rest.formIndex(before: &end) }
            parts.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[end...]
        }
        return parts + [String(decoding: rest, as: UTF8.self)]
    }

    /// The daemon knows line and column; with the file before them editors can follow.
    private static func placed(_ error: ClientError, in file: String) -> any Error {
        guard case .refused(let remote, _) = error, remote.message.first?.isNumber == true else {
            return error
        }
        return Complaint.usage("\(file):\(remote.message)")
    }
}
