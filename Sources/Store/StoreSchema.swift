// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MarbledHost

/// What the file holds, step by step: step n makes version n + 1 of version n.
///
/// A file of a later version, or of another program, is refused and left alone.
enum StoreSchema {
    /// "mrbl", which stands in the file's header.
    private static let application = 0x6D72_626C

    private static let steps = [
        [
            """
            CREATE TABLE entry (
                plugin TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
                PRIMARY KEY (plugin, key)
            ) STRICT
            """
        ]
    ]

    /// Makes a connection ready for orders, within `patience` milliseconds where others are in the way.
    static func prepare(
        _ database: Database, file: String, limits: StoreLimits, patience: Int32
    ) throws(StoreFault) {
        database.setPatience(patience)
        let end = now() + Int64(patience) * 1_000_000
        while true {
            do throws(StoreFault) {
                return try prepareOnce(database, file, limits)
            } catch {
                // Of two processes that make one file each may be told at once that the other has it:
                // SQLite does not wait for all of its locks.
                guard error.kind == .busy, now() < end else { throw error }
                var pause = timespec(tv_sec: 0, tv_nsec: 10_000_000)
                nanosleep(&pause, nil)
            }
        }
    }

    private static func prepareOnce(
        _ database: Database, _ file: String, _ limits: StoreLimits
    ) throws(StoreFault) {
        // What can only be read is refused as a whole: without the right to make files beside it SQLite can
        // read it at some times and not at others.
        if database.isReadOnly { throw .readOnly(file) }
        let refusal: StoreFault?
        do throws(DatabaseError) {
            // Judged before anything is written.
            refusal = try judge(database, file)
            if refusal == nil {
                for setting in settings(limits) { try database.run(setting) }
                try migrate(database)
            }
        } catch {
            throw StoreFault(error, file: file, limits: limits)
        }
        if let refusal { throw refusal }
    }

    /// Why the file is not for us, if it is not.
    private static func judge(
        _ database: Database, _ file: String
    ) throws(DatabaseError) -> StoreFault? {
        let owner = try database.number("PRAGMA application_id")
        let version = try database.number("PRAGMA user_version")
        let isEmpty = try database.number("SELECT count(*) FROM sqlite_schema") == 0
        guard owner == application || (owner == 0 && version == 0 && isEmpty) else {
            return StoreFault(
                .unavailable,
                "\(file) is a database of some other program and was left as it is; move it away, or name "
                    + "another place with --state-directory",
                file: file)
        }
        guard version <= steps.count else {
            return StoreFault(
                .unavailable,
                "\(file) has version \(version), made by a later marbled; this one knows \(steps.count). "
                    + "Use the later one, or name another place with --state-directory",
                file: file)
        }
        return nil
    }

    private static func settings(_ limits: StoreLimits) -> [String] {
        [
            // Readers and a writer at once, and one wait for the disk in each commit.
            "PRAGMA journal_mode = WAL",
            // What was answered is on the disk, also after a loss of power.
            "PRAGMA synchronous = FULL",
            // 512 KiB of pages are kept: the daemon is small, and the kernel has the rest.
            "PRAGMA cache_size = -512",
            // The log is cut back to this after it was moved into the file.
            "PRAGMA journal_size_limit = 4194304",
            "PRAGMA max_page_count = \(max(16, limits.fileBytes / pageBytes))",
            // Damage is found when a page is read, before its cells are believed.
            "PRAGMA cell_size_check = ON",
            "PRAGMA temp_store = MEMORY",
        ]
    }

    private static func migrate(_ database: Database) throws(DatabaseError) {
        guard try database.number("PRAGMA user_version") < steps.count else { return }
        try database.run("BEGIN IMMEDIATE")
        defer { database.rollBack() }
        // Another process may have been quicker.
        let version = try database.number("PRAGMA user_version")
        guard version < steps.count else { return }
        for step in steps[version...] {
            for statement in step { try database.run(statement) }
        }
        try database.run("PRAGMA application_id = \(application)")
        try database.run("PRAGMA user_version = \(steps.count)")
        try database.run("COMMIT")
    }

    /// SQLite's usual size of a page.
    private static let pageBytes = 4_096

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
