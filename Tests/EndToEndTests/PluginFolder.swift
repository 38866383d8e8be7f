// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A folder with plugins, for the length of a test.
final class PluginFolder {
    let path: String

    init(_ plugins: [String]) throws {
        path = try Files.makeFolder()
        try Products.installPlugins(plugins, in: path)
    }

    deinit { Files.remove(path) }
}

/// The command line client as a process.
enum Marblectl {
    static func run(
        _ arguments: [String], in folder: String, environment: [String: String] = [:]
    ) throws -> (status: Int32, text: String) {
        let output = "\(folder)/marblectl.out"
        unlink(output)
        let child = try Spawn.run(
            Products.path("marblectl"), arguments, environment: environment, output: output)
        let status = try Spawn.wait(child)
        return (status, Files.text(output))
    }
}

extension Files {
    static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure("\(path): \(errno)") }
        defer { fclose(file) }
        guard fputs(text, file) >= 0 else { throw Failure("\(path): \(errno)") }
    }
}
