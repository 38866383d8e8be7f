// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import MarbledHost
public import MarbledKit
internal import Scenarios
public import Testing

/// A scenario file, run in the test's own process by the code that the daemon runs it by.
///
/// ```swift
/// @Test(arguments: ScenarioFile.all(in: "../../plugins/FindNumber/scenarios"))
/// func `a scenario passes`(_ file: ScenarioFile) { file.run(FindNumber.self) }
/// ```
public struct ScenarioFile: Sendable, CustomTestStringConvertible {
    /// Where it is.
    public let path: String

    /// The file's name without its folder.
    public var name: String { String(path.split(separator: "/").last ?? "") }

    public var testDescription: String { name }

    /// The `*.yaml` files of a folder, by name; a folder that is not there, or holds none, stops the
    /// tests with a sentence.
    ///
    /// - Parameter folder: absolute, or as seen from the folder of the test's source file.
    public static func all(in folder: String, from source: String = #filePath) -> [ScenarioFile] {
        let beside = source[..<(source.lastIndex(of: "/") ?? source.startIndex)]
        let folder = folder.hasPrefix("/") ? folder : "\(beside)/\(folder)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = names.filter { $0.hasSuffix(".yaml") }.sorted()
        precondition(!files.isEmpty, "there are no scenario files in \(folder)")
        return files.map { ScenarioFile(path: "\(folder)/\($0)") }
    }

    /// Runs every scenario of the file on a host that offers `features`. What cannot be read, does not
    /// fit its feature or comes out otherwise fails the test, with its picture.
    public func run(
        _ features: any Feature.Type..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            // The table must outlive the instances that the host runs with it.
            let export = PluginExport(id: "test", version: "0.0.0", features)
            try withExtendedLifetime(export) {
                let host = Host()
                host.add(try Plugin(PluginTable(export.table)))
                let text = String(
                    decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
                for scenario in try ScenarioReader.read(text, file: name) {
                    let report = try ScenarioRun.run(scenario, on: host)
                    if !report.passed {
                        Issue.record(report.comment, sourceLocation: sourceLocation)
                    }
                }
            }
        } catch {
            Issue.record(error, "\(name)", sourceLocation: sourceLocation)
        }
    }
}

extension ScenarioReport {
    /// The scenario, its picture, and all that is not as it should be.
    fileprivate var comment: Comment {
        let sentences = failures.compactMap { failure in
            if case .other(let sentence) = failure { sentence } else { nil }
        }
        return Comment(rawValue: ([title, picture] + sentences).joined(separator: "\n"))
    }
}
