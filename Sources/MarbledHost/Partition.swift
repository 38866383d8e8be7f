// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// A network that does not reach some hosts for a while.
///
///     from 10, heal 40, with never
///     requests   ---a--------b-----------c---
///     answers    ---a--------------------(bc)      b waits, and is asked again at 40
///
/// Partitions stand before all other rules. A request is cut off when it is asked at `from` or later and before
/// `heal`; one asked earlier keeps its answer. Who is cut off and waits is asked again when it heals, and what
/// answers then is whatever the other rules, and behind them the world, say.
package struct Partition: Equatable {
    /// What a request that is cut off sees.
    package enum Fault: String, CaseIterable {
        /// It fails at once, with `refused`.
        case refused
        /// It waits.
        case never
    }

    /// What becomes of the requests that wait when it heals.
    package enum Waiting: String, CaseIterable {
        /// They are asked again, in the order in which they were asked first.
        case answered
        /// They fail with `reset`.
        case reset
    }

    /// A pattern for the host, with its port where the pattern has a colon; `*` stands for any run of characters.
    package var host: String
    package var fault = Fault.refused
    package var waiting = Waiting.answered
    /// When it begins, since the instance opened, in nanoseconds.
    package var from: Int64 = 0
    /// When it heals, likewise; nil for by hand only.
    package var heal: Int64?
    /// The name by which it is healed by hand.
    package var name: String

    /// Whether it cuts `request`, which is asked at `now`, off.
    func cuts(_ effect: String, _ request: JSONValue, at now: Int64) -> Bool {
        guard effect == "http", now >= from, now < heal ?? .max,
            let url = request["url"]?.string, let place = Self.place(of: url)
        else { return false }
        return Glob.matches(host.lowercased(), host.contains(":") ? place.full : place.host)
    }

    /// The host of a URL in lower case, and the same with its port where the URL gives one.
    private static func place(of url: String) -> (host: String, full: String)? {
        let bytes = Array(url.lowercased().utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        let rest = bytes[(colon + 3)...]
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        let full = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard let full = full.last else { return nil }
        // An address in brackets has colons of its own.
        let bracket = full.lastIndex(of: UInt8(ascii: "]")) ?? full.startIndex
        let port = full[bracket...].lastIndex(of: UInt8(ascii: ":")) ?? full.endIndex
        return (
            String(decoding: full[..<port], as: UTF8.self), String(decoding: full, as: UTF8.self)
        )
    }

    /// What a request is told at once, or nil where it waits.
    var refusal: EffectAnswer? {
        guard fault == .refused else { return nil }
        let message = "a stub keeps the network from \(host)"
        return .failure(kind: "refused", message: message)
    }

    /// What those that waited are told when it heals, or nil where they are asked again.
    var farewell: EffectAnswer? {
        guard waiting == .reset else { return nil }
        let message = "a stub reset the connection when the network to \(host) healed"
        return .failure(kind: "reset", message: message)
    }
}
