// SPDX-License-Identifier: Apache-2.0

internal import CMarbledStore
internal import Glibc
internal import MarbledHost

/// Says what happened to the file so that whoever reads it can mend it.
extension StoreFault {
    /// What the library said: `code` is MARBLED_STORE_….
    init(code: Int, systemError: Int32, reason: String, file: String, limits: StoreLimits) {
        switch code {
        case MARBLED_STORE_FULL: self = .full(file, limits)
        case MARBLED_STORE_DAMAGED: self = .damaged(file, reason)
        case MARBLED_STORE_READ_ONLY: self = .readOnly(file)
        case MARBLED_STORE_BUSY: self = .busy(file)
        case MARBLED_STORE_TOO_LARGE:
            self.init(.tooLarge, "\(file) cannot hold a value of that length", file: file)
        case MARBLED_STORE_FOREIGN:
            self.init(
                .unavailable,
                "\(file) cannot be used: \(reason), and was left as it was; move it away, or name another "
                    + "place with --state-directory",
                file: file)
        case MARBLED_STORE_LATER:
            self.init(
                .unavailable,
                "\(file) cannot be used: \(reason). Use the later one, or name another place with "
                    + "--state-directory",
                file: file)
        default: self.init(systemError: systemError, file: file, reason: reason)
        }
    }

    /// What the kernel said of the file or its folder.
    init(systemError: Int32, file: String, reason: String) {
        switch systemError {
        case ENOSPC, EDQUOT, EFBIG: self = .full(file, nil)
        case EROFS, EACCES, EPERM: self = .readOnly(file)
        default:
            let cause = systemError == 0 ? "" : " (\(String(cString: strerror(systemError))))"
            self.init(
                .unavailable,
                "\(file) cannot be used: \(reason)\(cause); mend that, and the next request tries again",
                file: file)
        }
    }

    static func full(_ file: String, _ limits: StoreLimits?) -> StoreFault {
        // SQLite has one word for both.
        if let limits, let room = freeBytes(file), room > roomThatMatters {
            return StoreFault(
                .full,
                "\(file) has reached its bound of \(limits.fileBytes) bytes; remove keys, or raise "
                    + "limits.storeBytes and start the daemon again",
                file: file)
        }
        return StoreFault(
            .full, "\(file) cannot grow: its disk is full; make room there and ask again",
            file: file)
    }

    static func readOnly(_ file: String) -> StoreFault {
        StoreFault(
            .readOnly,
            "\(file) cannot be written: the file, its folder or its file system is read-only for this user; "
                + "make it writable, or name another place with --state-directory",
            file: file)
    }

    static func damaged(_ file: String, _ reason: String) -> StoreFault {
        StoreFault(
            .damaged,
            "\(file) is damaged: \(reason). It was left as it is. Move it away together with \(file)-wal and "
                + "\(file)-shm, and the next request begins a new one; "
                + "`sqlite3 MOVED-FILE .recover` shows what can be saved", file: file)
    }

    static func busy(_ file: String) -> StoreFault {
        StoreFault(
            .busy,
            "\(file) is locked by another process; `fuser \(file)` names it; ask again once it is done",
            file: file)
    }

    /// Less than this is a full disk: SQLite asks for room in larger pieces than a value.
    private static let roomThatMatters = 1 << 20

    private static func freeBytes(_ file: String) -> Int? {
        var status = statvfs()
        guard statvfs(file, &status) == 0 else { return nil }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }
}
