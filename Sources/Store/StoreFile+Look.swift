// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MarbledHost

extension StoreFile {
    /// The first bytes of every SQLite database.
    private static let magic = Array("SQLite format 3\0".utf8)

    /// What can be seen to be wrong before the file was ever opened: nothing is made, written or locked.
    ///
    /// What it finds well may fail all the same; what it finds wrong fails.
    static func look(in folder: String) -> StoreFault? {
        let path = path(in: folder)
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else {
                return StoreFault(systemError: errno, file: path, reason: "it cannot be made")
            }
            return lookForRoom(at: folder, for: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return StoreFault(systemError: 0, file: path, reason: "it is no file")
        }
        guard access(path, R_OK | W_OK) == 0, access(folder, W_OK | X_OK) == 0 else {
            return StoreFault(systemError: errno, file: path, reason: "it cannot be opened")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            return StoreFault(systemError: errno, file: path, reason: "it cannot be opened")
        }
        defer { Glibc.close(descriptor) }
        var head = [UInt8](repeating: 0, count: magic.count)
        let count = read(descriptor, &head, head.count)
        guard count == 0 || head == magic else {
            return .damaged(path, "file is not a database")
        }
        return nil
    }

    /// Whether the folder, or the first one above it that is there, lets something be made in it.
    private static func lookForRoom(at folder: String, for path: String) -> StoreFault? {
        var place = folder
        while access(place, F_OK) != 0, errno == ENOENT, let slash = place.lastIndex(of: "/") {
            place = slash == place.startIndex ? "/" : String(place[..<slash])
        }
        var status = stat()
        let reason = "the folder \(folder) cannot be made"
        if stat(place, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
            return StoreFault(systemError: ENOTDIR, file: path, reason: reason)
        }
        guard access(place, W_OK | X_OK) == 0 else {
            return StoreFault(systemError: errno, file: path, reason: reason)
        }
        return nil
    }
}
