// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// The description of the front, in the form of the OpenRPC specification 1.3, made from the same
/// declarations that calls are dispatched by. What the specification has no place for, the lines that
/// nobody asked for, stands under `x-notifications`.
enum OpenRPC {
    static func document(_ methods: [FrontMethod]) -> JSONValue {
        .object([
            ("openrpc", .string("1.3.2")),
            (
                "info",
                .object([
                    ("title", .string("marbled")),
                    ("version", .string(MarbledVersion.current.description)),
                    (
                        "description",
                        .string("JSON-RPC 2.0, one JSON text per line, over a Unix socket.")
                    ),
                ])
            ),
            ("methods", .array(methods.map(describe))),
            ("components", ["errors": .object(ErrorKind.allCases.map(describe))]),
            ("x-notifications", .array(Results.notifications.map(describe))),
        ])
    }

    /// A number that changes when any declaration does (FNV-1a, 64 bits).
    static func hash(_ methods: [FrontMethod]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in document(methods).text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16)
    }

    private static func describe(_ method: FrontMethod) -> JSONValue {
        .object([
            ("name", .string(method.name.description)),
            ("summary", .string(method.doc)),
            ("paramStructure", .string("by-name")),
            ("params", .array(method.parameters.map(describe))),
            (
                "result",
                .object([("name", .string("result")), ("schema", parsed(method.result))])
            ),
            (
                "errors",
                .array(
                    method.errors.map { describe($0).1 })
            ),
            ("x-level", .string(method.level.rawValue)),
        ])
    }

    private static func describe(_ parameter: Parameter) -> JSONValue {
        .object([
            ("name", .string(parameter.name.description)),
            ("required", .bool(parameter.isRequired)),
            ("description", .string(parameter.doc)),
            ("schema", parsed(parameter.type.schema)),
        ])
    }

    private static func describe(_ kind: ErrorKind) -> (String, JSONValue) {
        (
            kind.rawValue,
            [
                "code": .int(Int64(kind.code)), "message": .string(kind.summary),
                "data": ["kind": .string(kind.rawValue)],
            ]
        )
    }

    private static func describe(
        _ notification: (method: String, doc: String, params: Shape)
    ) -> JSONValue {
        [
            "name": .string(notification.method), "summary": .string(notification.doc),
            "params": notification.params.schema,
        ]
    }

    private static func parsed(_ schema: String) -> JSONValue {
        guard let value = try? JSONValue(parsing: schema) else {
            preconditionFailure("a declared schema is not JSON: \(schema)")
        }
        return value
    }
}
