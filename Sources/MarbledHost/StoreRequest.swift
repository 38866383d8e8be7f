// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// What a plugin can ask of its store, read and held against the bounds:
///
///     {"get": key}                     the value, or null where there is none
///     {"set": key, "value": …}         null
///     {"remove": key}                  null
///     {"list": prefix, "after"?: key, "limit"?: n}
///         {"entries": [{"key": …, "value": …}, …], "after"?: key}     in the order of the keys' bytes;
///         `after` is there when more is left, and is what to ask with for the rest
///     {"transaction": [operation, …]}  all of it or nothing; operations are those above without `list`, and
///         {"expect": key, "value": …}  goes on only if the key holds the value (null: nothing, or null)
///         {"done": true, "answers": […]}               what each operation answers
///         {"done": false, "at": index, "found": …}     an expectation did not hold: nothing changed
package enum StoreRequest: Equatable, Sendable {
    case single(Operation)
    case transaction([Operation])
    case list(prefix: String, after: String?, limit: Int)

    /// One step on one key. Values are JSON texts.
    package enum Operation: Equatable, Sendable {
        case get(String)
        case set(String, [UInt8])
        case remove(String)
        case expect(String, [UInt8])
    }

    /// Reads a request. Throws `badRequest` or `tooLarge`, saying what would be right.
    package init(_ json: JSONValue, limits: StoreLimits) throws(StoreFault) {
        guard let members = json.object else { throw Self.unknown }
        if let items = members["transaction"] {
            try Self.check(members, ["transaction"])
            self = try Self.transaction(items, limits)
        } else if let prefix = members["list"] {
            try Self.check(members, ["list", "after", "limit"])
            self = try Self.list(prefix, members, limits)
        } else {
            self = .single(try Operation(members, isInTransaction: false, limits))
        }
    }

    /// Whether it can change anything.
    package var writes: Bool {
        switch self {
        case .single(let operation): operation.writes
        case .transaction(let operations): operations.contains(where: \.writes)
        case .list: false
        }
    }

    /// The bytes of its keys and values.
    package var byteCount: Int {
        switch self {
        case .single(let operation): operation.byteCount
        case .transaction(let operations): operations.reduce(0) { $0 + $1.byteCount }
        case .list(let prefix, let after, _): prefix.utf8.count + (after?.utf8.count ?? 0)
        }
    }

    private static func transaction(
        _ items: JSONValue, _ limits: StoreLimits
    ) throws(StoreFault) -> StoreRequest {
        guard let items = items.array, !items.isEmpty else {
            throw StoreFault(.badRequest, "a transaction is a list of one operation or more")
        }
        guard items.count <= limits.operations else {
            throw StoreFault(
                .tooLarge,
                "a transaction has at most \(limits.operations) operations; this one has \(items.count)"
            )
        }
        var operations: [Operation] = []
        for item in items {
            guard let members = item.object else { throw Self.unknown }
            operations.append(try Operation(members, isInTransaction: true, limits))
        }
        let request = StoreRequest.transaction(operations)
        guard request.byteCount <= limits.transactionBytes else {
            throw StoreFault(
                .tooLarge,
                "a transaction has at most \(limits.transactionBytes) bytes of keys and values; this one "
                    + "has \(request.byteCount)")
        }
        return request
    }

    private static func list(
        _ prefix: JSONValue, _ members: JSONObject, _ limits: StoreLimits
    ) throws(StoreFault) -> StoreRequest {
        guard let prefix = prefix.string else {
            throw StoreFault(.badRequest, "list takes a text that keys begin with, \"\" for all")
        }
        try prefix.checkLength(limits)
        var after: String?
        if let given = members["after"], !given.isNull {
            guard let key = given.string else {
                throw StoreFault(.badRequest, "after is a key, the one that the last answer names")
            }
            try key.checkLength(limits)
            after = key
        }
        var limit = limits.pageEntries
        if let given = members["limit"], !given.isNull {
            guard let number = given.int, (1...Int64(limits.pageEntries)).contains(number) else {
                throw StoreFault(
                    .badRequest, "limit is a whole number from 1 to \(limits.pageEntries)")
            }
            limit = Int(number)
        }
        return .list(prefix: prefix, after: after, limit: limit)
    }

    /// A misspelled member would otherwise be a request that does something else.
    fileprivate static func check(
        _ members: JSONObject, _ known: [String]
    ) throws(StoreFault) {
        guard let stranger = members.names.first(where: { !known.contains($0) }) else { return }
        throw StoreFault(
            .badRequest,
            "\"\(stranger)\" does not belong to \"\(known[0])\" in a request to the store")
    }

    fileprivate static let unknown = StoreFault(
        .badRequest,
        "store takes {\"get\": key}, {\"set\": key, \"value\": …}, {\"remove\": key}, {\"list\": prefix} or "
            + "{\"transaction\": […]}, in which {\"expect\": key, \"value\": …} stands as well")
}

extension StoreRequest.Operation {
    init(
        _ members: JSONObject, isInTransaction: Bool, _ limits: StoreLimits
    ) throws(StoreFault) {
        let verbs =
            isInTransaction ? ["get", "set", "remove", "expect"] : ["get", "set", "remove"]
        guard let verb = verbs.first(where: { members[$0] != nil }) else {
            throw StoreRequest.unknown
        }
        let hasValue = verb == "set" || verb == "expect"
        try StoreRequest.check(members, hasValue ? [verb, "value"] : [verb])
        guard let key = members[verb]?.string, !key.isEmpty else {
            throw StoreFault(.badRequest, "a key is a text of 1 to \(limits.keyBytes) bytes")
        }
        try key.checkLength(limits)
        switch verb {
        case "get": self = .get(key)
        case "set": self = .set(key, try Self.text(members["value"], limits))
        case "remove": self = .remove(key)
        default: self = .expect(key, try Self.text(members["value"], limits))
        }
    }

    var writes: Bool {
        switch self {
        case .get, .expect: false
        case .set, .remove: true
        }
    }

    var byteCount: Int {
        switch self {
        case .get(let key), .remove(let key): key.utf8.count
        case .set(let key, let text), .expect(let key, let text): key.utf8.count + text.count
        }
    }

    private static func text(
        _ value: JSONValue?, _ limits: StoreLimits
    ) throws(StoreFault) -> [UInt8] {
        let value = value ?? .null
        guard value.isFinite else {
            throw StoreFault(.badRequest, "a number in the value is larger than a double holds")
        }
        let text = Array(value.text.utf8)
        guard text.count <= limits.valueBytes else {
            throw StoreFault(
                .tooLarge,
                "a value has at most \(limits.valueBytes) bytes of JSON; this one has \(text.count)"
            )
        }
        return text
    }
}

extension String {
    fileprivate func checkLength(_ limits: StoreLimits) throws(StoreFault) {
        guard utf8.count <= limits.keyBytes else {
            throw StoreFault(
                .tooLarge, "a key has at most \(limits.keyBytes) bytes; this one has \(utf8.count)")
        }
    }
}
