// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONRPC
import MarbledHost
import TestSupport
import Testing

@Suite struct PluginDirectoryTests {
    private static func manifest(_ id: String = "game", library: String? = "libGame.so") -> String {
        ManifestTests.whole.replacing("/id", with: .string(id))
            .replacing("/library", with: library.map(JSONValue.string)).text
    }

    private func filled(_ id: String = "game") throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.write(Self.manifest(id), to: "\(id).plugin.json")
        try folder.write("not read", to: "libGame.so")
        return folder
    }

    @Test func `manifests are found and no library is opened`() throws {
        let folder = try filled()
        try folder.write("{}", to: "notes.json")
        let found = PluginDirectory(path: [folder.path]).scan()
        #expect(found.plugins.map(\.manifest.id) == ["game"])
        #expect(found.plugins[0].libraryPath == folder.path + "/libGame.so")
        #expect(!found.plugins[0].isLoaded)
        #expect(found.refusals.isEmpty)
    }

    @Test func `of two folders the first wins`() throws {
        let (first, second) = (try filled(), try filled())
        try second.write(Self.manifest("other"), to: "other.plugin.json")
        let found = PluginDirectory(path: [first.path, second.path]).scan()
        #expect(
            found.plugins.map(\.libraryPath) == [
                first.path + "/libGame.so", second.path + "/libGame.so",
            ])
        #expect(found.plugins.map(\.manifest.id) == ["game", "other"])
        #expect(found.refusals.isEmpty)
    }

    @Test func `files are read in the order of their names`() throws {
        let folder = TemporaryFolder()
        try folder.write("", to: "libGame.so")
        for id in ["c", "a", "b"] { try folder.write(Self.manifest(id), to: "\(id).plugin.json") }
        let found = PluginDirectory(path: [folder.path]).scan()
        #expect(found.plugins.map(\.manifest.id) == ["a", "b", "c"])
    }

    @Test func `a folder that says one name twice is told so`() throws {
        let folder = try filled()
        try folder.write(Self.manifest(), to: "z.plugin.json")
        let found = PluginDirectory(path: [folder.path]).scan()
        #expect(found.plugins.count == 1)
        #expect(found.refusals.map(\.file) == [folder.path + "/z.plugin.json"])
        #expect(
            found.refusals.first?.reason == "another manifest of this folder says it is \"game\"")
    }

    @Test func `a folder that is not there holds nothing`() {
        let found = PluginDirectory(path: ["/nowhere/at/all"]).scan()
        #expect(found.plugins.isEmpty && found.refusals.isEmpty)
    }

    @Test(arguments: [
        ("{", "it is not JSON"),
        ("[]", "the manifest is not an object"),
        (manifest(library: nil), "/library is missing: the file name of the plugin's library"),
        (
            manifest(library: "../libGame.so"),
            "/library is \"../libGame.so\"; it names a file beside the manifest"
        ),
        (manifest(library: "libOther.so"), "its library FOLDER/libOther.so is not there"),
        (manifest(library: ".."), "its library FOLDER/.. is not a file"),
    ])
    func `a manifest that cannot be used is refused with a reason`(
        _ text: String, _ reason: String
    ) throws {
        let folder = TemporaryFolder()
        try folder.write("", to: "libGame.so")
        try folder.write(text, to: "game.plugin.json")
        let found = PluginDirectory(path: [folder.path]).scan()
        #expect(found.plugins.isEmpty)
        #expect(
            found.refusals.first?.reason == reason.replacing("FOLDER", with: folder.path))
    }

    @Test
    func `what cannot be read, is a folder, a pipe or too large is refused and nothing waits`()
        throws
    {
        let folder = try filled()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/a.plugin.json", withIntermediateDirectories: false)
        #expect(mkfifo(folder.path + "/b.plugin.json", 0o644) == 0)
        try folder.write(String(repeating: " ", count: 2 << 20), to: "c.plugin.json")
        try folder.link("d.plugin.json", to: "/nowhere")
        let found = PluginDirectory(path: [folder.path]).scan()
        #expect(found.plugins.map(\.manifest.id) == ["game"])
        #expect(
            found.refusals.map(\.file)
                == ["a", "b", "c", "d"].map {
                    "\(folder.path)/\($0).plugin.json"
                })
        for refusal in found.refusals {
            #expect(refusal.reason == "it cannot be read, or is no file of at most 1 MiB")
        }
    }

    @Test func `a link to a library is followed`() throws {
        let (folder, elsewhere) = (try filled(), try filled())
        try FileManager.default.removeItem(atPath: folder.path + "/libGame.so")
        try folder.link("libGame.so", to: elsewhere.path + "/libGame.so")
        #expect(PluginDirectory(path: [folder.path]).scan().plugins.count == 1)
    }

    // MARK: Under the system service

    @Test func `what only its owner can write is accepted`() throws {
        let folder = try filled()
        let found = PluginDirectory(path: [folder.path], refusesForeignWriters: true).scan()
        #expect(found.plugins.count == 1, "\(found.refusals)")
    }

    @Test(arguments: ["", "/game.plugin.json", "/libGame.so"], [0o777, 0o775])
    func `what others can write is refused by the system service alone`(
        _ place: String, _ mode: Int
    ) throws {
        let folder = try filled()
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: folder.path + place)
        #expect(PluginDirectory(path: [folder.path]).scan().plugins.count == 1)
        let found = PluginDirectory(path: [folder.path], refusesForeignWriters: true).scan()
        #expect(found.plugins.isEmpty)
        let path = folder.path + place
        #expect(
            found.refusals.first?.reason
                == "\(path) can be written by others than its owner; chmod go-w \(path)")
    }

    @Test func `a link out of a safe folder does not make its target safe`() throws {
        let (folder, elsewhere) = (try filled(), try filled())
        try FileManager.default.removeItem(atPath: folder.path + "/libGame.so")
        try folder.link("libGame.so", to: elsewhere.path + "/libGame.so")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: elsewhere.path)
        let found = PluginDirectory(path: [folder.path], refusesForeignWriters: true).scan()
        #expect(found.plugins.isEmpty)
        #expect(found.refusals.first?.reason.contains(elsewhere.path) == true)
    }
}

extension TemporaryFolder {
    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: file(name), withDestinationPath: target)
    }
}
