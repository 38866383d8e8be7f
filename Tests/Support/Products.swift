// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the build made: the running test program, and programs and libraries beside it.
package enum Products {
    /// The running test program.
    package static let program: String = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        return String(decoding: path[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }()

    /// The folder of the running test program, which is the folder of all products.
    package static let folder: String =
        program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."

    /// The path of the product `name`: `marbled`, `libCounter.so`.
    package static func path(_ name: String) -> String { "\(folder)/\(name)" }
}
