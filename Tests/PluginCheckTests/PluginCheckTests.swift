// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONRPC
import MarbledClient
import MarbledHost
import TestSupport
import Testing

@Suite struct PluginCheckTests {
    static let bad = Products.path("libBadPlugin.so")

    /// A folder with a library's copy and its manifest, which goes away with the test.
    private final class Installed {
        let folder = TemporaryFolder()
        let library: String

        init(_ name: String) throws {
            library = folder.file(name)
            let files = FileManager.default
            try files.copyItem(atPath: Products.path(name), toPath: library)
            try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: library)
            try write(try Plugin.describe(PluginLibrary.load(library)).json)
        }

        func write(_ description: JSONValue) throws {
            var json = description
            json["library"] = .string(String(library.split(separator: "/").last ?? ""))
            let id = description["id"]?.string ?? ""
            try folder.write(json.text, to: "\(id).plugin.json")
        }
    }

    /// Checks in a child, as people do: memory is counted, and nothing else may use any meanwhile.
    private func check(
        _ library: String, symbol: String = PluginLibrary.symbol
    ) throws -> (isGood: Bool, findings: [PluginReport.Line]) {
        let child = try ChildRun.run(
            [Products.path("marbled"), "check", library, "--symbol", symbol],
            patience: .seconds(120))
        let report = PluginReport(child.output, child.ending)
        return (report.isGood, report.lines)
    }

    // MARK: What is good

    @Test(arguments: ["Bookmarks", "Counter", "FindNumber", "GitHubSearch", "MateList", "TabFeed"])
    func `a plugin of this repository checks clean`(_ name: String) throws {
        let installed = try Installed("lib\(name).so")
        let (isGood, findings) = try check(installed.library)
        #expect(findings.filter { $0.outcome != "ok" } == [])
        #expect(isGood)
        #expect(findings.count == 6 + 7)
    }

    @Test func `a plugin of the first minor checks clean`() throws {
        let installed = try Installed("libOldMinor.so")
        let (isGood, findings) = try check(installed.library)
        #expect(findings.filter { $0.outcome != "ok" } == [] && isGood)
    }

    // MARK: What is wrong

    @Test(arguments: [
        ("bad_no_table", "returned no table"),
        ("bad_tiny_table", "too few to say a version"),
        ("bad_short_table", "has 40 bytes"),
        ("bad_wrong_major", "built for version 2"),
        ("bad_null_describe", "no function \"describe\""),
        ("bad_null_create", "no function \"create\""),
        ("bad_null_send", "no function \"send\""),
        ("bad_null_destroy", "no function \"destroy\""),
        ("no_such_symbol", "exports no symbol no_such_symbol"),
    ])
    func `a table that cannot be trusted fails as the library`(
        _ symbol: String, _ part: String
    ) throws {
        let (isGood, findings) = try check(Self.bad, symbol: symbol)
        let finding = try #require(findings.first)
        #expect(!isGood && findings.count == 1 && finding.check == "library")
        #expect(finding.text.contains(part) && finding.advice != nil)
    }

    private static let brokenPromises = [
        ("bad_not_json", "description", "not JSON"),
        ("bad_not_a_manifest", "description", "/version is missing"),
        ("good_newer_minor", "description", "/abi says 1.0 and the table 1.99"),
        ("rude_undocumented", "description", "/features/0/doc is empty"),
        ("rude_misnamed", "description", "/id is \"Rude One\""),
        ("rude_takes_anything", "description", "takes options that nobody knows"),
        ("rude_takes_anything", "rude: options", "it took an option that nobody described"),
        ("rude_no_default", "description", "/options/defaults has no pace"),
        ("rude_silent", "rude: states", "count is a state and had no value"),
        ("rude_unwilling", "rude: opens", "it takes more than its defaults"),
        ("rude_forgetful", "rude: same again", "two runs with one seed"),
        ("rude_leaky", "rude: memory", "1000 openings left"),
        ("rude_late", "rude: opens", "it called the host"),
        ("rude_hasty", "rude: same again", "changed something all the same"),
        ("rude_wrong_type", "rude: same again", "count said \"many\""),
        ("rude_failing", "rude: same again", "it had enough"),
    ]

    @Test(arguments: brokenPromises.filter { $0.1 != "rude: memory" || !Sanitizer.isOn })
    func `a broken promise is found, with what to do`(
        _ symbol: String, _ subject: String, _ part: String
    ) throws {
        let (isGood, findings) = try check(Self.bad, symbol: symbol)
        let found = findings.filter { $0.check == subject && $0.text.contains(part) }
        #expect(found.count == 1, "\(findings)")
        #expect(found.allSatisfy { $0.outcome == "failed" && $0.advice?.isEmpty == false })
        #expect(!isGood)
    }

    @Test func `one that breaks none of these passes everything but what is beside it`() throws {
        let (_, findings) = try check(Self.bad, symbol: "rude_not_at_all")
        #expect(findings.filter { $0.outcome == "failed" }.map(\.check) == ["manifest"])
    }

    @Test func `a manifest that is not there, or says otherwise, fails with the difference`() throws
    {
        let installed = try Installed("libCounter.so")
        let described = try Plugin.describe(PluginLibrary.load(installed.library)).json
        var other = described
        other["version"] = "9.9.9"
        try installed.write(other)
        let (_, findings) = try check(installed.library)
        let failed = findings.filter { $0.outcome == "failed" }
        #expect(failed.map(\.check) == ["manifest"])
        #expect(
            failed[0].text.hasSuffix("/version: the code says \"0.1.0\", the manifest \"9.9.9\""))
        try FileManager.default.removeItem(atPath: installed.folder.file("counter.plugin.json"))
        let (isGood, without) = try check(installed.library)
        #expect(!isGood && without.contains { $0.text.hasPrefix("there is no ") })
    }

    @Test func `a library that others can write is told`() throws {
        let installed = try Installed("libCounter.so")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o666], ofItemAtPath: installed.library)
        let (isGood, findings) = try check(installed.library)
        #expect(isGood)
        #expect(findings.filter { $0.outcome == "warning" }.map(\.check) == ["rights"])
    }

    // MARK: What crashes

    @Test(arguments: [
        ("rude_crashing", "rude: same again"), ("rude_crashing_at_the_end", "rude: same again"),
    ])
    func `a crash of the plugin is a finding that names what was tried`(
        _ symbol: String, _ subject: String
    ) throws {
        let (isGood, findings) = try check(Self.bad, symbol: symbol)
        let last = try #require(findings.last)
        #expect(!isGood && last.check == subject && last.outcome == "failed")
        let crash = "the plugin crashed the process (signal 11)"
        let ending = "the plugin ended the process with code "
        #expect(Sanitizer.isOn ? last.text.hasPrefix(ending) : last.text == crash)
        // What was found before it is kept.
        #expect(findings.contains { $0.check == "library" && $0.outcome == "ok" })
    }
}
