// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a feature and print the instance's name.",
        discussion: """
              marblectl open find-number
              i=$(marblectl open find-number --virtual --seed 7 min=1 max=9)
              marblectl open find-number --virtual source=http \\
                --stub '{http: GET */random*, reply: {json: [2]}}'

            A value is JSON where it reads as JSON, else text. In a pipe only the name is printed; \
            -o json prints the whole answer.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The feature's name.", completion: Completion.features) var feature: String
    @Argument(
        help: ArgumentHelp("The feature's options.", valueName: "option=value"),
        completion: Completion.settings)
    var settings: [String] = []
    @Flag(help: "Its clock moves only when it is driven: advance, step, run.") var virtual = false
    @Flag(help: "Its clock is the machine's.") var real = false
    @Option(help: "The name it is to have.") var name: String?
    @Option(help: "The seed of its random draws.") var seed: Int64?
    @Option(
        help: ArgumentHelp(
            "What answers its effects: a file, or the rules.", valueName: "file|json"),
        completion: .file())
    var stub: [String] = []
    @Option(
        help: ArgumentHelp("The rules of order: strict or rxTest.", valueName: "rules"),
        completion: .list(["strict", "rxTest"]))
    var profile: String?
    @Option(help: ArgumentHelp("The wall clock at its start, in ns since 1970.", valueName: "ns"))
    var epoch: Int64?

    func validate() throws {
        if virtual, real { throw ValidationError("A clock is --virtual or --real, not both.") }
    }

    func run() throws {
        let members = try ArgumentText.members(settings)
        let stubs = try stub.flatMap { try Files.stubs($0) }
        let context = try Context(options)
        let answer = try context.call(
            "instance.open",
            .members([
                "feature": .string(feature),
                "clock": virtual ? "virtual" : real ? "real" : nil,
                "options": settings.isEmpty ? nil : members,
                "stubs": stubs.isEmpty ? nil : .array(stubs),
                "seed": seed.map { .int($0) },
                "epoch": epoch.map { .int($0) },
                "profile": profile.map { .string($0) },
                "name": name.map { .string($0) },
            ]))
        if context.format != .table, options.output == nil {
            return context.print([answer["instance"]?.shown ?? ""])
        }
        context.show(answer, InstanceViews.opened)
    }
}

struct Close: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Close instances, and say what was left undone.",
        discussion: """
              marblectl close i1
              marblectl ls -o jsonl | jq -r .instance | xargs marblectl close
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instances' names.", completion: Completion.instances)
    var instance: [String]

    func run() throws {
        let context = try Context(options)
        for instance in instance {
            let answer = try context.call("instance.close", ["instance": .string(instance)])
            // Of several each answer says whose it is.
            let named = JSONValue.object(
                [("instance", .string(instance))]
                    + (answer.object?.members ?? []).map { ($0.name, $0.value) })
            context.show(named) { answer, _ in InstanceViews.closed(answer) }
        }
    }
}

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List the open instances.",
        discussion: """
              marblectl ls
              marblectl ls -o jsonl | jq -r 'select(.state == "failed") | .instance'
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        context.show(try context.call("instance.list"), list: "instances", InstanceViews.list)
    }
}

struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show an instance whole: values, pending work, open effects.",
        discussion: """
              marblectl inspect i1
              marblectl inspect i1 -o json | jq '.pending[0]'
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String

    func run() throws {
        let context = try Context(options)
        let answer = try context.call("instance.inspect", ["instance": .string(instance)])
        context.show(answer, InstanceViews.inspection)
    }
}

struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Print the newest value of a state, or of all states.",
        discussion: """
              marblectl get i1 round
              marblectl get i1
              test "$(marblectl get i1 round)" -gt 3 && echo well played

            Of one state the value alone is printed, as JSON; -o json adds since when it holds.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String
    @Argument(help: "The state's name.", completion: Completion.states) var output: String?

    func run() throws {
        let context = try Context(options)
        guard let output else {
            let report = try context.call("instance.inspect", ["instance": .string(instance)])
            return context.show(InstanceViews.states(report)) { states, _ in
                InstanceViews.values(states)
            }
        }
        let answer = try context.call(
            "instance.read", ["instance": .string(instance), "output": .string(output)])
        if options.output == nil || options.output == .table {
            return context.print([answer["value"]?.text ?? "null"])
        }
        context.show(answer) { _, _ in [] }
    }
}

struct StubVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stub", abstract: "Decide what answers an instance's effects.",
        discussion: """
              marblectl open find-number --virtual --name i1 source=http
              marblectl stub set i1 '{http: GET */random*, reply: {json: [2]}}'
              marblectl send i1 gameStart
              marblectl stub calls i1
            """,
        subcommands: [StubSet.self, StubRelease.self, StubCalls.self])
}

struct StubRelease: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Release what stubs hold under a name.",
        discussion: """
              marblectl open find-number --virtual --name i1 source=http
              marblectl stub set i1 '{http: "*", reply: {json: [2], release: gate}}'
              marblectl send i1 gameStart
              marblectl stub release i1 gate
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String
    @Argument(help: "The name that the reply gives.") var name: String

    func run() throws {
        let context = try Context(options)
        let answer = try context.call(
            "stub.release", ["instance": .string(instance), "name": .string(name)])
        context.show(answer) { answer, _ in
            ["\(Quantity.count(Int(answer["released"]?.int ?? 0), "request")) released"]
        }
    }
}

struct StubSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Put rules in place; those before are forgotten.",
        discussion: """
              marblectl stub set i1 '{http: GET */random*, reply: {json: [2]}}'
              marblectl stub set i1 stubs.json
              echo '[]' | marblectl stub set i1 -

            Rules are the objects of scenario files: one, a list, or an object with a member `stubs`. \
            Quotes may be left out where nothing is lost by it.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String
    @Argument(help: "Files, rules, or - for the standard input.", completion: .file())
    var rules: [String]

    func run() throws {
        let stubs = try rules.flatMap { try Files.stubs($0) }
        let context = try Context(options)
        let answer = try context.call(
            "stub.set", ["instance": .string(instance), "stubs": .array(stubs)])
        context.show(answer) { answer, _ in
            ["\(Quantity.count(Int(answer["stubs"]?.int ?? 0), "stub")) in place"]
        }
    }
}

struct StubCalls: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calls", abstract: "List what an instance asked, and which stub answered.",
        discussion: """
              marblectl stub calls i1
              marblectl stub calls i1 -o jsonl | jq .request.url
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String

    func run() throws {
        let context = try Context(options)
        let answer = try context.call("stub.calls", ["instance": .string(instance)])
        context.show(answer, list: "calls", EventLines.calls)
    }
}
