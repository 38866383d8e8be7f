// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

/// A library's file as it stands on the disk: which one it is, and whether somebody wrote to it since.
package struct LibraryFile: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int
    private let modified: Int64

    /// Nil where there is none.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }

    /// Whether the two are one file, whatever is in it.
    func isSameFile(as other: LibraryFile) -> Bool {
        device == other.device && inode == other.inode
    }
}

/// The library files that are in the process, by path: the loader of the system would give back the
/// older one for a path that it has seen.
struct LoadedFiles {
    private var files: [String: [LibraryFile]] = [:]

    /// The name under which the loader maps the file that is at `path` now: each further file of one
    /// path gets another spelling of it.
    ///
    /// - Throws: for a file that was written to after it was mapped: its code is no longer what runs.
    mutating func name(for path: String) throws(HostError) -> String {
        // Whatever is wrong with the path, the loader says it better.
        guard let file = LibraryFile(path) else { return path }
        let known = files[path] ?? []
        let index = known.firstIndex { $0.isSameFile(as: file) } ?? known.count
        if index == known.count {
            files[path] = known + [file]
        } else if known[index] != file {
            throw .pluginRefused(
                """
                \(path) was written to while its code is in use; put a new build in its place as a file \
                of its own: write it beside, then rename it
                """)
        }
        guard index > 0, let slash = path.lastIndex(of: "/") else { return path }
        return path[..<slash] + String(repeating: "/.", count: index) + path[slash...]
    }
}
