// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
internal import JSONRPC
internal import Scheduling

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

/// The loader: the one place that maps a library into the process.
///
/// A library is never unloaded. Swift code that is gone while a closure of it lives is a crash, and a
/// reload maps the new build beside the old one anyway.
package enum PluginLibrary {
    /// The symbol that a plugin exports.
    package static let symbol = "marbled_plugin_v1"

    private static let files = Locked(LoadedFiles())

    /// Maps the library at `path` and takes its table. A new build at a path that was loaded before is mapped
    /// beside the old one.
    package static func load(
        _ path: String, symbol: String = symbol
    ) throws(HostError) -> PluginTable {
        let name = try files.withLock { files throws(HostError) in try files.name(for: path) }
        // Local, so that two plugins that carry the same symbols never meet; now, so that a missing one
        // is told here and not in the middle of a game.
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            throw .pluginRefused("\(path) cannot be loaded: \(lastError())")
        }
        guard let address = dlsym(handle, symbol) else {
            throw .pluginRefused("\(path) exports no symbol \(symbol)")
        }
        typealias Entry = @convention(c) () -> UnsafePointer<marbled_plugin_table>?
        // Safety: the symbol's type is the boundary's one fixed point.
        let entry = unsafeBitCast(address, to: Entry.self)
        do {
            return try PluginTable(entry())
        } catch {
            throw .pluginRefused("\(path): \(error)")
        }
    }

    private static func lastError() -> String {
        dlerror().map { String(cString: $0) } ?? "no reason given"
    }
}
