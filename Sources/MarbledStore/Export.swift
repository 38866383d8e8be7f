// SPDX-License-Identifier: Apache-2.0

public import CMarbledStore
internal import GRDB

// Safety: written once, before the first call; the table never changes and is never freed.
nonisolated(unsafe) private let table: UnsafePointer<marbled_store_table> = {
    let table = UnsafeMutablePointer<marbled_store_table>.allocate(capacity: 1)
    table.initialize(
        to: marbled_store_table(
            version: UInt32(MARBLED_STORE_VERSION),
            open: { path, fileBytes, patience, store in
                outcome {
                    let opened = try OpenStore(
                        path: path.string, fileBytes: Int(fileBytes), patience: patience)
                    store.pointee = OpaquePointer(Unmanaged.passRetained(opened).toOpaque())
                }
            },
            close: { store, isSound in
                OpenStore.of(store).close(isSound: isSound)
                Unmanaged<OpenStore>.fromOpaque(UnsafeRawPointer(store)).release()
            },
            transact: { store, writes, body, context in
                outcome {
                    try OpenStore.of(store).transact(writes: writes) { database in
                        let entries = Unmanaged.passUnretained(database).toOpaque()
                        return body(context, OpaquePointer(entries))
                    }
                }
            },
            find: { entries, plugin, key, visitor, context in
                outcome(entries) { try $0.find(plugin, key) { visitor(context, $0, $1) } }
            },
            visit: { entries, plugin, key, visitor, context in
                outcome(entries) { try $0.visit(plugin, from: key) { visitor(context, $0, $1) } }
            },
            count: { entries, plugin, count in
                outcome(entries) { count.pointee = try $0.countKeys(plugin) }
            },
            put: { entries, plugin, key, value in
                outcome(entries) { try $0.put(plugin, key, value) }
            },
            remove: { entries, plugin, key in
                outcome(entries) { try $0.remove(plugin, key) }
            }))
    return UnsafePointer(table)
}()

/// What the daemon asks this library for.
@c(marbled_store_library)
public func library() -> UnsafePointer<marbled_store_table> { table }

/// How something came out, as the daemon reads it.
private func outcome(_ body: () throws -> Void) -> marbled_store_error {
    do {
        try body()
        return marbled_store_error()
    } catch {
        return ((error as? StoreError) ?? StoreError(error, systemError: 0)).passed
    }
}

/// The same of something done to the entries, which are the database inside a transaction.
private func outcome(
    _ entries: OpaquePointer, _ body: (Database) throws -> Void
) -> marbled_store_error {
    let database = Unmanaged<Database>.fromOpaque(UnsafeRawPointer(entries))
        .takeUnretainedValue()
    return outcome { try database.told { try body(database) } }
}

extension OpenStore {
    fileprivate static func of(_ store: OpaquePointer) -> OpenStore {
        Unmanaged.fromOpaque(UnsafeRawPointer(store)).takeUnretainedValue()
    }
}

extension marbled_store_bytes {
    fileprivate var string: String {
        String(decoding: UnsafeRawBufferPointer(start: data, count: size), as: UTF8.self)
    }
}
