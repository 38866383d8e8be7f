// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// What SQLite said when it could not do something.
struct DatabaseError: Error {
    /// The extended result code, such as `SQLITE_IOERR_WRITE`.
    let code: Int32
    /// What the kernel said last, or 0.
    let systemError: Int32
    /// SQLite's own words.
    let message: String

    /// The result code without its extension.
    var primaryCode: Int32 { code & 0xFF }
}

/// One connection to one SQLite file.
///
/// Confined to the thread that made it. Statements are prepared once and kept, so the texts given to it
/// are a few, and fixed. Closes with the value; see `leaveLog`.
final class Database {
    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// Opens or makes the file; where only reading is allowed, SQLite opens it for reading.
    init(path: String) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened else {
            throw DatabaseError(code: code, systemError: 0, message: "there is no memory for it")
        }
        guard code == SQLITE_OK else {
            defer { sqlite3_close_v2(opened) }
            throw Self.error(code, opened)
        }
        handle = opened
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Whether the file can only be read.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// How long to wait for other processes, in milliseconds.
    func setPatience(_ milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Has the connection close without moving the log into the file: a file that is not sound is left
    /// as it was found.
    func leaveLog() {
        _ = csqlite_leave_log(handle)
    }

    /// Undoes the transaction that is open, if there is one; SQLite may have done so itself.
    func rollBack() {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// Runs a statement and shows each row to `body`, until that says false.
    func run(
        _ sql: String, _ arguments: [[UInt8]] = [], rows body: (Row) -> Bool = { _ in true }
    ) throws(DatabaseError) {
        let statement = try prepare(sql)
        // What is bound may be large, and an unfinished statement would hold the file.
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, argument) in arguments.enumerated() {
            let code = csqlite_bind(statement, Int32(index + 1), argument, Int32(argument.count))
            guard code == SQLITE_OK else { throw Self.error(code, handle) }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: guard body(Row(statement: statement)) else { return }
            case SQLITE_DONE: return
            case let code: throw Self.error(code, handle)
            }
        }
    }

    /// The one number that a statement answers; 0 where it answers nothing.
    func number(_ sql: String, _ arguments: [[UInt8]] = []) throws(DatabaseError) -> Int {
        var number = 0
        try run(sql, arguments) {
            number = $0.number(0)
            return false
        }
        return number
    }

    private func prepare(_ sql: String) throws(DatabaseError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw Self.error(code, handle) }
        statements[sql] = statement
        return statement
    }

    private static func error(_ code: Int32, _ handle: OpaquePointer) -> DatabaseError {
        DatabaseError(
            code: code, systemError: sqlite3_system_errno(handle),
            message: String(cString: sqlite3_errmsg(handle)))
    }
}

/// One row, valid inside the closure that it is shown to.
struct Row {
    fileprivate let statement: OpaquePointer

    func number(_ column: Int32) -> Int {
        Int(sqlite3_column_int64(statement, column))
    }

    /// The bytes of a text.
    func text(_ column: Int32) -> [UInt8] {
        // In this order: the call for the text settles the form that the other counts.
        let bytes = sqlite3_column_text(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
