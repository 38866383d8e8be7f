// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// One plugin's keys, wherever they are kept: what the rules of the store are written on, once.
///
/// Keys are told apart, and ordered, by their UTF-8 bytes. Values are JSON texts.
package protocol StoreShelf {
    /// What is kept under `key`, or nil.
    func text(_ key: String) throws(StoreFault) -> [UInt8]?
    /// Whether something is kept under `key`.
    func holds(_ key: String) throws(StoreFault) -> Bool
    /// How many keys there are.
    func count() throws(StoreFault) -> Int
    /// Keeps `text` under `key`, in place of what was there.
    mutating func put(_ text: [UInt8], under key: String) throws(StoreFault)
    /// Keeps nothing under `key` any more.
    mutating func remove(_ key: String) throws(StoreFault)
    /// Visits entries in order, from the first at or behind `key`, until told false.
    func visit(from key: String, _ body: (String, [UInt8]) -> Bool) throws(StoreFault)
}

/// How a request to the store came out.
package enum StoreOutcome: Equatable {
    /// It was carried out; the answer is JSON text.
    case done([UInt8])
    /// An expectation did not hold: whoever asked undoes what was done, and answers this JSON text.
    case undone([UInt8])

    package var answer: EffectAnswer {
        switch self {
        case .done(let text), .undone(let text): .value(text)
        }
    }
}

extension StoreRequest {
    /// Carries the request out. When it throws, or comes out undone, the shelf may hold a part of a
    /// transaction: whoever asked puts it back as it was.
    package func carryOut(
        on shelf: inout some StoreShelf, limits: StoreLimits
    ) throws(StoreFault) -> StoreOutcome {
        switch self {
        case .single(let operation):
            return .done(try Self.carryOut(operation, on: &shelf, limits))
        case .list(let prefix, let after, let limit):
            return .done(try Self.page(of: shelf, prefix, after, limit, limits))
        case .transaction(let operations):
            return try Self.carryOut(operations, on: &shelf, limits)
        }
    }

    private static let null = Array("null".utf8)

    private static func carryOut(
        _ operation: Operation, on shelf: inout some StoreShelf, _ limits: StoreLimits
    ) throws(StoreFault) -> [UInt8] {
        switch operation {
        case .get(let key): return try shelf.text(key) ?? null
        case .set(let key, let text):
            if try !shelf.holds(key), try shelf.count() >= limits.keys {
                throw StoreFault(
                    .full, "the store of this plugin holds \(limits.keys) keys; remove some first")
            }
            try shelf.put(text, under: key)
        case .remove(let key): try shelf.remove(key)
        // Judged by whoever carries out the transaction.
        case .expect: break
        }
        return null
    }

    private static func carryOut(
        _ operations: [Operation], on shelf: inout some StoreShelf, _ limits: StoreLimits
    ) throws(StoreFault) -> StoreOutcome {
        var answers: [[UInt8]] = []
        for (index, operation) in operations.enumerated() {
            if case .expect(let key, let expected) = operation {
                let found = try shelf.text(key) ?? null
                guard isSame(found, expected) else {
                    var writer = JSONWriter()
                    writer.object {
                        $0.member("done", false)
                        $0.member("at", index)
                        $0.key("found")
                        $0.append(text: found)
                    }
                    return .undone(writer.array)
                }
            }
            answers.append(try carryOut(operation, on: &shelf, limits))
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("done", true)
            writer.array("answers") { writer in
                for answer in answers {
                    writer.separate()
                    writer.append(text: answer)
                }
            }
        }
        return .done(writer.array)
    }

    private static func page(
        of shelf: some StoreShelf, _ prefix: String, _ after: String?, _ limit: Int,
        _ limits: StoreLimits
    ) throws(StoreFault) -> [UInt8] {
        let first = Array(prefix.utf8)
        var entries: [(key: String, text: [UInt8])] = []
        var bytes = 0
        var isCut = false
        let start = after.map { prefix.isBefore($0) ? $0 : prefix } ?? prefix
        try shelf.visit(from: start) { key, text in
            if let after, !after.isBefore(key) { return true }
            guard key.utf8.starts(with: first) else { return false }
            let size = key.utf8.count + text.count
            if entries.count == limit || (!entries.isEmpty && bytes + size > limits.pageBytes) {
                isCut = true
                return false
            }
            bytes += size
            entries.append((key, text))
            return true
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.array("entries") { writer in
                for entry in entries {
                    writer.object { writer in
                        writer.member("key", entry.key)
                        writer.key("value")
                        writer.append(text: entry.text)
                    }
                }
            }
            if isCut { writer.member("after", entries[entries.count - 1].key) }
        }
        return writer.array
    }

    /// Whether two texts say the same: the same bytes, or else the same value spelled otherwise.
    private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        if left == right { return true }
        let values = [left, right].map { text in
            text.withUnsafeBytes { try? JSONValue(parsing: $0) }
        }
        return values[0] != nil && values[0] == values[1]
    }
}

extension String {
    /// Whether the bytes of this text come before those of another.
    package func isBefore(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension JSONWriter {
    fileprivate var array: [UInt8] { Array(bytes) }

    fileprivate mutating func append(text: [UInt8]) {
        text.withUnsafeBytes { append(payload: $0) }
    }
}
