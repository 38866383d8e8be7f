// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// A custom effect that a host knows: what is asked, what is answered, and who answers.
///
/// Requests and answers are checked wherever they come from, a stub included, so that a scenario cannot
/// promise what the world would never say.
package struct EffectDescription {
    package let name: String
    /// One line for people.
    package let doc: String
    /// The JSON Schemas of a request and of one answer, as they were given.
    package let requestJSON: JSONValue
    package let answerJSON: JSONValue
    private let request: ValueSchema
    private let answer: ValueSchema

    /// Throws a sentence where a schema cannot be read, or the name is one that an instance has of its own.
    init(
        name: String, doc: String, request: JSONValue, answer: JSONValue
    ) throws(ManifestError) {
        guard !name.isEmpty else { throw ManifestError("an effect has a name") }
        guard !Self.builtIn.contains(name) else {
            throw ManifestError("\"\(name)\" is an effect of the host's own")
        }
        self.name = name
        self.doc = doc
        requestJSON = request
        answerJSON = answer
        self.request = try ValueSchema(request, path: "\(name)/request")
        self.answer = try ValueSchema(answer, path: "\(name)/answer")
    }

    private static let builtIn = ["http", "store", "random", "wallClock", "partition"]

    /// Why `value` is no request, as the answer to it; nil where it is one.
    func refusal(of value: JSONValue) -> EffectAnswer? {
        do throws(HostError) {
            try request.check(value, pointer: "")
            return nil
        } catch {
            return .failure(kind: "badRequest", message: "what \(name) was asked: \(error)")
        }
    }

    /// What the feature is told: `said`, or `badAnswer` where that is no answer.
    func checked(_ said: EffectAnswer) -> EffectAnswer {
        switch said {
        case .value(let json), .part(let json):
            do throws(HostError) {
                guard let value = json.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else {
                    throw HostError.badValue(pointer: "", expected: "JSON")
                }
                try answer.check(value, pointer: "")
                return said
            } catch {
                return .failure(kind: "badAnswer", message: "what \(name) answered: \(error)")
            }
        case .completed, .failure, .error: return said
        }
    }
}
