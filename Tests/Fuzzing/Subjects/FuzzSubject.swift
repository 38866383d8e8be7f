// SPDX-License-Identifier: Apache-2.0

/// One reader of foreign bytes, and what must hold whatever the bytes are.
///
/// `make fuzz` runs each under libFuzzer; the tests run each over the inputs that are kept.
package struct FuzzSubject: Sendable {
    /// The name of its corpus, its dictionary's and its program's.
    package let name: String
    /// Runs one input. Throws what does not hold; a crash is a finding as well.
    package let check: @Sendable (_ input: [UInt8]) throws(FuzzFinding) -> Void

    package static let all = [
        FuzzSubject(name: "framing", check: FramingSubject.check),
        FuzzSubject(name: "envelope", check: EnvelopeSubject.check),
        FuzzSubject(name: "json", check: JSONSubject.check),
        FuzzSubject(name: "yaml", check: YAMLSubject.check),
        FuzzSubject(name: "scenario", check: ScenarioSubject.check),
        FuzzSubject(name: "marbles", check: MarblesSubject.check),
        FuzzSubject(name: "manifest", check: ManifestSubject.check),
        FuzzSubject(name: "record", check: RecordSubject.check),
        FuzzSubject(name: "stub", check: StubSubject.check),
        FuzzSubject(name: "redaction", check: RedactionSubject.check),
        FuzzSubject(name: "plugin", check: PluginSubject.check),
    ]

    package static func named(_ name: String) -> FuzzSubject? { all.first { $0.name == name } }
}
