// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledDaemon
import Testing

/// The description against the rules of the OpenRPC specification 1.3 (spec.open-rpc.org): which
/// members an object may have, which it must, and what has to be unique.
@Suite("rpc.discover")
struct OpenRPCTests {
    @Test func `the description keeps the rules of OpenRPC`() throws {
        let document = try JSONValue(parsing: ConfinedDaemon.description)
        #expect(OpenRPCRules.faults(document) == [])
    }

    @Test func `the real daemon describes itself so`() throws {
        let client = try DaemonProcess().connectKeeping()
        #expect(try client.call("rpc.discover").text == ConfinedDaemon.description)
    }

    @Test(arguments: [
        (#"{"openrpc":"1.3.2","methods":[]}"#, "/ has no info"),
        (#"{"openrpc":"1.3.2","info":{"title":"x"},"methods":[]}"#, "/info has no version"),
        (
            #"{"openrpc":"9","info":{"title":"x","version":"1"},"methods":[]}"#,
            "/openrpc is no version 1"
        ),
        (
            #"{"openrpc":"1.3.2","info":{"title":"x","version":"1"},"methods":[],"more":1}"#,
            "/ has more, which is not known there"
        ),
        (
            #"{"openrpc":"1.3.2","info":{"title":"x","version":"1"},"methods":[{"name":"a","params":[],"result":{"name":"r","schema":{}}},{"name":"a","params":[],"result":{"name":"r","schema":{}}}]}"#,
            "/methods names a twice"
        ),
        (
            #"{"openrpc":"1.3.2","info":{"title":"x","version":"1"},"methods":[{"name":"a","params":[{"name":"p","schema":{}},{"name":"q","required":true,"schema":{}}],"result":{"name":"r","schema":{}}}]}"#,
            "/methods/0/params has q, which is required, behind one that is not"
        ),
        (
            #"{"openrpc":"1.3.2","info":{"title":"x","version":"1"},"methods":[{"name":"a","paramStructure":"named","params":[],"result":{"schema":{}}}]}"#,
            "/methods/0/paramStructure is none of by-name, by-position, either"
        ),
    ])
    func `a description that breaks a rule is found`(_ text: String, _ fault: String) throws {
        #expect(OpenRPCRules.faults(try JSONValue(parsing: text)).contains(fault))
    }
}

/// The specification's rules, as far as descriptions like ours have objects for them.
enum OpenRPCRules {
    private struct Object {
        var required: [String]
        var optional: [String]
    }

    private static let root = Object(
        required: ["openrpc", "info", "methods"],
        optional: ["servers", "components", "externalDocs", "$schema"])
    private static let info = Object(
        required: ["title", "version"],
        optional: ["description", "termsOfService", "contact", "license"])
    private static let method = Object(
        required: ["name", "params", "result"],
        optional: [
            "summary", "description", "tags", "paramStructure", "errors", "links", "examples",
            "deprecated", "externalDocs", "servers",
        ])
    private static let descriptor = Object(
        required: ["name", "schema"],
        optional: ["summary", "description", "required", "deprecated"])
    private static let error = Object(required: ["code", "message"], optional: ["data"])

    static func faults(_ document: JSONValue) -> [String] {
        var found = check(document, root, "/")
        found += check(document["info"] ?? [:], info, "/info")
        if document["openrpc"]?.string?.hasPrefix("1.") != true {
            found.append("/openrpc is no version 1")
        }
        let methods = document["methods"]?.array ?? []
        found += repeated(methods, "/methods")
        for (index, item) in methods.enumerated() {
            found += faults(ofMethod: item, "/methods/\(index)")
        }
        var codes: Set<Int64> = []
        for (name, item) in document["components"]?["errors"]?.object?.members ?? [] {
            found += check(item, error, "/components/errors/\(name)")
            guard let code = item["code"]?.int, codes.insert(code).inserted else {
                found.append("/components/errors/\(name) has no code of its own")
                continue
            }
        }
        return found
    }

    private static func faults(ofMethod item: JSONValue, _ place: String) -> [String] {
        var found = check(item, method, place)
        let structures = ["by-name", "by-position", "either"]
        if let structure = item["paramStructure"], !structures.contains(structure.string ?? "") {
            found.append(
                "\(place)/paramStructure is none of \(structures.joined(separator: ", "))")
        }
        let parameters = item["params"]?.array ?? []
        found += repeated(parameters, "\(place)/params")
        var isOptional = false
        for (index, parameter) in parameters.enumerated() {
            found += check(parameter, descriptor, "\(place)/params/\(index)")
            found += faults(ofSchema: parameter["schema"], "\(place)/params/\(index)/schema")
            if parameter["required"] == true, isOptional {
                found.append(
                    "\(place)/params has \(parameter["name"]?.string ?? ""), which is required, "
                        + "behind one that is not")
            }
            isOptional = isOptional || parameter["required"] != true
        }
        found += check(item["result"] ?? [:], descriptor, "\(place)/result")
        return found + faults(ofSchema: item["result"]?["schema"], "\(place)/result/schema")
    }

    /// A schema is an object or a truth value, and `$ref` leads somewhere only inside the document.
    private static func faults(ofSchema schema: JSONValue?, _ place: String) -> [String] {
        guard let schema, schema.object != nil || schema.bool != nil else {
            return ["\(place) is no schema"]
        }
        let types = ["array", "boolean", "integer", "null", "number", "object", "string"]
        let named = schema["type"].map { $0.array ?? [$0] } ?? []
        var found = named.filter { !types.contains($0.string ?? "") }.map {
            "\(place)/type is \($0.text), which is no type"
        }
        for (name, member) in schema["properties"]?.object?.members ?? [] {
            found += faults(ofSchema: member, "\(place)/properties/\(name)")
        }
        for (index, choice) in (schema["anyOf"]?.array ?? []).enumerated() {
            found += faults(ofSchema: choice, "\(place)/anyOf/\(index)")
        }
        if let items = schema["items"] { found += faults(ofSchema: items, "\(place)/items") }
        return found
    }

    private static func check(_ value: JSONValue, _ object: Object, _ place: String) -> [String] {
        guard let members = value.object else { return ["\(place) is no object"] }
        let missing = object.required.filter { value[$0] == nil }.map { "\(place) has no \($0)" }
        let known = object.required + object.optional
        let strange = members.names.filter { !known.contains($0) && !$0.hasPrefix("x-") }.map {
            "\(place) has \($0), which is not known there"
        }
        return missing + strange
    }

    private static func repeated(_ items: [JSONValue], _ place: String) -> [String] {
        var seen: Set<String> = []
        return items.compactMap { $0["name"]?.string }.filter { !seen.insert($0).inserted }.map {
            "\(place) names \($0) twice"
        }
    }
}
