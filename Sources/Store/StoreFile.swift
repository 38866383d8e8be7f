// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import JSONRPC
internal import MarbledHost

/// One request on its way to the file.
struct StoreOrder: Sendable {
    let plugin: String
    let request: StoreRequest
}

/// The database file in the state directory: opened at the first use, and again after it failed.
///
/// Confined to one thread. Every transaction is on the disk when it is answered (a log in front of the file,
/// synchronized at each commit), so an answer outlives the end of the process and a loss of power. Two
/// processes may share the file; SQLite's locks keep each transaction whole.
final class StoreFile {
    private let folder: String
    private let path: String
    private let library: String
    private let limits: StoreLimits
    private let patience: Int32
    private let validator = JSONValidator()
    private var database: Database?
    /// Device and inode of what is open: a file that was moved away is not written to any more.
    private var identity: [UInt64] = []

    init(folder: String, library: String, limits: StoreLimits, patience: Int32) {
        self.folder = folder
        self.library = library
        path = Self.path(in: folder)
        self.limits = limits
        self.patience = patience
    }

    static func path(in folder: String) -> String { "\(folder)/store.sqlite" }

    /// Carries out orders in turn, in one transaction where they let it: that is one wait for the disk.
    func carryOut(_ orders: [StoreOrder]) -> [Result<[UInt8], StoreFault>] {
        let fault: StoreFault
        do throws(StoreFault) {
            switch try attempt(orders, on: try opened()) {
            case .done(let texts): return texts.map { .success($0) }
            case .undone(let text) where orders.count == 1: return [.success(text)]
            // Somebody's expectation did not hold, which is no matter of the others.
            case .undone: return orders.flatMap { carryOut([$0]) }
            }
        } catch {
            fault = error
        }
        switch fault.kind {
        case .damaged, .readOnly, .unavailable: close(isSound: false)
        case .badRequest, .tooLarge, .full, .busy: break
        }
        // One by one, so that a fault is told to whom it belongs; but nobody waits twice for a lock.
        if orders.count > 1, fault.kind != .busy { return orders.flatMap { carryOut([$0]) } }
        return orders.map { _ in .failure(fault) }
    }

    /// Closes the file; the next order opens it again.
    func close(isSound: Bool = true) {
        database?.isSound = isSound
        database = nil
    }

    // MARK: Orders

    private enum Attempt {
        case done([[UInt8]])
        case undone([UInt8])
    }

    private func attempt(
        _ orders: [StoreOrder], on database: Database
    ) throws(StoreFault) -> Attempt {
        var texts: [[UInt8]] = []
        var undone: [UInt8]?
        try database.transact(writes: orders.contains { $0.request.writes }) {
            entries throws(StoreFault) in
            for order in orders {
                var shelf = FileShelf(
                    database: database, entries: entries, plugin: Array(order.plugin.utf8),
                    path: path, validator: validator)
                switch try order.request.carryOut(on: &shelf, limits: limits) {
                case .done(let text): texts.append(text)
                case .undone(let text):
                    undone = text
                    return false
                }
            }
            return true
        }
        return undone.map(Attempt.undone) ?? .done(texts)
    }

    // MARK: Opening

    private func opened() throws(StoreFault) -> Database {
        if let database {
            if Self.identity(of: path) == identity { return database }
            close(isSound: false)
        }
        let library = try StoreLibrary.load(library)
        try makeFolder()
        try makeFile()
        let fresh = try Database(library, path: path, limits: limits, patience: patience)
        database = fresh
        identity = Self.identity(of: path)
        return fresh
    }

    /// The folder and those above it, for this user alone.
    private func makeFolder() throws(StoreFault) {
        var status = stat()
        if stat(folder, &status) == 0 { return }
        var partial = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            partial += "/\(part)"
            guard mkdir(partial, 0o700) != 0, errno != EEXIST else { continue }
            // A folder that is there may sit where none could be made.
            let failure = errno
            if stat(partial, &status) == 0 { continue }
            throw StoreFault(
                systemError: failure, file: path, reason: "the folder \(partial) cannot be made")
        }
    }

    /// Makes the file for this user alone; SQLite gives the files beside it the same rights.
    private func makeFile() throws(StoreFault) {
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, status.st_size > 0 { return }
        // SQLite would take the file for a new one and throw away the log that belongs to its contents.
        var log = stat()
        if stat("\(path)-wal", &log) == 0, log.st_size > 0 {
            throw .damaged(path, "it is \(isThere ? "empty" : "gone"), and its log is not")
        }
        if isThere { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            Glibc.close(descriptor)
        } else if errno != EEXIST {
            throw StoreFault(systemError: errno, file: path, reason: "it cannot be made")
        }
    }

    private static func identity(of path: String) -> [UInt64] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
}
