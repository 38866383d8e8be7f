// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

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
