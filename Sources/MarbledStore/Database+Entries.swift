// SPDX-License-Identifier: Apache-2.0

internal import CMarbledStore
internal import Foundation
internal import GRDB

/// One plugin's keys and values, inside a transaction.
extension Database {
    typealias Bytes = marbled_store_bytes

    /// Shows the entry with this key, if there is one.
    func find(_ plugin: Bytes, _ key: Bytes, _ visitor: (Bytes, Bytes) -> Bool) throws {
        try show(
            """
            SELECT key, value FROM entry WHERE plugin = CAST(? AS TEXT) AND key = CAST(? AS TEXT)
            """, [plugin, key], visitor)
    }

    /// Shows entries in order, from the first at or behind `key`, until told false.
    func visit(_ plugin: Bytes, from key: Bytes, _ visitor: (Bytes, Bytes) -> Bool) throws {
        try show(
            """
            SELECT key, value FROM entry WHERE plugin = CAST(? AS TEXT) AND key >= CAST(? AS TEXT)
            ORDER BY key
            """, [plugin, key], visitor)
    }

    func countKeys(_ plugin: Bytes) throws -> Int64 {
        let statement = try cachedStatement(
            sql: "SELECT count(*) FROM entry WHERE plugin = CAST(? AS TEXT)")
        return try Int64.fetchOne(statement, arguments: [plugin.argument]) ?? 0
    }

    func put(_ plugin: Bytes, _ key: Bytes, _ value: Bytes) throws {
        try cachedStatement(
            sql: """
                INSERT INTO entry VALUES (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))
                ON CONFLICT DO UPDATE SET value = excluded.value
                """
        ).execute(arguments: [plugin.argument, key.argument, value.argument])
    }

    func remove(_ plugin: Bytes, _ key: Bytes) throws {
        try cachedStatement(
            sql: "DELETE FROM entry WHERE plugin = CAST(? AS TEXT) AND key = CAST(? AS TEXT)"
        ).execute(arguments: [plugin.argument, key.argument])
    }

    private func show(
        _ sql: String, _ arguments: [Bytes], _ visitor: (Bytes, Bytes) -> Bool
    ) throws {
        let rows = try Row.fetchCursor(
            cachedStatement(sql: sql), arguments: StatementArguments(arguments.map(\.argument)))
        while let row = try rows.next() {
            let goesOn = try row.withUnsafeData(atIndex: 0) { key in
                try row.withUnsafeData(atIndex: 1) { value in
                    Bytes.lend(key) { key in Bytes.lend(value) { visitor(key, $0) } }
                }
            }
            guard goesOn else { return }
        }
    }
}

extension marbled_store_bytes {
    /// The text as an argument that stands in `CAST(? AS TEXT)`: GRDB binds a `String` no further than to
    /// its first NUL, and no bytes at all as NULL.
    fileprivate var argument: DatabaseValue {
        guard let data, size > 0 else { return "".databaseValue }
        return Data(bytes: data, count: size).databaseValue
    }

    /// Shows the bytes of a column.
    fileprivate static func lend<Result>(
        _ column: Data?, _ body: (marbled_store_bytes) -> Result
    ) -> Result {
        (column ?? Data()).withUnsafeBytes {
            body(marbled_store_bytes(data: $0.baseAddress, size: $0.count))
        }
    }
}
