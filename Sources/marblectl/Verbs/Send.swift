// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send a value to an input, and print what it caused.",
        discussion: """
              marblectl send i1 gameStart
              marblectl send i1 checkNumber 2 --at 10ms
              marblectl send i1 query '"42"' --wait 2s

            A value is JSON where it reads as JSON, else text: quote a text that looks like JSON. \
            Before a negative number that stands with options goes --. --wait prints what the outputs \
            say for that long, which in real time is where most of it happens.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String
    @Argument(help: "The input's name.", completion: Completion.inputs) var input: String
    @Argument(help: "The value, where the input takes one.") var value: String?
    @Option(help: ArgumentHelp("When: since the instance opened.", valueName: "time"))
    var at: String?
    @Option(help: ArgumentHelp("When: from now on.", valueName: "duration")) var after: String?
    @Option(help: ArgumentHelp("Print what the outputs say for so long.", valueName: "duration"))
    var wait: String?

    func validate() throws {
        if at != nil, after != nil { throw ValidationError("Give --at or --after, not both.") }
    }

    func run() throws {
        let params: JSONValue = .members([
            "instance": .string(instance), "input": .string(input),
            "value": value.map(ArgumentText.value),
            "at": try at.map { try ArgumentText.time($0, of: "--at") },
            "after": try after.map { try ArgumentText.time($0, of: "--after") },
            "collect": wait == nil ? true : nil,
        ])
        let span = try wait.map { (text) throws(Complaint) in
            try ArgumentText.duration(text, of: "--wait")
        }
        let context = try Context(options)
        if let span { return try sendAndWait(params, span, context) }
        let answer = try context.longCall(
            "instance.send", params, instance: instance, what: "send \(instance)")
        context.show(answer, list: "events") { answer, look in
            let events = answer["events"]?.array ?? []
            let isLater = events.isEmpty && (at != nil || after != nil)
            return isLater ? ["waits for its time"] : EventLines.caused(events, look)
        }
    }

    /// Subscribes first, so that nothing is missed; what the states are before is no news.
    private func sendAndWait(_ params: JSONValue, _ span: Duration, _ context: Context) throws {
        let client = context.client
        _ = try context.call(
            "stream.subscribe", ["instance": .string(instance), "output": "*"])
        _ = try context.call("stream.flush")
        while client.takeNotification() != nil {}
        var answer = try context.longCall(
            "instance.send", params, instance: instance, what: "send \(instance)")
        let end = Deadline.after(span)
        var events: [JSONValue] = []
        while let notification = try client.nextNotification(until: end) {
            switch notification.method {
            case "stream.event":
                let event = Self.entry(notification.params)
                switch context.format {
                case .table: context.print([WatchRecord.event(event).line])
                case .jsonl: context.print([event.text])
                case .json: events.append(event)
                }
            case "stream.closed":
                throw Complaint(
                    .closed, "the stream ended: \(notification.params["reason"]?.shown ?? "")")
            default: break
            }
        }
        guard context.format == .json else { return }
        answer["events"] = .array(events)
        context.print([answer.prettyText])
    }

    /// What a stream tells, as a record spells it: with --wait and without, an event has one shape.
    private static func entry(_ event: JSONValue) -> JSONValue {
        .members([
            "at": event["at"], "kind": "output", "port": event["output"], "event": event["event"],
            "value": event["value"],
        ])
    }
}
