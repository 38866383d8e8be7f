// SPDX-License-Identifier: Apache-2.0

/// An error answer: what was wrong, where, and what would be right.
///
///     {"code": -32602, "message": "no parameter \"instanc\"", "data":
///         {"kind": "invalidParams", "pointer": "/instanc", "suggestion": "instance"}}
package struct RPCError: Error, Sendable, Equatable {
    package var kind: ErrorKind

    /// A sentence for people.
    package var message: String

    /// The sentence, where `message` has to be the standard's own words.
    package var detail: String?

    /// A JSON Pointer (RFC 6901) into the parameters.
    package var pointer: String?

    /// What would be right.
    package var expected: String?

    /// A known name close to the one that was given.
    package var suggestion: String?

    /// The kind's own summary stands in where there is no message.
    package init(
        _ kind: ErrorKind, _ message: String? = nil, detail: String? = nil, pointer: String? = nil,
        expected: String? = nil, suggestion: String? = nil
    ) {
        self.kind = kind
        self.message = message ?? kind.summary
        self.detail = detail
        self.pointer = pointer
        self.expected = expected
        self.suggestion = suggestion
    }

    package var code: Int { kind.code }
}

extension RPCError: JSONWritable {
    /// The error object.
    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("code", code)
            $0.member("message", message)
            $0.object("data") {
                $0.member("kind", kind.rawValue)
                $0.member("detail", ifPresent: detail)
                $0.member("pointer", ifPresent: pointer)
                $0.member("expected", ifPresent: expected)
                $0.member("suggestion", ifPresent: suggestion)
            }
        }
    }
}

extension RPCError: CustomStringConvertible {
    /// One line for a terminal or a log.
    package var description: String {
        var text = message
        if let detail { text += ": \(detail)" }
        if let pointer { text += " at \(pointer)" }
        if let expected { text += "; expected \(expected)" }
        let hint = NearestName.hint(suggestion)
        if !message.hasSuffix(hint) { text += hint }
        return text
    }
}
