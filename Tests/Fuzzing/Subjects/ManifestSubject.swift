// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

/// Manifests: what is accepted says one thing however it is printed, and its schemas judge a value's text and
/// its tree alike.
enum ManifestSubject {
    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let json = bytes.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else { return }
        let manifest: Manifest
        do { manifest = try Manifest(json) } catch {
            return try require(!error.description.isEmpty, "refused without a word")
        }
        let printed = try? JSONValue(parsing: json.prettyText)
        try require(printed.flatMap { try? Manifest($0) } == manifest, "printed it is another")
        try requireUnique(manifest.features.map(\.name), "features")
        let values = Self.values(in: json, most: 40)
        for feature in manifest.features {
            try requireUnique(feature.inputs.map(\.name), "inputs")
            try requireUnique(feature.outputs.map(\.name), "outputs")
            try require(
                (try? feature.options.check(feature.optionDefaults, pointer: "")) != nil,
                "defaults that do not fit")
            for schema in (feature.inputs + feature.outputs).map(\.schema) + [feature.options] {
                for value in values { try checkAlike(value, schema) }
            }
        }
    }

    private static func checkAlike(
        _ value: JSONValue, _ schema: ValueSchema
    ) throws(FuzzFinding) {
        func verdict(_ judge: () throws(HostError) -> Void) -> String? {
            do throws(HostError) {
                try judge()
                return nil
            } catch { return "\(error)" }
        }
        let text = Array(value.text.utf8)
        let ofTree = verdict { () throws(HostError) in try schema.check(value, pointer: "/v") }
        let ofText = text.withUnsafeBytes { text in
            verdict { () throws(HostError) in try schema.check(text, pointer: "/v") }
        }
        try require(ofTree == ofText, "\(value): \(ofTree ?? "fits"), \(ofText ?? "fits")")
    }

    /// The values that stand in a value, itself among them.
    private static func values(in value: JSONValue, most: Int) -> [JSONValue] {
        var found = [value]
        var next = 0
        while next < found.count, found.count < most {
            found += found[next].array ?? found[next].object?.members.map(\.value) ?? []
            next += 1
        }
        return found
    }

    private static func requireUnique(_ names: [String], _ what: String) throws(FuzzFinding) {
        try require(
            Set(names).count == names.count && !names.contains(""), "\(what) are called \(names)")
    }
}
