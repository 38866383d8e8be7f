// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Libraries that the build made beside the test bundle.
enum Products {
    static let folder: String = {
        let path =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }()
}
