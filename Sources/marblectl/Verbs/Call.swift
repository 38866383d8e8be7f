// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct Call: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "Call any method and print its answer as JSON.",
        discussion: """
              marblectl call daemon.hello
              marblectl call instance.await instance=i1 output=round until=first timeout=2s
              marblectl call instance.open '{"feature": "find-number", "clock": "virtual"}'
              cat scenario.json | marblectl call scenario.run -

            `marblectl call rpc.discover` describes every method.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The method's name.", completion: Completion.methods) var method: String
    @Argument(
        help: ArgumentHelp("Members, one JSON object, or - for it.", valueName: "key=value|json|-"),
        completion: Completion.parameters)
    var params: [String] = []

    func run() throws {
        let params =
            params == ["-"]
            ? try ArgumentText.json(try Files.text("-")) : try ArgumentText.parameters(params)
        let context = try Context(options)
        let answer = try context.longCall(method, params)
        context.print([context.format == .jsonl ? answer.text : answer.prettyText])
    }
}
