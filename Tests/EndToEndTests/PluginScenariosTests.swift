// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scenarios
import Testing

/// The scenarios of the plugin in C over a real socket, from the library that the daemon maps.
@Suite("scenarios of the plugins, over the socket")
struct PluginScenariosTests {
    @Test(arguments: ["Counter"])
    func `every scenario passes in the daemon, with the outputs it has in process`(
        _ plugin: String
    ) throws {
        let folder = "\(Self.root)/plugins/\(plugin)/scenarios"
        let names = Files.names(in: folder).filter { $0.hasSuffix(".yaml") }
        #expect(!names.isEmpty)
        let daemon = try DaemonProcess(plugins: ["lib\(plugin).so"])
        let client = try daemon.connect()
        let host = Host()
        for plugin in PluginDirectory(path: [daemon.folder]).scan().plugins { host.add(plugin) }
        for name in names {
            let text = Files.text("\(folder)/\(name)")
            let there = try client.call("scenario.run", ["scenario": .string(text)])
            #expect(there["passed"] == true, "\(name): \(there["picture"]?.string ?? "")")
            let scenario = try #require(try ScenarioReader.read(text).first)
            #expect(try ScenarioRun.run(scenario, on: host).json.text == there.text, "\(name)")
        }
    }

    private static let root =
        "/"
        + #filePath.split(separator: "/").dropLast(3)
        .joined(separator: "/")
}
