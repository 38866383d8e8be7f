// SPDX-License-Identifier: Apache-2.0

internal import CMarbledStore
internal import CSQLite
internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// Why something was not done, on its way to the daemon.
struct StoreError: Error {
    /// `MARBLED_STORE_…`.
    let code: Int
    /// What the kernel said last, or 0.
    let systemError: Int32
    /// What is wrong with the file; a part of a sentence that names it.
    let reason: String

    init(_ code: Int, _ reason: String) {
        self.code = code
        systemError = 0
        self.reason = reason
    }

    init(_ error: any Error, systemError: Int32) {
        self.systemError = systemError
        guard let error = error as? DatabaseError else {
            (code, reason) = (MARBLED_STORE_OTHER, "\(error)")
            return
        }
        let message = error.message ?? error.resultCode.description
        (code, reason) =
            switch error.extendedResultCode {
            case .SQLITE_IOERR_SHORT_READ: (MARBLED_STORE_DAMAGED, "it is shorter than it says")
            case .SQLITE_IOERR_CORRUPTFS: (MARBLED_STORE_DAMAGED, "its file system is damaged")
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: (MARBLED_STORE_DAMAGED, message)
            case .SQLITE_FULL: (MARBLED_STORE_FULL, message)
            case .SQLITE_READONLY, .SQLITE_PERM: (MARBLED_STORE_READ_ONLY, message)
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: (MARBLED_STORE_BUSY, message)
            case .SQLITE_TOOBIG: (MARBLED_STORE_TOO_LARGE, message)
            default: (MARBLED_STORE_OTHER, message)
            }
    }

    /// As it crosses the boundary.
    var passed: marbled_store_error {
        let text = Array(reason.utf8)
        let copy = malloc(text.count)
        if let copy { memcpy(copy, text, text.count) }
        return marbled_store_error(
            code: Int32(code), system_error: systemError,
            reason: copy?.assumingMemoryBound(to: CChar.self),
            reason_size: copy == nil ? 0 : text.count)
    }
}

extension Database {
    /// Does something to the database and says what fails as a `StoreError`.
    func told(_ body: () throws -> Void) throws {
        do { try body() } catch let error as DatabaseError {
            throw StoreError(error, systemError: systemError)
        }
    }

    /// What the kernel said last, or 0.
    var systemError: Int32 { sqlite3_system_errno(sqliteConnection) }

    /// Whether the file can only be read.
    var isReadOnly: Bool { sqlite3_db_readonly(sqliteConnection, "main") == 1 }

    /// Whether closing leaves the log as it is, or moves it into the file.
    func leaveLog(_ leaves: Bool) {
        if let sqliteConnection {
            csqlite_leave_log(UnsafeMutableRawPointer(sqliteConnection), leaves)
        }
    }
}
