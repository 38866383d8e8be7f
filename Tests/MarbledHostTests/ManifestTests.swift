// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Testing

@Suite struct ManifestTests {
    static let whole: JSONValue = [
        "id": "game", "version": "1.2.3", "abi": ["major": 1, "minor": 0], "library": "libGame.so",
        "features": [
            [
                "name": "game", "doc": "A game.",
                "inputs": [["name": "guess", "doc": "A guess.", "schema": ["type": "integer"]]],
                "outputs": [
                    [
                        "name": "round", "kind": "state", "doc": "The round.",
                        "schema": ["type": "integer"],
                    ]
                ],
                "options": [
                    "schema": [
                        "type": "object", "properties": ["size": ["type": "integer"]],
                        "required": [], "additionalProperties": false,
                    ],
                    "defaults": ["size": 3],
                ],
                "effects": ["http"],
            ]
        ],
    ]

    @Test func `a manifest is read whole`() throws {
        let manifest = try Manifest(Self.whole)
        #expect(manifest.id == "game")
        #expect(manifest.version == "1.2.3")
        #expect(manifest.library == "libGame.so")
        let feature = try #require(manifest.features.first)
        #expect(feature.name == "game")
        #expect(feature.inputs.map(\.name) == ["guess"])
        #expect(feature.inputs[0].kind == nil)
        #expect(feature.outputs[0].kind == .state)
        #expect(feature.outputs[0].schema == .integer(minimum: nil, maximum: nil))
        #expect(feature.optionDefaults == ["size": 3])
        #expect(feature.effects == ["http"])
        #expect(manifest.json == Self.whole)
    }

    @Test(arguments: [
        ("/id", "/id is missing"),
        ("/version", "/version is missing"),
        ("/abi", "/abi is missing"),
        ("/abi/major", "/abi/major is missing"),
        ("/abi/minor", "/abi/minor is missing"),
        ("/features", "/features is missing"),
        ("/features/0/name", "/features/0/name is missing"),
        ("/features/0/doc", "/features/0/doc is missing"),
        ("/features/0/inputs", "/features/0/inputs is missing"),
        ("/features/0/inputs/0/name", "/features/0/inputs/0/name is missing"),
        ("/features/0/inputs/0/doc", "/features/0/inputs/0/doc is missing"),
        ("/features/0/inputs/0/schema", "/features/0/inputs/0/schema is missing"),
        ("/features/0/outputs", "/features/0/outputs is missing"),
        ("/features/0/outputs/0/kind", "/features/0/outputs/0/kind is missing"),
        ("/features/0/options", "/features/0/options is missing"),
        ("/features/0/options/schema", "/features/0/options/schema is missing"),
        ("/features/0/options/defaults", "/features/0/options/defaults is missing"),
        ("/features/0/effects", "/features/0/effects is missing"),
    ])
    func `a missing member names its place`(_ path: String, _ sentence: String) {
        expectError(sentence) { try Manifest(Self.whole.replacing(path, with: nil)) }
    }

    @Test(
        arguments: [
            ("/id", 1, "/id is not a string"),
            ("/version", ["1"], "/version is not a string"),
            ("/abi", 1, "/abi is not an object"),
            ("/abi/major", "1", "/abi/major is not an integer"),
            ("/library", 1, "/library is not a string"),
            ("/features", [:], "/features is not a list"),
            ("/features/0", "game", "/features/0 is not an object"),
            ("/features/0/name", "", "/features/0/name is empty"),
            ("/features/0/inputs", [:], "/features/0/inputs is not a list"),
            ("/features/0/inputs/0/name", "", "/features/0/inputs/0/name is empty"),
            (
                "/features/0/outputs/0/kind", "both",
                "/features/0/outputs/0/kind is \"both\"; it is state or event"
            ),
            (
                "/features/0/outputs/0/schema", 1,
                "/features/0/outputs/0/schema is not a schema: it is an object or true"
            ),
            ("/features/0/options/defaults", 1, "/features/0/options/defaults is not an object"),
            (
                "/features/0/options/defaults", ["size": "big"],
                "/features/0/options/defaults/size is not an integer"
            ),
            ("/features/0/effects/0", 1, "/features/0/effects/0 is not a string"),
        ] as [(String, JSONValue, String)])
    func `a wrong member names its place`(_ path: String, _ value: JSONValue, _ sentence: String) {
        expectError(sentence) { try Manifest(Self.whole.replacing(path, with: value)) }
    }

    @Test func `a name that is there twice is refused`() {
        let feature = Self.whole["features"]?[0] ?? .null
        expectError("/features/1/name: \"game\" is there twice") {
            try Manifest(Self.whole.replacing("/features", with: [feature, feature]))
        }
        let port = feature["inputs"]?[0] ?? .null
        expectError("/features/0/inputs/1/name: \"guess\" is there twice") {
            try Manifest(Self.whole.replacing("/features/0/inputs", with: [port, port]))
        }
        expectError("/features/0/effects/1: \"http\" is there twice") {
            try Manifest(Self.whole.replacing("/features/0/effects", with: ["http", "http"]))
        }
    }

    @Test func `an effect without a name is refused, and one more than a record can number`() throws
    {
        expectError("/features/0/effects/0 is empty") {
            try Manifest(Self.whole.replacing("/features/0/effects", with: [""]))
        }
        let effects = (0...1_000).map { JSONValue.string("e\($0)") }
        let most = JSONValue.array(Array(effects.dropLast()))
        _ = try Manifest(Self.whole.replacing("/features/0/effects", with: most))
        expectError("/features/0/effects/1000 is one too many; 1,000 are read") {
            try Manifest(Self.whole.replacing("/features/0/effects", with: .array(effects)))
        }
    }

    @Test func `another major is refused and any minor is accepted`() throws {
        expectError(
            """
            /abi/major is 2, and this daemon speaks version 1 of the boundary; build the plugin again \
            with this daemon's header
            """
        ) { try Manifest(Self.whole.replacing("/abi/major", with: 2)) }
        #expect(try Manifest(Self.whole.replacing("/abi/minor", with: 99)).abiMinor == 99)
    }

    @Test func `something that is no object is told so`() {
        expectError("the manifest is not an object") { try Manifest([]) }
    }

    @Test func `members that are not known are left alone`() throws {
        #expect(
            try Manifest(Self.whole.replacing("/homepage", with: "https://example.org")).id
                == "game")
    }

    private func expectError(
        _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Manifest
    ) {
        let error = #expect(throws: ManifestError.self, sourceLocation: sourceLocation) {
            _ = try body()
        }
        #expect(error?.description == sentence, sourceLocation: sourceLocation)
    }
}

extension JSONValue {
    /// A copy in which the value at a JSON Pointer is another, or gone.
    func replacing(_ pointer: String, with value: JSONValue?) -> JSONValue {
        replacing(pointer.split(separator: "/").map(String.init)[...], with: value) ?? .null
    }

    private func replacing(_ path: ArraySlice<String>, with value: JSONValue?) -> JSONValue? {
        guard let name = path.first else { return value }
        switch self {
        case .object(var object):
            object[name] = (object[name] ?? .null).replacing(path.dropFirst(), with: value)
            return .object(object)
        case .array(var elements):
            guard let index = Int(name) else { return self }
            elements[index] = elements[index].replacing(path.dropFirst(), with: value) ?? .null
            return .array(elements)
        case .null, .bool, .int, .double, .string: return self
        }
    }
}
