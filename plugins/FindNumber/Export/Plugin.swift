// SPDX-License-Identifier: Apache-2.0

public import CMarbledABI
internal import FindNumber
internal import MarbledKit

// Safety: written once, before the first call; the table never changes and is never freed.
nonisolated(unsafe) private let table = exportPlugin(
    id: "find-number", version: "0.1.0", FindNumber.self)

/// What the daemon asks this library for.
@c(marbled_plugin_v1)
public func plugin() -> UnsafePointer<marbled_plugin_table> { table }
