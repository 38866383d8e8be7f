// SPDX-License-Identifier: Apache-2.0

internal import CMarbledStore
internal import GRDB
internal import Glibc

/// What the file holds, step by step: step n makes version n + 1 of version n.
///
/// A file of a later version, or of another program, is refused and left alone. Steps are counted in the
/// file's header and taken in one transaction: GRDB's migrator looks before it has the right to write, and
/// two daemons may make one file.
enum StoreSchema {
    /// "mrbl", which stands in the file's header.
    private static let application = 0x6D72_626C

    private static let steps = [
        """
        CREATE TABLE entry (
            plugin TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
            PRIMARY KEY (plugin, key)
        ) STRICT
        """
    ]

    /// Makes a connection ready for orders, within `patience` milliseconds where others are in the way.
    /// Throws `StoreError`.
    static func prepare(_ database: Database, fileBytes: Int, patience: Int32) throws {
        let end = now() + Int64(patience) * 1_000_000
        while true {
            do {
                return try database.told { try prepareOnce(database, fileBytes) }
            } catch let error as StoreError where error.code == MARBLED_STORE_BUSY && now() < end {
                // Of two processes that make one file each may be told at once that the other has it:
                // SQLite does not wait for all of its locks.
                var pause = timespec(tv_sec: 0, tv_nsec: 10_000_000)
                nanosleep(&pause, nil)
            }
        }
    }

    private static func prepareOnce(_ database: Database, _ fileBytes: Int) throws {
        // What can only be read is refused as a whole: without the right to make files beside it SQLite can
        // read it at some times and not at others.
        if database.isReadOnly {
            throw StoreError(MARBLED_STORE_READ_ONLY, "it can only be read")
        }
        // Judged before anything is written.
        try judge(database)
        for setting in settings(fileBytes) { try database.execute(sql: setting) }
        try migrate(database)
    }

    /// Throws where the file is not for us.
    private static func judge(_ database: Database) throws {
        let owner = try database.number("PRAGMA application_id")
        let version = try database.number("PRAGMA user_version")
        let isEmpty = try database.number("SELECT count(*) FROM sqlite_schema") == 0
        guard owner == application || (owner == 0 && version == 0 && isEmpty) else {
            throw StoreError(MARBLED_STORE_FOREIGN, "it is a database of some other program")
        }
        guard version <= steps.count else {
            throw StoreError(
                MARBLED_STORE_LATER,
                "it has version \(version), made by a later marbled; this one knows \(steps.count)")
        }
    }

    private static func settings(_ fileBytes: Int) -> [String] {
        [
            // Readers and a writer at once, and one wait for the disk in each commit.
            "PRAGMA journal_mode = WAL",
            // What was answered is on the disk, also after a loss of power.
            "PRAGMA synchronous = FULL",
            // 512 KiB of pages are kept: the daemon is small, and the kernel has the rest.
            "PRAGMA cache_size = -512",
            // The log is cut back to this after it was moved into the file.
            "PRAGMA journal_size_limit = 4194304",
            "PRAGMA max_page_count = \(max(16, fileBytes / pageBytes))",
            // Damage is found when a page is read, before its cells are believed.
            "PRAGMA cell_size_check = ON",
            "PRAGMA temp_store = MEMORY",
        ]
    }

    private static func migrate(_ database: Database) throws {
        guard try database.number("PRAGMA user_version") < steps.count else { return }
        try database.inTransaction(.immediate) {
            // Another process may have been quicker.
            let version = try database.number("PRAGMA user_version")
            guard version < steps.count else { return .rollback }
            for step in steps[version...] { try database.execute(sql: step) }
            try database.execute(sql: "PRAGMA application_id = \(application)")
            try database.execute(sql: "PRAGMA user_version = \(steps.count)")
            return .commit
        }
    }

    /// SQLite's usual size of a page.
    private static let pageBytes = 4_096

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Database {
    /// The one number that a statement answers; 0 where it answers nothing.
    fileprivate func number(_ sql: String) throws -> Int {
        try Int.fetchOne(self, sql: sql) ?? 0
    }
}
