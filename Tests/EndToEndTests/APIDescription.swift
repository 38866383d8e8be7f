// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import MarbledDaemon
import TestSupport

/// What `rpc.discover` says, ready to hold messages against.
struct APIDescription {
    struct Method {
        /// Schemas by name, and the names that must be there.
        var parameters: [String: JSONValue] = [:]
        var required: [String] = []
        var result: JSONValue
    }

    private(set) var methods: [String: Method] = [:]
    private(set) var notifications: [String: JSONValue] = [:]

    /// What this daemon says.
    static let ours: APIDescription = {
        guard let document = try? JSONValue(parsing: ConfinedDaemon.description),
            let description = try? APIDescription(document)
        else { preconditionFailure("the daemon's description cannot be read") }
        return description
    }()

    init(_ document: JSONValue) throws {
        for method in document["methods"]?.array ?? [] {
            guard let name = method["name"]?.string, let result = method["result"]?["schema"]
            else { throw Failure("a method without a name or a result: \(method.text)") }
            var described = Method(result: result)
            for parameter in method["params"]?.array ?? [] {
                let name = parameter["name"]?.string ?? ""
                described.parameters[name] = parameter["schema"]
                if parameter["required"] == true { described.required.append(name) }
            }
            methods[name] = described
        }
        for notification in document["x-notifications"]?.array ?? [] {
            notifications[notification["name"]?.string ?? ""] = notification["params"]
        }
    }
}

/// Holds a conversation against its description: what was carried out had the parameters that are
/// described, and every answer and notification has the shape that is described.
struct DescribedMessages {
    private let description: APIDescription
    /// The calls that wait for an answer: by client, then by id as written.
    private var calls: [String: JSONValue] = [:]
    private(set) var complaints: [String] = []

    init(_ description: APIDescription) { self.description = description }

    /// What was wrong since this was last asked.
    mutating func takeComplaints() -> [String] {
        defer { complaints = [] }
        return complaints
    }

    mutating func take(_ said: WireRun.Said) {
        switch said {
        case .sent(let client, let bytes):
            // An id may be used again once it is answered.
            for call in messages(bytes) where call["id"] != nil {
                calls["\(client) \(call["id"]?.text ?? "")"] = call
            }
        case .came(let client, let bytes):
            for message in messages(bytes) { check(message, client) }
        }
    }

    private func messages(_ bytes: [UInt8]) -> [JSONValue] {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n").flatMap { line -> [JSONValue] in
            guard let value = try? JSONValue(parsing: String(line)) else { return [] }
            return value.array ?? [value]
        }
    }

    private mutating func check(_ message: JSONValue, _ client: String) {
        if let method = message["method"]?.string {
            // A client's request, read by a test that plays the daemon.
            guard message["id"] == nil else { return }
            guard let schema = description.notifications[method] else {
                complaints.append("\(method) is not described")
                return
            }
            complaints += faults(message["params"] ?? [:], schema, "\(method)")
            return
        }
        if let error = message["error"] {
            let kind = error["data"]?["kind"]?.string.flatMap(ErrorKind.init(rawValue:))
            if error["code"]?.int != kind.map({ Int64($0.code) }) || kind == nil {
                complaints.append("an error whose kind and code do not belong: \(error.text)")
            }
            return
        }
        guard let call = calls["\(client) \(message["id"]?.text ?? "")"],
            let name = call["method"]?.string, let method = description.methods[name]
        else { return }
        complaints += faults(message["result"] ?? .null, method.result, "the answer to \(name)")
        let params = call["params"]?.object ?? JSONObject()
        for (parameter, value) in params.members {
            guard let schema = method.parameters[parameter] else {
                complaints.append("\(name) took \(parameter), which is not described")
                continue
            }
            complaints += faults(value, schema, "\(name)/\(parameter)")
        }
        for parameter in method.required where params[parameter] == nil {
            complaints.append("\(name) was carried out without \(parameter)")
        }
    }

    private func faults(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        SchemaCheck.faults(value, schema, place)
    }
}
