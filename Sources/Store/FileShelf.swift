// SPDX-License-Identifier: Apache-2.0

internal import CMarbledStore
internal import JSONRPC
internal import MarbledHost

/// One plugin's keys in the file, inside a transaction that somebody else opened.
struct FileShelf: StoreShelf {
    let database: Database
    /// What stands in the file, valid inside the transaction.
    let entries: OpaquePointer
    let plugin: [UInt8]
    let path: String
    let validator: JSONValidator

    func text(_ key: String) throws(StoreFault) -> [UInt8]? {
        var found: [UInt8]?
        try show(from: key, by: database.library.pointee.find) { _, text in
            found = Array(text)
            return false
        }
        if let found, let fault = fault(found, key) { throw fault }
        return found
    }

    func holds(_ key: String) throws(StoreFault) -> Bool {
        var isThere = false
        try show(from: key, by: database.library.pointee.find) { _, _ in
            isThere = true
            return false
        }
        return isThere
    }

    func count() throws(StoreFault) -> Int {
        var count: Int64 = 0
        try database.check(
            plugin.lent { database.library.pointee.count(entries, $0, &count) })
        return Int(count)
    }

    func put(_ text: [UInt8], under key: String) throws(StoreFault) {
        try database.check(
            plugin.lent { plugin in
                Array(key.utf8).lent { key in
                    text.lent { database.library.pointee.put(entries, plugin, key, $0) }
                }
            })
    }

    func remove(_ key: String) throws(StoreFault) {
        try database.check(
            plugin.lent { plugin in
                Array(key.utf8).lent { database.library.pointee.remove(entries, plugin, $0) }
            })
    }

    func visit(from key: String, _ body: (String, [UInt8]) -> Bool) throws(StoreFault) {
        var fault: StoreFault?
        try show(from: key, by: database.library.pointee.visit) { key, text in
            let (key, text) = (String(decoding: key, as: UTF8.self), Array(text))
            fault = self.fault(text, key)
            return fault == nil && body(key, text)
        }
        if let fault { throw fault }
    }

    /// How the library shows entries: the table's `find` or `visit`.
    private typealias Showing =
        @convention(c) (
            OpaquePointer, marbled_store_bytes, marbled_store_bytes, marbled_store_visitor,
            UnsafeMutableRawPointer?
        ) -> marbled_store_error

    private typealias Visitor = (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool

    /// Has the keys and values from `key` on shown to `visitor`, until that says false.
    private func show(
        from key: String, by showing: Showing, to visitor: Visitor
    ) throws(StoreFault) {
        let error = withoutActuallyEscaping(visitor) { visitor in
            withUnsafePointer(to: visitor) { context in
                plugin.lent { plugin in
                    Array(key.utf8).lent { key in
                        showing(
                            entries, plugin, key,
                            { context, key, value in
                                let visitor = context?.assumingMemoryBound(to: Visitor.self)
                                return visitor?.pointee(
                                    UnsafeRawBufferPointer(start: key.data, count: key.size),
                                    UnsafeRawBufferPointer(start: value.data, count: value.size))
                                    ?? false
                            }, UnsafeMutableRawPointer(mutating: context))
                    }
                }
            }
        }
        try database.check(error)
    }

    /// SQLite looks at the structure of its pages; whether a text is ours, only we can tell.
    private func fault(_ text: [UInt8], _ key: String) -> StoreFault? {
        guard text.withUnsafeBytes({ validator.validate($0) }) != nil else { return nil }
        return .damaged(path, "what stands under the key \"\(key)\" is not JSON")
    }
}
