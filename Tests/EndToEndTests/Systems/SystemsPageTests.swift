// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import MarbledHost
import Scenarios
import TestSupport
import Testing

/// The table of the systems: all that it names exists and passes, and the page that shows it is up to date.
@Suite("The systems")
struct SystemsPageTests {
    private static func folder(_ plugin: String) -> String {
        "\(Checkout.path)/plugins/\(plugin)/scenarios"
    }

    /// The scenario files of a plugin, without their ending.
    private static func scenarios(_ plugin: String) -> [String] {
        Files.names(in: folder(plugin)).filter { $0.hasSuffix(".yaml") }
            .map { String($0.dropLast(".yaml".count)) }
    }

    @Test func `every test and every scenario of the table exists, and no scenario stands outside`()
        throws
    {
        let plugins = Files.names(in: "\(Checkout.path)/plugins")
        #expect(Set(SystemsTable.systems.map(\.plugin)) == Set(plugins))
        let files = Dictionary(uniqueKeysWithValues: plugins.map { ($0, Set(Self.scenarios($0))) })
        let faults = SystemsPage.faults(
            SystemsTable.systems, tests: try Self.listedTests(), scenarios: files)
        #expect(faults == [])
    }

    @Test
    func `every scenario says the same in process and in a daemon, and the page is up to date`()
        throws
    {
        let plugins = SystemsTable.systems.map(\.plugin)
        let daemon = try DaemonProcess(plugins: plugins.map { "lib\($0).so" })
        let client = try daemon.connect()
        let host = Host()
        for plugin in PluginDirectory(path: [daemon.folder]).scan().plugins { host.add(plugin) }
        #expect(host.plugins.count == plugins.count)
        var outcomes: [String: SystemsPage.Outcome] = [:]
        for plugin in plugins {
            for name in Self.scenarios(plugin) {
                let text = Files.text("\(Self.folder(plugin))/\(name).yaml")
                let scenario = try #require(try ScenarioReader.read(text).first)
                let here = try ScenarioRun.run(scenario, on: host)
                let there = try client.call("scenario.run", ["scenario": .string(text)])
                #expect(here.passed, "\(plugin)/\(name): \(here.picture)")
                #expect(there["passed"] == true, "\(plugin)/\(name)")
                #expect(here.json.text == there.text, "\(plugin)/\(name)")
                outcomes["\(plugin)/\(name)"] = .init(
                    isPassed: there["passed"] == true, isSame: here.json.text == there.text,
                    events: here.outputs.map(\.events.count).reduce(0, +))
            }
        }
        try GeneratedPage(
            "Documentation/Marbled.docc/Systems.md", writtenBy: "Tests/Scripts/conformance.sh"
        ).expectUpToDate(SystemsPage(systems: SystemsTable.systems, outcomes: outcomes).text)
    }

    @Test func `no text breaks its cell`() {
        for row in SystemsTable.systems.flatMap(\.rows) {
            for text in [row.name, row.holds, row.reason] + row.tests + row.socket {
                #expect(!text.contains("|") && !text.contains("\n"), "\(row.name): \(text)")
            }
        }
    }

    // MARK: Tests by name

    /// Every test of this test program, as it lists them itself: what is not listed does not run.
    static func listedTests() throws -> Set<SystemsRow.Test> {
        let folder = TemporaryFolder()
        let list = folder.file("list")
        let child = try Spawn.run(
            Products.program, ["--list-tests", "--testing-library", "swift-testing"],
            environment: Products.libraries, output: list)
        guard try Spawn.wait(child) == 0 else { throw Failure("no list: \(Files.text(list))") }
        return Set(Files.text(list).split(separator: "\n").compactMap(SystemsPage.test(listed:)))
    }

    @Test(
        arguments: [
            ("A.B/`c d`()", ("A", "c d")), ("A.`B b`/`c: d, e.f`(_:)", ("A", "c: d, e.f")),
            ("A.B/c()", nil), ("", nil), ("A.`B b`", nil),
        ] as [(String, (String, String)?)])
    func `a listed test has a target and a sentence`(line: String, test: (String, String)?) {
        #expect(
            SystemsPage.test(listed: line)
                == test.map { SystemsRow.Test(target: $0.0, sentence: $0.1) })
    }

    @Test func `faults are found: a missing test, a missing file, one too many, no form at all`() {
        let system = System(
            plugin: "P", title: "p",
            rows: [
                .row("a", "", tests: ["one", "gone"], scenarios: ["here", "lost"]),
                .row("b", "", because: ""),
                .row("c", "", tests: ["one"], socket: ["nowhere"], because: "it is so"),
            ])
        let faults = SystemsPage.faults(
            [system], tests: [.init(target: "PTests", sentence: "one")],
            scenarios: ["P": ["here", "stray"]])
        #expect(
            faults == [
                "P, a: PTests has no test `gone`", "P, a: there is no scenario lost.yaml",
                "P, b: no Swift test", "P, b: no scenario, and no reason",
                "P, c: EndToEndTests has no test `nowhere`", "P: no row names stray.yaml",
            ])
    }
}
