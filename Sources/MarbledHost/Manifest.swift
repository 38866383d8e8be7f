// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
package import JSONRPC

/// What a plugin says of itself: read from the file beside the library, and again from the code.
package struct Manifest: Equatable {
    /// The plugin's name.
    package var id: String
    /// The plugin's own version.
    package var version: String
    /// The version of the boundary it was built against.
    package var abiMajor: Int
    package var abiMinor: Int
    /// What it offers.
    package var features: [FeatureDescription]
    /// The library's file name, in the file only.
    package var library: String?
    /// The whole text, for those who want to see it.
    package var json: JSONValue

    /// Reads a manifest. Throws a sentence that says what is missing and where.
    package init(_ json: JSONValue) throws(ManifestError) {
        let reader = ManifestReader(json, path: "")
        id = try reader.string("id")
        version = try reader.string("version")
        let abi = try reader.object("abi")
        abiMajor = try abi.int("major")
        abiMinor = try abi.int("minor")
        guard abiMajor == Int(MARBLED_ABI_MAJOR) else {
            throw ManifestError(
                """
                /abi/major is \(abiMajor), and this daemon speaks version \(MARBLED_ABI_MAJOR) of the \
                boundary; build the plugin again with this daemon's header
                """)
        }
        library = try reader.optionalString("library")
        features = []
        for item in try reader.array("features") {
            let feature = try FeatureDescription(item)
            try item.refuseTwice(feature.name, features.map(\.name))
            features.append(feature)
        }
        self.json = json
    }
}

/// One feature as described: its ports, options and effects.
package struct FeatureDescription: Equatable {
    package var name: String
    package var doc: String
    package var inputs: [PortDescription]
    package var outputs: [PortDescription]
    package var options: ValueSchema
    package var optionDefaults: JSONValue
    package var effects: [String]
    package var json: JSONValue

    init(_ reader: ManifestReader) throws(ManifestError) {
        name = try reader.string("name")
        doc = try reader.string("doc")
        inputs = []
        for port in try reader.array("inputs") {
            inputs.append(try PortDescription(port, kind: nil))
            try port.refuseTwice(inputs[inputs.count - 1].name, inputs.dropLast().map(\.name))
        }
        outputs = []
        for port in try reader.array("outputs") {
            let kind = try port.string("kind")
            guard let kind = PortDescription.Kind(rawValue: kind) else {
                throw ManifestError("\(port.path)/kind is \"\(kind)\"; it is state or event")
            }
            outputs.append(try PortDescription(port, kind: kind))
            try port.refuseTwice(outputs[outputs.count - 1].name, outputs.dropLast().map(\.name))
        }
        let options = try reader.object("options")
        self.options = try ValueSchema(options.value("schema"), path: options.path + "/schema")
        optionDefaults = try options.value("defaults")
        do {
            try self.options.check(optionDefaults, pointer: options.path + "/defaults")
        } catch {
            throw ManifestError("\(error)")
        }
        effects = []
        for effect in try reader.array("effects") {
            let name = try effect.itself()
            try effect.refuseTwice(name, effects, member: "")
            effects.append(name)
        }
        json = reader.json
    }
}

/// One port as described.
package struct PortDescription: Equatable {
    /// Whether an output always has a value.
    package enum Kind: String {
        case state
        case event
    }

    package var name: String
    package var doc: String
    /// Nil for an input.
    package var kind: Kind?
    package var schema: ValueSchema
    package var schemaJSON: JSONValue
    /// The name's bytes, to be compared with those of a request.
    let nameBytes: [UInt8]

    init(_ reader: ManifestReader, kind: Kind?) throws(ManifestError) {
        name = try reader.string("name")
        doc = try reader.string("doc")
        self.kind = kind
        schemaJSON = try reader.value("schema")
        schema = try ValueSchema(schemaJSON, path: reader.path + "/schema")
        nameBytes = Array(name.utf8)
    }
}

/// A manifest that cannot be read: where and why.
package struct ManifestError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Reads members of an object and says where one is missing.
struct ManifestReader {
    let json: JSONValue
    let path: String

    init(_ json: JSONValue, path: String) {
        self.json = json
        self.path = path
    }

    func value(_ name: String) throws(ManifestError) -> JSONValue {
        guard case .object = json else { throw ManifestError("\(place) is not an object") }
        guard let value = json[name] else { throw ManifestError("\(path)/\(name) is missing") }
        return value
    }

    func string(_ name: String) throws(ManifestError) -> String {
        guard let string = try value(name).string else {
            throw ManifestError("\(path)/\(name) is not a string")
        }
        return string
    }

    func optionalString(_ name: String) throws(ManifestError) -> String? {
        json[name] == nil ? nil : try string(name)
    }

    func int(_ name: String) throws(ManifestError) -> Int {
        guard let int = try value(name).int else {
            throw ManifestError("\(path)/\(name) is not an integer")
        }
        return Int(int)
    }

    func object(_ name: String) throws(ManifestError) -> ManifestReader {
        ManifestReader(try value(name), path: "\(path)/\(name)")
    }

    func array(_ name: String) throws(ManifestError) -> [ManifestReader] {
        guard let items = try value(name).array else {
            throw ManifestError("\(path)/\(name) is not a list")
        }
        return items.enumerated().map { ManifestReader($1, path: "\(path)/\(name)/\($0)") }
    }

    /// Refuses a name that was there before, one that is empty, and one more than a record can number.
    func refuseTwice(
        _ name: String, _ before: [String], member: String = "/name"
    ) throws(ManifestError) {
        guard !name.isEmpty else { throw ManifestError("\(path)\(member) is empty") }
        guard !before.contains(name) else {
            throw ManifestError("\(path)\(member): \"\(name)\" is there twice")
        }
        guard before.count < 1_000 else {
            throw ManifestError("\(path) is one too many; 1,000 are read")
        }
    }

    func itself() throws(ManifestError) -> String {
        guard let string = json.string else { throw ManifestError("\(place) is not a string") }
        return string
    }

    private var place: String { path.isEmpty ? "the manifest" : path }
}
