// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

extension Methods {
    static var features: [FrontMethod] {
        [
            FrontMethod(
                "feature.list", level: .read, doc: "Lists the features that can be opened.",
                result: Results.features
            ) { call, reply in
                let features = call.context.daemon.host.features
                reply.succeed { writer in
                    writer.object {
                        $0.array("features") { writer in
                            for (plugin, feature) in features {
                                writer.object { writeHead(feature, plugin, to: &$0) }
                            }
                        }
                    }
                }
            },
            FrontMethod(
                "feature.describe", level: .read,
                doc:
                    "Describes a feature: its ports with kind and JSON Schema, its options, its effects.",
                parameters: [.required("feature", .string, "The feature's name.")],
                result: Results.feature,
                errors: [.unknownFeature]
            ) { call, reply throws(RPCError) in
                let name = try call.params.required("feature").string()
                let host = call.context.daemon.host
                let (plugin, feature) = try onWire { () throws(HostError) in try host.feature(name)
                }
                reply.succeed { writer in
                    writer.object { writer in
                        writeHead(feature, plugin, to: &writer)
                        for name in ["inputs", "outputs", "options"] {
                            writer.key(name)
                            (feature.json[name] ?? .null).write(to: &writer)
                        }
                        writer.array("effects") { writer in
                            for name in feature.effects {
                                if let effect = host.effect(name) {
                                    writer.object { writeEffect(effect, to: &$0) }
                                } else {
                                    writer.element(name)
                                }
                            }
                        }
                    }
                }
            },
        ]
    }

    /// A custom effect: its name, and what is asked and answered.
    static func writeEffect(_ effect: EffectDescription, to writer: inout JSONWriter) {
        writer.member("name", effect.name)
        writer.member("doc", effect.doc)
        writer.key("request")
        effect.requestJSON.write(to: &writer)
        writer.key("answer")
        effect.answerJSON.write(to: &writer)
    }

    private static func writeHead(
        _ feature: FeatureDescription, _ plugin: Plugin, to writer: inout JSONWriter
    ) {
        writer.member("name", feature.name)
        writer.member("doc", feature.doc)
        writer.member("plugin", plugin.manifest.id)
        writer.member("version", plugin.manifest.version)
    }
}
