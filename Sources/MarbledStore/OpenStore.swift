// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import GRDB
internal import Glibc

/// One open file: a queue of GRDB's, used by the one thread that opened it.
final class OpenStore {
    private let queue: DatabaseQueue

    /// Opens the file and makes it ready.
    ///
    /// - Parameters:
    ///   - fileBytes: at this many bytes the file is full.
    ///   - patience: how long to wait for other processes, in milliseconds.
    /// - Throws: `StoreError`.
    init(path: String, fileBytes: Int, patience: Int32) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(Double(patience) / 1_000)
        configuration.prepareDatabase { database in
            // Until it is closed in order: a file that is not sound stays as it was found.
            database.leaveLog(true)
            try StoreSchema.prepare(database, fileBytes: fileBytes, patience: patience)
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch let error as DatabaseError {
            throw StoreError(error, systemError: Self.reasonNotToOpen(path))
        }
    }

    /// Closes the file. Its log is moved into it if it is sound.
    func close(isSound: Bool) {
        queue.inDatabase { $0.leaveLog(!isSound) }
        // What it cannot close now it closes with the queue.
        try? queue.close()
    }

    /// Runs `body` in one transaction and keeps what it did if it says true. Throws `StoreError`.
    func transact(writes: Bool, _ body: (Database) -> Bool) throws {
        do {
            // The right to write is asked for at once: a reader that becomes a writer may be refused.
            try queue.inTransaction(writes ? .immediate : .deferred) { database in
                body(database) ? .commit : .rollback
            }
        } catch {
            throw StoreError(error, systemError: queue.inDatabase { $0.systemError })
        }
    }

    /// What the kernel says to an opening, of which GRDB keeps nothing when it fails; 0 where it is allowed.
    private static func reasonNotToOpen(_ path: String) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        Glibc.close(descriptor)
        return 0
    }
}
