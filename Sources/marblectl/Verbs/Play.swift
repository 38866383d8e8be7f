// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play", abstract: "Play find-number, or drive any feature by hand.",
        discussion: """
              marblectl --spawn play find-number
              marblectl play find-number max=9
              marblectl play find-number --guesses 1,2,3
              marblectl play bookmarks

            The instance runs in real time and is closed at the end. Of a feature that is no game the \
            ports are shown, and each line that you type is `INPUT VALUE`; q ends it.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The feature's name.", completion: Completion.features) var feature: String
    @Argument(
        help: ArgumentHelp("The feature's options.", valueName: "option=value"),
        completion: Completion.settings)
    var settings: [String] = []
    @Option(help: "The seed of its random draws.") var seed: Int64?
    @Option(help: ArgumentHelp("What to type, for scripts: 1,2,3.", valueName: "list"))
    var guesses: String?

    func run() throws {
        let members = try ArgumentText.members(settings)
        let context = try Context(options)
        let description = try context.call("feature.describe", ["feature": .string(feature)])
        let opened = try context.call(
            "instance.open",
            .members([
                "feature": .string(feature), "clock": "real", "ephemeral": true,
                "options": settings.isEmpty ? nil : members,
                "seed": seed.map { .int($0) },
            ]))
        let lines = guesses.map { $0.split(separator: ",").map(String.init) }
        let player = Player(
            context, instance: opened["instance"]?.string ?? "", typist: Typist(lines))
        _ = try context.call(
            "stream.subscribe", ["instance": .string(player.instance), "output": "*"])
        _ = try context.call("stream.flush")
        let inputs = (description["inputs"]?.array ?? []).compactMap { $0["name"]?.string }
        if inputs.contains("gameStart"), inputs.contains("checkNumber") {
            var choices = description["options"]?["defaults"]
            for (name, value) in members.object?.members ?? [] { choices?[name] = value }
            try player.playGame(GuessingGame(options: choices))
        } else {
            context.print(FeatureViews.description(description, context.look))
            try player.drive(inputs: inputs)
        }
        _ = try context.call("instance.close", ["instance": .string(player.instance)])
    }
}

/// Somebody at the keyboard, and an instance that answers.
private struct Player {
    let context: Context
    let instance: String
    let typist: Typist

    /// How long the number service may take before the game goes on without it.
    private static let patience = Duration.seconds(5)

    init(_ context: Context, instance: String, typist: Typist) {
        self.context = context
        self.instance = instance
        self.typist = typist
    }

    func playGame(_ game: GuessingGame) throws {
        var game = game
        takeWaiting(&game)
        game.started()
        try send("gameStart", nil)
        try settle(&game)
        while true {
            Output.standard.write(game.prompt)
            guard let line = try typist.line(while: context.client, hears: { _ in }) else {
                Output.standard.write("\n")
                break
            }
            if !typist.isEchoed { Output.standard.write("\(line)\n") }
            switch game.entry(line) {
            case .nothing: continue
            case .quit: return
            case .mistake(let sentence):
                context.print([sentence])
                continue
            case .guess(let number):
                game.guessed(number)
                try send("checkNumber", .int(number))
                try settle(&game)
            }
        }
    }

    /// Waits until the daemon has said what came of the last thing, and tells it.
    private func settle(_ game: inout GuessingGame) throws {
        let end = Deadline.after(Self.patience)
        takeWaiting(&game)
        while game.isWaiting {
            guard let notification = try context.client.nextNotification(until: end) else {
                game.gaveUp()
                break
            }
            try take(notification) { game.take($0) }
        }
        context.print(game.takeNews())
    }

    private func takeWaiting(_ game: inout GuessingGame) {
        while let notification = context.client.takeNotification() {
            try? take(notification) { game.take($0) }
        }
    }

    /// Any feature: what is typed goes in, what comes out is printed.
    func drive(inputs: [String]) throws {
        let hear = { (notification: ServerNotification) throws in
            try take(notification) { event in
                context.print([WatchRecord.event(event).line])
            }
        }
        while let line = try typist.line(while: context.client, hears: hear) {
            let words = line.split(separator: " ", maxSplits: 1)
            guard let input = words.first.map(String.init) else { continue }
            guard !["q", "quit", "exit"].contains(input) || inputs.contains(input) else { break }
            do {
                let value = words.count > 1 ? ArgumentText.value(String(words[1])) : nil
                try send(input, value)
            } catch {
                guard case .refused = error else { throw error }
                Output.error.write(lines: Complaint(error).lines(context.look.ink))
            }
            while let notification = context.client.takeNotification() { try hear(notification) }
        }
    }

    private func send(_ input: String, _ value: JSONValue?) throws(ClientError) {
        _ = try context.call(
            "instance.send",
            .members([
                "instance": .string(instance), "input": .string(input), "value": value,
            ]))
    }

    private func take(
        _ notification: ServerNotification, _ event: (JSONValue) -> Void
    ) throws(Complaint) {
        switch notification.method {
        case "stream.event": event(notification.params)
        case "stream.closed":
            throw Complaint(
                .closed, "the game ended: \(notification.params["reason"]?.shown ?? "no reason")")
        default: break
        }
    }
}
