// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct Features: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "features", abstract: "List what can be opened.",
        discussion: """
              marblectl features
              marblectl features -o jsonl | jq -r .name
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        context.show(try context.call("feature.list"), list: "features", FeatureViews.list)
    }
}

struct Describe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "describe", abstract: "Show a feature's ports, types, options and effects.",
        discussion: """
              marblectl describe find-number
              marblectl describe find-number -o json | jq '.inputs[].schema'
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The feature's name.", completion: Completion.features) var feature: String

    func run() throws {
        let context = try Context(options)
        let answer = try context.call("feature.describe", ["feature": .string(feature)])
        context.show(answer, FeatureViews.description)
    }
}
