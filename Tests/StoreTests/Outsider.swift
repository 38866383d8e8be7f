// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import Testing

/// Another process's hands on a database file, played by a connection of our own.
final class Outsider {
    private let connection: OpaquePointer

    init(path: String) throws {
        var opened: OpaquePointer?
        try #require(sqlite3_open(path, &opened) == SQLITE_OK)
        connection = try #require(opened)
    }

    deinit { sqlite3_close_v2(connection) }

    func run(_ sql: String) throws {
        try #require(
            sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK,
            "\(String(cString: sqlite3_errmsg(connection)))")
    }

    /// The one number that a statement answers.
    func number(_ sql: String) throws -> Int {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        return Int(sqlite3_column_int64(statement, 0))
    }
}
