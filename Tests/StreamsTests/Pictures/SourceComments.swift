// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A public declaration of the module, with the pictures in its comment.
struct Declaration: Sendable {
    let file: String
    let line: Int
    /// The type it stands in, or the one it declares.
    let context: String
    /// As Swift names it: `take(while:behavior:)`, `Driver`.
    let name: String
    /// What it gives back; empty unless it is a function.
    let result: String
    let pictures: [Picture]

    /// Its name without the labels.
    var baseName: String { String(name.prefix { $0 != "(" }) }

    /// Whether it makes a stream.
    var isOperator: Bool {
        let streams = [
            "Observable", "Single", "Maybe", "Completable", "ConnectableObservable",
            "PrimitiveSequence", "SharedSequence", "Driver", "Signal", "Infallible",
        ]
        return name.contains("(") && streams.contains(String(result.prefix { $0 != "<" }))
    }
}

/// The declarations of Sources/Streams, read from the files themselves.
enum SourceComments {
    static let declarations: [Declaration] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Streams").standardized
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().flatMap { name in
            let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return declarations(in: text ?? "", file: name)
        }
    }()

    /// Reads one file. The house's formatter makes that easy: one declaration a line, four spaces a level.
    static func declarations(in text: String, file: String) -> [Declaration] {
        var found: [Declaration] = []
        var context = ""
        var comment: [(number: Int, text: String)] = []
        let lines = text.components(separatedBy: "\n")
        for (index, line) in lines.enumerated() {
            let code = line.trimmed
            if code.hasPrefix("///") {
                comment.append((index + 1, String(code.dropFirst(3))))
                continue
            }
            if code.hasPrefix("@") { continue }
            defer { comment = [] }
            let words = code.split(separator: " ").map(String.init)
            if !line.hasPrefix(" "),
                let type = words.firstIndex(where: {
                    ["extension", "class", "struct"].contains($0)
                }
                ),
                type + 1 < words.count
            {
                context = String(words[type + 1].prefix { $0.isLetter })
            }
            guard words.first == "public" || words.first == "open" else { continue }
            let modifiers = ["public", "open", "static", "final", "override"]
            let rest = words.drop { modifiers.contains($0) }
            guard let kind = rest.first, rest.count > 1 else { continue }
            let pictures = pictures(in: comment)
            if kind == "func" {
                let signature = signature(lines[index...])
                found.append(
                    Declaration(
                        file: file, line: index + 1, context: context, name: signature.name,
                        result: signature.result, pictures: pictures))
            } else if ["class", "struct", "typealias"].contains(kind) {
                let name = String(rest[rest.startIndex + 1].prefix { $0.isLetter })
                found.append(
                    Declaration(
                        file: file, line: index + 1, context: name, name: name, result: "",
                        pictures: pictures))
            }
        }
        return found
    }

    /// The indented blocks of a comment.
    private static func pictures(in comment: [(number: Int, text: String)]) -> [Picture] {
        let indent = String(repeating: " ", count: 5)
        return comment.split { !$0.text.hasPrefix(indent) }.map { block in
            Picture(block.map { ($0.number, String($0.text.dropFirst(indent.count))) })
        }
    }

    /// The name and the result of the function that begins on the first of `lines`.
    private static func signature(_ lines: ArraySlice<String>) -> (name: String, result: String) {
        let text = lines.prefix(20).map(\.trimmed).joined(separator: " ")
        guard let keyword = text.firstRange(of: "func ") else { return ("", "") }
        var base = ""
        var labels = ""
        var word = ""
        var isLabelled = false
        // Angles count until the parameters begin; brackets of all kinds inside them.
        var depth = 0
        var angles = 0
        var index = keyword.upperBound
        scan: while index < text.endIndex {
            let character = text[index]
            index = text.index(after: index)
            switch character {
            case "<" where depth == 0: angles += 1
            case ">" where depth == 0: angles -= 1
            case "(", "[":
                depth += 1
            case ")", "]":
                depth -= 1
                if depth == 0 { break scan }
            case "," where depth == 1:
                word = ""
                isLabelled = false
            case ":" where depth == 1 && !isLabelled:
                labels += "\(word.split(separator: " ").first ?? ""):"
                isLabelled = true
            case let letter where depth == 0 && angles == 0:
                if letter != "`", letter != " " { base.append(letter) }
            case let letter where depth == 1 && !isLabelled:
                word.append(letter)
            default: break
            }
        }
        let tail = text[index...].prefix { $0 != "{" }
        let result = tail.firstRange(of: "-> ").map { String(tail[$0.upperBound...]) } ?? ""
        return ("\(base)(\(labels))", result.trimmed)
    }
}
