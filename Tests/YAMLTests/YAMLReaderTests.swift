// SPDX-License-Identifier: Apache-2.0

import Testing
import YAML

@Suite("Reading YAML")
struct YAMLReaderTests {
    @Test func `a mapping keeps its order and every node its place`() throws {
        let document = try #require(try YAMLReader.documents("b: 1\na:\n  - x\n").first)
        guard case .mapping(let pairs) = document.content else {
            Issue.record("not a mapping")
            return
        }
        #expect(pairs.map(\.key.text) == ["b", "a"])
        #expect(pairs[1].key.line == 2)
        guard case .sequence(let items) = pairs[1].value.content else {
            Issue.record("not a sequence")
            return
        }
        #expect(items.map(\.text) == ["x"])
        #expect((items[0].line, items[0].column) == (3, 5))
    }

    @Test(arguments: [("'1'", true), ("\"1\"", true), ("1", false), ("|\n  1", true)])
    func `quoted text is told from plain text`(_ text: String, _ isQuoted: Bool) throws {
        let document = try #require(try YAMLReader.documents("a: \(text)\n").first)
        guard case .mapping(let pairs) = document.content,
            case .scalar(_, let found) = pairs[0].value.content
        else {
            Issue.record("not a scalar")
            return
        }
        #expect(found == isQuoted)
    }

    @Test func `documents are separated by three dashes`() throws {
        #expect(try YAMLReader.documents("---\na\n---\nb\n").map(\.text) == ["a", "b"])
        #expect(try YAMLReader.documents("").isEmpty)
        #expect(try YAMLReader.documents("# nothing\n").isEmpty)
    }

    @Test(arguments: ["a: [1", "a: b: c", "\"open", "a: &x 1\nb: *x", "\t- a", "a: \u{1}"])
    func `what is not YAML, or not ours, is refused with its place`(_ text: String) {
        #expect(throws: YAMLError.self) { try YAMLReader.documents(text) }
    }

    @Test func `the place of a fault is where it stands`() {
        let error = #expect(throws: YAMLError.self) {
            try YAMLReader.documents("a: 1\nb: &anchor 2\n")
        }
        #expect(error?.line == 2)
        #expect(error?.column == 4)
    }

    @Test func `values nested too deep are refused and do not overflow the stack`() {
        let text = String(repeating: "[", count: 50_000)
        #expect(throws: YAMLError.self) { try YAMLReader.documents(text) }
    }
}
