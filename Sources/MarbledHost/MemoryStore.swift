// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// `store` in memory: what virtual instances have, and what a test looks into.
///
/// The rules and the bounds are those of the store on disk: both carry requests out with
/// `StoreRequest`.
package final class MemoryStore: EffectProvider {
    private var shelf = MemoryShelf()
    private let limits: StoreLimits

    package init(limits: StoreLimits = StoreLimits()) {
        self.limits = limits
    }

    package func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)? {
        reply(answer(request))
        return nil
    }

    /// Carries a request out, or leaves everything as it was.
    package func answer(_ request: JSONValue) -> EffectAnswer {
        do throws(StoreFault) {
            let request = try StoreRequest(request, limits: limits)
            guard case .transaction = request else {
                // One operation is refused before it changes anything, or done.
                return try request.carryOut(on: &shelf, limits: limits).answer
            }
            var draft = shelf
            let outcome = try request.carryOut(on: &draft, limits: limits)
            if case .done = outcome { shelf = draft }
            return outcome.answer
        } catch {
            return error.answer
        }
    }

    /// The JSON text under a key, or nil.
    package func text(_ key: String) -> String? {
        shelf.text(key).map { String(decoding: $0, as: UTF8.self) }
    }

    /// How many keys there are.
    package var count: Int { shelf.count() }
}

/// Keys in a dictionary, by their bytes: two spellings of one letter are two keys, as they are on disk.
private struct MemoryShelf: StoreShelf {
    private var texts: [[UInt8]: [UInt8]] = [:]

    func text(_ key: String) -> [UInt8]? { texts[Array(key.utf8)] }

    func holds(_ key: String) -> Bool { texts[Array(key.utf8)] != nil }

    func count() -> Int { texts.count }

    mutating func put(_ text: [UInt8], under key: String) { texts[Array(key.utf8)] = text }

    mutating func remove(_ key: String) { texts[Array(key.utf8)] = nil }

    func visit(from key: String, _ body: (String, [UInt8]) -> Bool) {
        let keys = texts.keys.filter { !$0.lexicographicallyPrecedes(key.utf8) }
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard body(String(decoding: key, as: UTF8.self), texts[key] ?? []) else { return }
        }
    }
}
