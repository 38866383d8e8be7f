// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite
import JSONRPC
import TestSupport

/// A client that asks the store of a running daemon through the plugin made for that.
final class Keeper {
    let client: WireClient

    /// What the store said: an answer, or a failure.
    enum Said: Equatable {
        case answer(JSONValue)
        case failure(kind: String, message: String)

        var kind: String? {
            if case .failure(let kind, _) = self { kind } else { nil }
        }

        var message: String {
            if case .failure(_, let message) = self { message } else { "" }
        }
    }

    static let plugins = ["libAsker.so"]

    init(_ daemon: DaemonProcess) throws {
        client = try daemon.connect()
        _ = try client.call("instance.open", ["feature": "asker", "name": "asker"])
        _ = try client.call("stream.subscribe", ["instance": "asker", "output": "*"])
    }

    /// Asks and waits for the answer.
    func ask(_ request: JSONValue) throws -> Said {
        send(request)
        return try next()
    }

    /// Asks without waiting.
    func send(_ request: JSONValue) {
        let call: JSONValue = [
            "jsonrpc": "2.0", "method": "instance.send",
            "params": ["instance": "asker", "input": "store", "value": request],
        ]
        client.send(line: call.text)
    }

    /// What the store said next. Throws when the daemon is gone.
    func next() throws -> Said {
        while true {
            if let said = Self.read(try client.message()) { return said }
        }
    }

    /// What the store said next, or nil when the daemon is gone.
    func nextOrEnd() -> Said? {
        // A last line may be cut off.
        while let line = try? client.line(), let message = try? JSONValue(parsing: line) {
            if let said = Self.read(message) { return said }
        }
        return nil
    }

    private static func read(_ message: JSONValue) -> Said? {
        guard message["method"] == "stream.event", let params = message["params"],
            let value = params["value"]
        else { return nil }
        guard params["output"] == "failure" else { return .answer(value) }
        return .failure(
            kind: value["kind"]?.string ?? "", message: value["message"]?.string ?? "")
    }
}

/// A database file, looked at from outside.
enum DatabaseFile {
    /// What SQLite says of the soundness of a copy of the file and its log.
    static func check(_ path: String) throws -> String {
        let folder = TemporaryFolder()
        for end in ["", "-wal"] where Files.exists(path + end) {
            try Files.copy(path + end, to: folder.file("copy\(end)"))
        }
        return try first("PRAGMA integrity_check", of: folder.file("copy"))
    }

    /// The first text that a statement answers.
    static func first(_ sql: String, of path: String) throws -> String {
        var database: OpaquePointer?
        guard sqlite3_open(path, &database) == SQLITE_OK, let database else {
            throw Failure("\(path) cannot be opened")
        }
        defer { sqlite3_close_v2(database) }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            return String(cString: sqlite3_errmsg(database))
        }
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW else {
            return String(cString: sqlite3_errmsg(database))
        }
        return String(cString: sqlite3_column_text(statement, 0))
    }
}
