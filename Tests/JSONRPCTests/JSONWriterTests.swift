// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import TestSupport
import Testing

struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `commas stand where they belong`() {
        let text = written { writer in
            writer.object {
                $0.member("a", 1)
                $0.array("b") {
                    $0.element(1)
                    $0.array { _ in }
                    $0.object { $0.member("c", "}") }
                    $0.element("[")
                    $0.element(true)
                }
                $0.object("d") { _ in }
                $0.member("e", ifPresent: nil as Int?)
                $0.member("f", 0.5)
            }
        }
        #expect(text == #"{"a":1,"b":[1,[],{"c":"}"},"[",true],"d":{},"f":0.5}"#)
    }

    @Test(
        arguments: [
            (0, "0"), (7, "7"), (-1, "-1"), (10, "10"), (1_000_000, "1000000"),
            (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
        ] as [(Int64, String)])
    func `integers are written exactly`(_ number: Int64, _ text: String) {
        #expect(written { $0.append(number) } == text)
    }

    @Test(
        arguments: [
            (0.1, "0.1"), (5, "5.0"), (-0.0, "-0.0"), (1e22, "1e+22"),
            (1.0 / 3, "0.3333333333333333"),
            (.leastNonzeroMagnitude, "5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
            (.nan, "null"), (.infinity, "null"), (-.infinity, "null"),
        ] as [(Double, String)])
    func `doubles are written in the fewest digits`(_ number: Double, _ text: String) {
        #expect(written { $0.append(number) } == text)
    }

    @Test func `doubles read back as they were`() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<20_000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let text = written { $0.append(number) }
            #expect(try JSONValue(parsing: text).double == number, "\(text)")
        }
    }

    @Test func `strings are escaped as far as JSON demands`() throws {
        let string = "\"\\/\u{0}\u{1f}\u{7f}\n\r\t\u{8}ü😀"
        let text = written { $0.append(string: string) }
        #expect(text == "\"\\\"\\\\/\\u0000\\u001f\u{7f}\\n\\r\\t\\u0008ü😀\"")
        #expect(try JSONValue(parsing: text) == .string(string))
    }

    @Test func `a payload on many lines becomes one line`() {
        let payload = Array("{\n  \"a\": \"\\n\",\r\n  \"b\": 1\n}".utf8)
        let text = written { writer in payload.withUnsafeBytes { writer.append(payload: $0) } }
        #expect(text == #"{   "a": "\n",    "b": 1 }"#)
    }

    @Test func `what is sent goes from the front, and the rest stays in order`() {
        var writer = JSONWriter()
        var random = SeededRandom(seed: 3)
        var expected: [UInt8] = []
        var sent = 0
        for index in 0..<5000 {
            writer.append(Int64(index))
            writer.append(" ")
            expected += Array("\(index) ".utf8)
            guard Bool.random(using: &random) else { continue }
            let count =
                Int.random(in: 0...writer.count, using: &random) * (index % 100 == 0 ? 1 : 0)
            let isRight = writer.bytes.prefix(count).elementsEqual(expected[sent..<sent + count])
            #expect(isRight)
            writer.dropFirst(count)
            sent += count
        }
        let isRight = writer.bytes.elementsEqual(expected[sent...])
        #expect(isRight)
    }

    @Test func `taking back leaves what was before`() {
        var writer = JSONWriter()
        writer.append("abcdef")
        writer.dropFirst(2)
        writer.truncate(to: 3)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "cde")
    }
}
