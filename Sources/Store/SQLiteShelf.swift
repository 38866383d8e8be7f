// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

/// One plugin's keys in the file, inside a transaction that somebody else opened.
struct SQLiteShelf: StoreShelf {
    let database: Database
    let plugin: [UInt8]
    let path: String
    let limits: StoreLimits
    let validator: JSONValidator

    func text(_ key: String) throws(StoreFault) -> [UInt8]? {
        var found: [UInt8]?
        try run("SELECT value FROM entry WHERE plugin = ? AND key = ?", [Array(key.utf8)]) {
            found = $0.text(0)
            return false
        }
        if let found { try check(found, key) }
        return found
    }

    func holds(_ key: String) throws(StoreFault) -> Bool {
        var isThere = false
        try run("SELECT 1 FROM entry WHERE plugin = ? AND key = ?", [Array(key.utf8)]) { _ in
            isThere = true
            return false
        }
        return isThere
    }

    func count() throws(StoreFault) -> Int {
        var count = 0
        try run("SELECT count(*) FROM entry WHERE plugin = ?", []) {
            count = $0.number(0)
            return false
        }
        return count
    }

    func put(_ text: [UInt8], under key: String) throws(StoreFault) {
        try run(
            "INSERT INTO entry VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            [Array(key.utf8), text])
    }

    func remove(_ key: String) throws(StoreFault) {
        try run("DELETE FROM entry WHERE plugin = ? AND key = ?", [Array(key.utf8)])
    }

    func visit(from key: String, _ body: (String, [UInt8]) -> Bool) throws(StoreFault) {
        var fault: StoreFault?
        try run(
            "SELECT key, value FROM entry WHERE plugin = ? AND key >= ? ORDER BY key",
            [Array(key.utf8)]
        ) { row in
            let (key, text) = (String(decoding: row.text(0), as: UTF8.self), row.text(1))
            fault = self.fault(text, key)
            return fault == nil && body(key, text)
        }
        if let fault { throw fault }
    }

    /// Runs a statement whose first argument is the plugin.
    private func run(
        _ sql: String, _ arguments: [[UInt8]], rows body: (Row) -> Bool = { _ in true }
    ) throws(StoreFault) {
        do throws(DatabaseError) {
            try database.run(sql, [plugin] + arguments, rows: body)
        } catch {
            throw StoreFault(error, file: path, limits: limits)
        }
    }

    private func check(_ text: [UInt8], _ key: String) throws(StoreFault) {
        if let fault = fault(text, key) { throw fault }
    }

    /// SQLite looks at the structure of its pages; whether a text is ours, only we can tell.
    private func fault(_ text: [UInt8], _ key: String) -> StoreFault? {
        guard text.withUnsafeBytes({ validator.validate($0) }) != nil else { return nil }
        return .damaged(path, "what stands under the key \"\(key)\" is not JSON")
    }
}
