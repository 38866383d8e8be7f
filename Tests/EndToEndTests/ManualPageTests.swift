// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONRPC
import MarbledClient
import MarbledDaemon
import TestSupport
import Testing

/// The manual pages as the programs print them: whole, with examples, and without a fault in their markup.
@Suite("The manual pages")
struct ManualPageTests {
    private static let pages = [
        ("marblectl.1", ["man"]), ("marbled.8", ["man"]), ("marbled.5", ["man", "marbled.yaml"]),
        ("marbled.7", ["man", "marbled-protocol"]),
    ]

    private func output(of program: String, _ words: [String]) throws -> String {
        let folder = TemporaryFolder()
        let child = try Spawn.run(Products.path(program), words, output: folder.file("out"))
        #expect(try Spawn.wait(child) == 0)
        return Files.text(folder.file("out"))
    }

    /// A page as a reader sees it, on lines as long as its paragraphs.
    private func read(_ program: String, _ words: [String]) throws -> String {
        let folder = TemporaryFolder()
        try folder.write(try output(of: program, words), to: "page")
        let child = try Spawn.run(
            "/usr/bin/mandoc", ["-T", "utf8", "-O", "width=1000", folder.file("page")],
            output: folder.file("out"))
        #expect(try Spawn.wait(child) == 0)
        // What is printed twice over itself is bold or underlined.
        var text: [Unicode.Scalar] = []
        for scalar in Files.text(folder.file("out")).unicodeScalars {
            if scalar == "\u{8}" { text.removeLast() } else { text.append(scalar) }
        }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text)
        return String(result)
    }

    /// Those that are no line of the page.
    private static func missing(_ lines: [String], in page: String) -> [String] {
        let present = Set(page.split(separator: "\n").map(String.init))
        return lines.filter { !present.contains($0) }
    }

    @Test(arguments: pages)
    func `a page has no fault in its markup`(_ file: String, _ words: [String]) throws {
        let folder = TemporaryFolder()
        let page = try output(of: String(file.dropLast(2)), words)
        #expect(page.utf8.allSatisfy { $0 < 0x80 })
        try folder.write(page, to: file)
        let child = try Spawn.run(
            "/usr/bin/mandoc", ["-T", "lint", "-W", "style", folder.file(file)],
            output: folder.file("out"))
        let status = try Spawn.wait(child)
        #expect(status == 0, "\(Files.text(folder.file("out")))")
    }

    @Test func `each verb stands on its page with its words, its options and an example`() throws {
        let page = try read("marblectl", ["man"])
        let dump = try JSONValue(parsing: try output(of: "marblectl", ["--experimental-dump-help"]))
        var count = 0
        func check(_ command: JSONValue, _ path: String) throws {
            guard command["shouldDisplay"]?.bool != false, command["commandName"] != "help" else {
                return
            }
            let subcommands = command["subcommands"]?.array ?? []
            for subcommand in subcommands {
                try check(subcommand, "\(path) \(subcommand["commandName"]?.string ?? "")")
            }
            guard subcommands.isEmpty else { return }
            count += 1
            let heading = "\n   \(path.dropFirst("marblectl ".count))\n"
            let start = try #require(page.range(of: heading)?.upperBound, "\(path)")
            let rest = page[start...]
            let end = rest.range(of: "\n   [a-z]", options: .regularExpression)?.lowerBound
            let section = rest[..<(end ?? rest.endIndex)]
            #expect(section.contains(command["abstract"]?.string ?? "?"), "\(path)")
            #expect(section.contains("\n           "), "no example: \(path)")
            for argument in command["arguments"]?.array ?? []
            where argument["sectionTitle"] == nil && argument["shouldDisplay"]?.bool == true {
                let name = argument["preferredName"]?["name"]?.string
                guard name != "help", name != "version" else { continue }
                let word = name.map { "--\($0)" } ?? argument["valueName"]?.string ?? "?"
                #expect(section.contains(word), "\(path) \(word)")
            }
        }
        try check(try #require(dump["command"]), "marblectl")
        #expect(count > 25)
        for status in MarbledClient.ExitStatus.allCases {
            #expect(page.contains("\n       \(status.rawValue)      \(status.meaning).\n"))
        }
    }

    @Test func `every limit and every setting stands on the page of the configuration`() throws {
        let page = try read("marbled", ["man", "marbled.yaml"])
        let limits = DaemonLimits.table.flatMap {
            ["       \($0.name): \($0.standard)", "              \($0.doc.filter { $0 != "`" })"]
        }
        let settings = Setting.table.map { "       \($0.name): \($0.value)" }
        #expect(Self.missing(limits + settings, in: page) == [])
    }

    @Test func `the daemon's page names its flags and its variables`() throws {
        let page = try read("marbled", ["man"])
        let dump = try JSONValue(
            parsing: try output(of: "marbled", ["serve", "--experimental-dump-help"]))
        let flags = dump["command"]?["arguments"]?.array ?? []
        #expect(flags.count > 8)
        let names = flags.compactMap { flag in
            flag["preferredName"]?["name"]?.string.map { name in
                let value = flag["kind"] == "option" ? " \(flag["valueName"]?.string ?? "?")" : ""
                return "       --\(name)\(value)"
            }
        }.filter { $0 != "       --help" }
        #expect(Self.missing(names + Setting.variables.map { "       \($0)" }, in: page) == [])
        for setting in Setting.table {
            if let flag = setting.flag {
                #expect(names.contains { $0.hasPrefix("       \(flag) ") }, "\(flag)")
            }
        }
    }

    @Test func `the page of the protocol has every method, kind and limit`() throws {
        let page = try read("marbled", ["man", "marbled-protocol"])
        let daemon = try DaemonProcess(arguments: ["--state-directory", "none"], plugins: [])
        let methods = try daemon.connect().call("rpc.discover")["methods"]?.array ?? []
        #expect(methods.count > 30)
        let names = methods.map { "   \($0["name"]?.string ?? "?")" }
        let kinds = ErrorKind.allCases.map { "       \($0.rawValue) \($0.code)" }
        let limits = DaemonLimits.table.map { "       \($0.name) \($0.standard)" }
        #expect(Self.missing(names + kinds + limits, in: page) == [])
    }
}
