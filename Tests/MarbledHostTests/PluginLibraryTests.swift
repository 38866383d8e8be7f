// SPDX-License-Identifier: Apache-2.0

import FindNumber
import JSONRPC
import MarbledHost
import MarbledKit
import MarbledTesting
import TestSupport
import Testing

@Suite struct PluginLibraryTests {
    @Test(arguments: [
        ("bad_no_table", "marbled_plugin_v1 returned no table"),
        ("bad_tiny_table", "its table has 4 bytes, too few to say a version"),
        (
            "bad_short_table",
            """
            its table has 40 bytes, and the mandatory part of version 1 has 48; build it again with \
            this daemon's header
            """
        ),
        (
            "bad_wrong_major",
            """
            it was built for version 2 of the boundary, and this daemon speaks version 1; build it \
            again with this daemon's header
            """
        ),
        ("bad_null_describe", "its table has no function \"describe\""),
        ("bad_null_create", "its table has no function \"create\""),
        ("bad_null_send", "its table has no function \"send\""),
        ("bad_null_destroy", "its table has no function \"destroy\""),
    ])
    func `a table that cannot be trusted is refused`(_ symbol: String, _ reason: String) {
        #expect(throws: HostError.pluginRefused("\(Products.badLibrary): \(reason)")) {
            _ = try PluginLibrary.load(Products.badLibrary, symbol: symbol)
        }
    }

    @Test(arguments: [
        ("bad_not_json", "what the plugin says of itself is not JSON"),
        (
            "bad_not_a_manifest",
            "what the plugin says of itself cannot be read: /version is missing"
        ),
    ])
    func `a description that cannot be read is refused`(_ symbol: String, _ reason: String) throws {
        let table = try PluginLibrary.load(Products.badLibrary, symbol: symbol)
        #expect(throws: HostError.pluginRefused(reason)) { _ = try Plugin(table) }
    }

    @Test(arguments: ["good_newer_minor", "good_longer_table"])
    func `a plugin of a later minor works`(_ symbol: String) throws {
        let table = try PluginLibrary.load(Products.badLibrary, symbol: symbol)
        let lab = Lab().add(try Plugin(table))
        let instance = try lab.open("misbehaving")
        try instance.send("poke", "nothing wrong")
        #expect(try instance.stateText("state") == "1")
    }

    @Test func `a plugin of the first minor is loaded as long as the major lasts`() throws {
        let table = try PluginLibrary.load(Products.oldMinorLibrary)
        #expect(table.version == (48, 1, 0))
        let lab = Lab().add(try Plugin(table))
        let instance = try lab.open("old-echo")
        try instance.run()
        try instance.send("say", "ma", atTick: 10)
        try instance.send("say", "marble", atTick: 10)
        try instance.run()
        #expect(
            instance.lines.filter { $0.contains("output") } == [
                "0 output drawn 0", "0 output drawn 7", "11 output said \"marble\"",
            ])
        lab.host.close(instance)
        #expect(lab.log.isEmpty && lab.host.lateCalls == 0)
    }

    @Test func `a file that is no library says what the loader said`() throws {
        let folder = TemporaryFolder()
        try folder.write("text", to: "libText.so")
        let error = #expect(throws: HostError.self) {
            _ = try PluginLibrary.load(folder.path + "/libText.so")
        }
        #expect("\(error as Any)".contains("libText.so cannot be loaded: "))
    }

    @Test func `a library without the symbol is refused`() {
        #expect(
            throws: HostError.pluginRefused(
                "\(Products.badLibrary) exports no symbol no_such_symbol")
        ) { _ = try PluginLibrary.load(Products.badLibrary, symbol: "no_such_symbol") }
    }

    @Test func `code that differs from its manifest is refused for good, with the difference`()
        throws
    {
        let described = try Products.badPlugin().manifest.json
        let differences: [(JSONValue, String)] = [
            (
                described.replacing("/version", with: "2.0.0"),
                "/version: the code says \"1.0.0\", the manifest \"2.0.0\""
            ),
            (
                described.replacing("/features/0/doc", with: nil).replacing(
                    "/features/0/doc", with: "x"), "/features/0/doc: "
            ),
            (described.replacing("/features/0/effects", with: ["http"]), "/features/0/effects: "),
            (described.replacing("/more", with: 1), "/more: only the manifest has it"),
            (
                described.replacing("/features/0/outputs/1/kind", with: "event"),
                "/features/0/outputs/1/kind: the code says \"state\", the manifest \"event\""
            ),
        ]
        for (json, difference) in differences {
            let plugin = Plugin(manifest: try Manifest(json), libraryPath: Products.badLibrary)
            for _ in 0..<2 {
                let error = #expect(throws: HostError.self) { _ = try plugin.load() }
                #expect("\(error as Any)".contains("differ at \(difference)"))
            }
            #expect(!plugin.isLoaded)
        }
        let same = Plugin(
            manifest: try Manifest(described.replacing("/library", with: "libBadPlugin.so")),
            libraryPath: Products.badLibrary)
        _ = try same.load()
        #expect(same.isLoaded)
    }

    @Test func `a feature in process and its mapped library give the same record`() throws {
        let table = try PluginLibrary.load(Products.findNumberLibrary)
        let folder = TemporaryFolder()
        var manifest = try Plugin.describe(table).json
        manifest["library"] = "libFindNumber.so"
        try folder.write(manifest.text, to: "find-number.plugin.json")
        try folder.link("libFindNumber.so", to: Products.findNumberLibrary)
        let plugin = try #require(PluginDirectory(path: [folder.path]).scan().plugins.first)

        func play(_ game: Harness) -> [String] {
            game.send("checkNumber", 1, at: 10)
            game.send("checkNumber", 2, at: 15)
            game.send("gameStart", at: 20)
            game.send("checkNumber", 3, at: 400)
            game.advance(to: 1_000)
            game.send("resetStage")
            let record = game.record
            game.finish()
            return record
        }
        let stubs: [StubRule] = [
            .http(
                "GET */random*",
                replies: [.json([2]).after(50), .fail("refused").after(7), .json([3])])
        ]
        let inProcess = try Harness(
            FindNumber.self, options: .with { $0.source = .http }, stubs: stubs)
        var request = Host.OpenRequest(feature: "find-number", isVirtual: true)
        request.options = ["source": "http"]
        let mapped = try Harness(plugin, request)
        mapped.stub(stubs)
        #expect(plugin.isLoaded)
        let record = play(inProcess)
        #expect(record == play(mapped))
        #expect(record.contains("27 output error \"networkError\""))
    }
}
