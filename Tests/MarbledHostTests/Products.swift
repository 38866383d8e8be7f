// SPDX-License-Identifier: Apache-2.0

import MarbledHost
import TestSupport

/// Libraries that the build made beside the test bundle.
extension Products {
    static let badLibrary = path("libBadPlugin.so")
    static let oldMinorLibrary = path("libOldMinor.so")
    static let findNumberLibrary = path("libFindNumber.so")

    static func badPlugin() throws -> Plugin { try Plugin(PluginLibrary.load(badLibrary)) }
}
