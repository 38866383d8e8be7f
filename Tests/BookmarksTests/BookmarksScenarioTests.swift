// SPDX-License-Identifier: Apache-2.0

import Bookmarks
import Foundation
import MarbledHost
import MarbledKit
import Scenarios
import Testing

/// Every scenario file of the plugin, on a host in the test's own process.
@Suite("bookmarks, its scenarios")
struct BookmarksScenarioTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../plugins/Bookmarks/scenarios").standardized

    static let files =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [])
        .filter { $0.hasSuffix(".yaml") }.sorted()

    @Test func `there is a scenario for every promise of the README`() {
        #expect(
            Self.files == [
                "decoding-error.yaml", "failing-network.yaml", "failing-store.yaml",
                "lost-answer.yaml", "refresh-while-loading.yaml", "refresh.yaml",
                "restored-late.yaml", "restored.yaml", "slow-network.yaml", "toggle.yaml",
            ])
    }

    @Test(arguments: files)
    func `a scenario passes`(_ file: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        let export = PluginExport(id: "bookmarks", version: "0.0.0", [Bookmarks.self])
        let host = Host()
        host.add(try Plugin(PluginTable(export.table)))
        for scenario in try ScenarioReader.read(text, file: file) {
            let report = try ScenarioRun.run(scenario, on: host)
            #expect(report.passed, "\(report.picture)\n\(report.failures)")
        }
        withExtendedLifetime(export) { host.closeAll() }
    }
}
