// SPDX-License-Identifier: Apache-2.0

internal import CMarbledStore
internal import Glibc
internal import MarbledHost

/// `libMarbledStore.so`: GRDB, SQLite and Foundation, which a daemon whose features keep nothing does without.
///
/// Mapped on the store's thread when the first request comes, and never unloaded.
package enum StoreLibrary {
    /// Where the library stands: beside the program, in a build as when installed.
    package static let path: String = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        let program = String(
            decoding: path[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
            + "/libMarbledStore.so"
    }()

    /// Maps the library and takes its table; from the second time on, what is mapped already.
    static func load(
        _ path: String
    ) throws(StoreFault) -> UnsafePointer<marbled_store_table> {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
            throw unusable(path, "it cannot be loaded (\(reason))", "the next request tries again")
        }
        // What is mapped stays mapped under its name, so another one there needs another process.
        guard let address = dlsym(handle, "marbled_store_library") else {
            throw unusable(
                path, "it exports no marbled_store_library", "start the daemon again")
        }
        typealias Entry = @convention(c) () -> UnsafePointer<marbled_store_table>
        // Safety: the symbol's type is the boundary's one fixed point, as is the version in front.
        let table = unsafeBitCast(address, to: Entry.self)()
        let version = table.pointee.version
        guard version == UInt32(MARBLED_STORE_VERSION) else {
            throw unusable(
                path, "it has version \(version), and this daemon \(MARBLED_STORE_VERSION)",
                "start the daemon again")
        }
        return table
    }

    private static func unusable(
        _ path: String, _ reason: String, _ next: String
    ) -> StoreFault {
        StoreFault(
            .unavailable,
            "\(path), which keeps what features store, cannot be used: \(reason). Put the one there that was "
                + "built with this daemon, and \(next)", file: path)
    }
}
