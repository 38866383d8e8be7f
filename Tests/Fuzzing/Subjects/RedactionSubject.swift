// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

/// What is not shown of HTTP: secrets go, everything else stays, and looking twice changes nothing.
enum RedactionSubject {
    private static let secret: Set<String> = [
        "access_token", "client_secret", "id_token", "refresh_token",
    ]

    /// A secret that no input has of its own.
    private static let planted = "\u{10FFFD}secret"

    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        let redaction = Redaction()
        let url = redaction.redact(url: text)
        try requireSame(redaction.redact(url: url), url, "a URL redacted twice")

        try checkHidden(redaction.redact(url: "x://h?\(text)&code=\(planted)"), text)
        try checkHidden(redaction.redact(url: "x://h/?code=\(text)\(planted)"), text, unless: "&#")
        if text.unicodeScalars.first(where: { "/?#@".unicodeScalars.contains($0) }) == "@" {
            try checkHidden(redaction.redact(url: "x://\(planted)\(text)"), text)
        }

        let shown = redaction.redact(answer: ["body": .string(text)])["body"]?.string ?? ""
        let again = redaction.redact(answer: ["body": .string(shown)])["body"]?.string ?? ""
        try requireSame(again, shown, "a body redacted twice")
        guard let value = try? JSONValue(parsing: text), value.object != nil || value.array != nil
        else { return }
        guard let left = try? JSONValue(parsing: shown) else {
            throw FuzzFinding("JSON became something else: \(shown)")
        }
        try require(left == masked(value), "shown: \(shown)\nmeant: \(masked(value))")
    }

    private static func checkHidden(
        _ shown: String, _ text: String, unless ends: String = ""
    ) throws(FuzzFinding) {
        if text.unicodeScalars.contains(where: { ends.unicodeScalars.contains($0) }) { return }
        try require(
            !shown.unicodeScalars.contains("\u{10FFFD}")
                || text.unicodeScalars.contains("\u{10FFFD}"),
            "a secret is shown: \(shown.debugDescription)")
    }

    /// The value as it may be shown, worked out on the tree.
    private static func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(masked))
        case .object(let object):
            .object(
                object.members.map {
                    ($0.name, secret.contains($0.name.lowercased()) ? "***" : masked($0.value))
                })
        case .null, .bool, .int, .double, .string: value
        }
    }
}
