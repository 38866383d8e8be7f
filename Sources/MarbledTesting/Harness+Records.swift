// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
package import MarbledHost
public import MarbledKit
internal import Scenarios
public import Testing

extension Harness {
    /// Everything that happened, as the file that `marblectl record` writes: it runs again with
    /// `replay(_:against:)` or `marblectl replay`.
    public var recordFile: String { RecordFile(instance).text }
}

/// How a record runs again in a test.
public enum ReplayTime: Sendable, Equatable {
    /// Answers take as long as they took; outputs are compared with their times.
    case recorded
    /// Answers come at once; outputs are compared in order alone, as in the cases below.
    case zero
    /// Answers take so many times as long.
    case scaled(Int)
    /// Answers take from half to one and a half times as long, drawn by a seed.
    case jittered(seed: UInt64)

    fileprivate var timing: Replay.Timing {
        switch self {
        case .recorded: .recorded
        case .zero: .zero
        case .scaled(let factor): .scaled(numerator: Int64(factor), denominator: 1)
        case .jittered(let seed): .jittered(seed: seed)
        }
    }
}

/// Runs a record (the text of a file that `marblectl record` or `Harness.recordFile` wrote) against a feature, in
/// virtual time and in the test's own process.
///
/// ```swift
/// @Test func `what went wrong last night goes right`() throws {
///     try replay(nightly, against: Search.self)
/// }
/// ```
///
/// What the world answered is answered again. An output that differs, a request that is not in the record
/// and one that is not made again fail the test with a picture of the lanes.
///
/// - Parameters:
///   - record: the text of the record.
///   - feature: the feature's type; options and seed are the record's.
///   - time: how long answers take.
/// - Returns: whether nothing differs.
/// - Throws: a sentence with line and column, when the record cannot be read or cannot run.
@discardableResult
public func replay<Kind: Feature>(
    _ record: String, against feature: Kind.Type, time: ReplayTime = .recorded,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Bool {
    let export = PluginExport(id: feature.name, version: "0.0.0", [feature])
    return try withExtendedLifetime(export) {
        let host = Host()
        host.add(try Plugin(try PluginTable(export.table)))
        return try replay(record, on: host, time: time, sourceLocation: sourceLocation)
    }
}

/// The same on a host with any plugin.
package func replay(
    _ record: String, on host: Host, time: ReplayTime = .recorded,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Bool {
    let file = try RecordReader.read(record)
    let report = try Replay.run(file, .init(timing: time.timing), on: host)
    guard !report.passed else { return true }
    let text = (report.failures + [report.picture]).joined(separator: "\n")
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
    return false
}
