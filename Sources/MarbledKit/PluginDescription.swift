// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
internal import FoundationEssentials

/// Writes what a plugin says of itself: the manifest without the library's file name.
enum PluginDescription {
    static func write(
        id: String, version: String, _ features: [any Feature.Type], into text: inout JSONText
    ) {
        text.append(#"{"id":"#)
        text.append(quoting: id)
        text.append(#","version":"#)
        text.append(quoting: version)
        text.append(#","abi":{"major":"#)
        text.append(integer: Int(MARBLED_ABI_MAJOR))
        text.append(#","minor":"#)
        text.append(integer: Int(MARBLED_ABI_MINOR))
        text.append(#"},"features":["#)
        for (index, feature) in features.enumerated() {
            if index > 0 { text.append(",") }
            write(feature, into: &text)
        }
        text.append("]}")
    }

    private static func write<Kind: Feature>(_ feature: Kind.Type, into text: inout JSONText) {
        text.append(#"{"name":"#)
        text.append(quoting: feature.name)
        text.append(#","doc":"#)
        text.append(quoting: feature.doc)
        text.append(#","inputs":["#)
        for (index, (name, port)) in Kind.Input().ports((any InputPort).self).enumerated() {
            text.append(index > 0 ? #",{"name":"# : #"{"name":"#)
            text.append(quoting: name)
            finishPort(port.doc, port.schema, into: &text)
        }
        text.append(#"],"outputs":["#)
        for (index, (name, port)) in Kind.Output().ports((any OutputPort).self).enumerated() {
            text.append(index > 0 ? #",{"name":"# : #"{"name":"#)
            text.append(quoting: name)
            text.append(#","kind":"#)
            text.append(quoting: port.kind.rawValue)
            finishPort(port.doc, port.schema, into: &text)
        }
        text.append(#"],"options":{"schema":"#)
        Schema.options(of: Kind.Options.self).write(into: &text)
        text.append(#","defaults":"#)
        // Options are plain values; what cannot be encoded here fails the build that makes the manifest.
        guard let defaults = try? JSONText.encoder.encode(Kind.Options()) else {
            preconditionFailure("the default options of \(feature.name) cannot be encoded")
        }
        text.append(contentsOf: defaults)
        text.append(#"},"effects":["#)
        for (index, effect) in feature.effects.enumerated() {
            if index > 0 { text.append(",") }
            text.append(quoting: effect.name)
        }
        text.append("]}")
    }

    private static func finishPort(_ doc: String, _ schema: Schema, into text: inout JSONText) {
        text.append(#","doc":"#)
        text.append(quoting: doc)
        text.append(#","schema":"#)
        schema.write(into: &text)
        text.append("}")
    }
}

extension Schema {
    /// The schema of options: an object in which everything may be left out.
    static func options<Options: FeatureOptions>(of type: Options.Type) -> Schema {
        guard case .object(let members) = Schema(describing: type) else { return .object([]) }
        return .object(
            members.map { Member(name: $0.name, schema: $0.schema, isOptional: true) })
    }
}
