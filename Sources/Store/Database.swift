// SPDX-License-Identifier: Apache-2.0

internal import CMarbledStore
internal import Glibc
internal import MarbledHost

/// One open database, behind the boundary to the library that knows databases.
///
/// Confined to the thread that made it. Closes with the value; see `isSound`.
final class Database {
    /// Whether closing moves the log into the file; where it does not, both are left as they are.
    var isSound = true
    let library: UnsafePointer<marbled_store_table>
    private let store: OpaquePointer
    private let path: String
    private let limits: StoreLimits

    /// Opens the file at `path`, which must be there; an empty one becomes a database.
    init(
        _ library: UnsafePointer<marbled_store_table>, path: String, limits: StoreLimits,
        patience: Int32
    ) throws(StoreFault) {
        var opened: OpaquePointer?
        let error = Array(path.utf8).lent {
            library.pointee.open($0, Int64(limits.fileBytes), patience, &opened)
        }
        if let fault = Self.fault(error, path, limits) { throw fault }
        guard let opened else {
            preconditionFailure("\(path) was opened without an error, and there is no database")
        }
        self.library = library
        self.path = path
        self.limits = limits
        store = opened
    }

    deinit {
        library.pointee.close(store, isSound)
    }

    /// Runs `body` in one transaction with what stands in the file. Undoes it if that throws or says false; it
    /// is on the disk otherwise.
    func transact(
        writes: Bool, _ body: (OpaquePointer) throws(StoreFault) -> Bool
    ) throws(StoreFault) {
        var cause: StoreFault?
        let error = withoutActuallyEscaping(body) { body in
            let body = { (entries: OpaquePointer) -> Bool in
                do throws(StoreFault) { return try body(entries) } catch {
                    cause = error
                    return false
                }
            }
            return withUnsafePointer(to: body) { context in
                library.pointee.transact(
                    store, writes,
                    { context, entries in
                        let body = context?.assumingMemoryBound(
                            to: ((OpaquePointer) -> Bool).self)
                        return body?.pointee(entries) ?? false
                    }, UnsafeMutableRawPointer(mutating: context))
            }
        }
        // The first fault is the one to tell, whatever became of the undoing.
        let end = Self.fault(error, path, limits)
        if let fault = cause ?? end { throw fault }
    }

    /// Throws what a call came out with, unless it went well.
    func check(_ error: marbled_store_error) throws(StoreFault) {
        if let fault = Self.fault(error, path, limits) { throw fault }
    }

    private static func fault(
        _ error: marbled_store_error, _ path: String, _ limits: StoreLimits
    ) -> StoreFault? {
        guard error.code != MARBLED_STORE_OK else { return nil }
        let reason = UnsafeRawBufferPointer(start: error.reason, count: error.reason_size)
        defer { free(error.reason) }
        return StoreFault(
            code: Int(error.code), systemError: error.system_error,
            reason: String(decoding: reason, as: UTF8.self), file: path, limits: limits)
    }
}

extension [UInt8] {
    /// Lends the bytes to C for the length of a call.
    func lent<Result>(_ body: (marbled_store_bytes) -> Result) -> Result {
        withUnsafeBytes { body(marbled_store_bytes(data: $0.baseAddress, size: $0.count)) }
    }
}
