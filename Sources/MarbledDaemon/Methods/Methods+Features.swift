// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

extension Methods {
    static var features: [FrontMethod] {
        [
            FrontMethod(
                "feature.list", level: .read, doc: "Lists the features that can be opened.",
                results: [.required("features", .array, "Each with name, doc, plugin, version.")]
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
                results: [
                    .required("name", .string, "Its name."),
                    .required("doc", .string, "What it does."),
                    .required("plugin", .string, "The plugin that has it."),
                    .required("version", .string, "That plugin's version."),
                    .required("inputs", .array, "Each with name, JSON Schema and doc."),
                    .required("outputs", .array, "Each with name, kind, JSON Schema and doc."),
                    .required("options", .any, "What can be chosen, with defaults."),
                    .required("effects", .array, "What it asks of the world."),
                ],
                errors: [.unknownFeature]
            ) { call, reply throws(RPCError) in
                let name = try call.params.required("feature").string()
                let host = call.context.daemon.host
                let (plugin, feature) = try onWire { () throws(HostError) in try host.feature(name)
                }
                reply.succeed { writer in
                    writer.object { writer in
                        writeHead(feature, plugin, to: &writer)
                        for name in ["inputs", "outputs", "options", "effects"] {
                            writer.key(name)
                            (feature.json[name] ?? .null).write(to: &writer)
                        }
                    }
                }
            },
        ]
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
