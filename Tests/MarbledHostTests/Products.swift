// SPDX-License-Identifier: Apache-2.0

import Foundation
import MarbledHost

/// Libraries that the build made beside the test bundle.
enum Products {
    static let folder: String = {
        let path =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }()

    static let badLibrary = "\(folder)/libBadPlugin.so"
    static let oldMinorLibrary = "\(folder)/libOldMinor.so"
    static let findNumberLibrary = "\(folder)/libFindNumber.so"

    static func badPlugin() throws -> Plugin { try Plugin(PluginLibrary.load(badLibrary)) }
}

/// A folder that goes away with the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "marbled-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(path)/\(name)", withDestinationPath: target)
    }
}
