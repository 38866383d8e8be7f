// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// What `marbled check` said of a plugin, and how it ended: read from its lines.
package struct PluginReport: Equatable, Sendable {
    /// One finding, as the child wrote it.
    package struct Line: Equatable, Sendable {
        package var check: String
        package var outcome: String
        package var text: String
        package var advice: String?
    }

    package private(set) var lines: [Line] = []
    /// Whether every check was made and none failed; warnings do not count.
    package private(set) var isGood = false

    /// Reads what the child `wrote`; a child that ended before it had finished is a finding of its own.
    package init(_ wrote: [UInt8], _ ending: ChildEnding) {
        var current: String?
        var finished: Bool?
        for line in wrote.split(separator: UInt8(ascii: "\n")) {
            guard let json = try? JSONValue(parsing: String(decoding: line, as: UTF8.self)) else {
                continue
            }
            if let began = json["began"]?.string { current = began }
            if let good = json["finished"]?.bool { finished = good }
            guard let check = json["check"]?.string, let text = json["text"]?.string else {
                continue
            }
            lines.append(
                Line(
                    check: check, outcome: json["outcome"]?.string ?? "failed", text: text,
                    advice: json["advice"]?.string))
        }
        isGood = finished == true
        guard finished == nil else { return }
        let (text, advice) = Self.sentence(ending)
        lines.append(
            Line(
                check: current ?? "start", outcome: "failed", text: text, advice: advice))
    }

    private static func sentence(_ ending: ChildEnding) -> (String, String) {
        switch ending {
        case .exit(let code):
            (
                "the plugin ended the process with code \(code)",
                "A plugin never exits; it refuses, or ends its instance with fail()."
            )
        case .signal(let number):
            (
                "the plugin crashed the process (signal \(number))",
                "Run `marbled check LIB` in a debugger: lldb -- marbled check LIB, then run."
            )
        case .tooLong(let seconds):
            (
                "it did not come back within \(seconds) s",
                "Nothing in a plugin blocks or loops; or allow more with --timeout."
            )
        }
    }

    package var json: JSONValue {
        let findings = lines.map { line -> JSONValue in
            var value: JSONValue = .object([
                ("check", .string(line.check)), ("outcome", .string(line.outcome)),
                ("text", .string(line.text)),
            ])
            value["advice"] = line.advice.map { .string($0) }
            return value
        }
        return .object([("passed", .bool(isGood)), ("findings", .array(findings))])
    }

    /// A line for each finding, what to do below it, and how it stands in all.
    package func text(_ look: Look) -> [String] {
        var text: [String] = []
        for line in lines {
            let mark =
                switch line.outcome {
                case "ok": look.ink.good("ok      ")
                case "warning": look.ink.heading("warning ")
                default: look.ink.bad("failed  ")
                }
            text.append("\(mark) \(line.check): \(line.text.printable)")
            if let advice = line.advice { text.append("         \(advice.printable)") }
        }
        let failed = lines.count { $0.outcome == "failed" }
        let warned = lines.count { $0.outcome == "warning" }
        text.append(
            "\(lines.count - failed - warned) ok, \(warned) to look at, \(failed) failed")
        return text
    }
}
