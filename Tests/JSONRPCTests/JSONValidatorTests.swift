// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

struct JSONValidatorTests {
    private let validator = JSONValidator()

    private func fault(_ text: [UInt8]) -> JSONFault? {
        text.withUnsafeBytes { validator.validate($0) }
    }

    private func fault(_ text: String) -> JSONFault? { fault(Array(text.utf8)) }

    @Test(arguments: [
        "{}", "[]", "0", "-0", "1e3", "1.5E-7", #""""#, #"{"a":[1,{"b":null}],"c":"ü"}"#, " [ ] ",
        "123456789012345678901234567890", "1e400", "-1e-400", "[1e400,-99999999999999999999]",
        #"{"-1":"1e999","x":1e999}"#, #""\ud83d\ude00""#,
    ])
    func `legal text passes`(_ text: String) {
        #expect(fault(text) == nil)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[1,]", "{\"a\":}", "{a:1}", "01", "1.", ".5", "+1", "--1", "1e", "-",
        "nul", "True", "\"", "\"\\x\"", "\"\\u12\"", "\"a\tb\"", "[1 2]", "1 2", "{} {}",
        "[1e400 2]",
        "[01,1e400]", "[1e400,--1]", "[1e400,1-2]", "[1e400,-]", "[1e400,1.]", "[1e400,0x1]",
        "[1e400,12abc]", "[1e400}", "{\"a\":1e400,}", "'a'", "[1e400,+1]", "NaN", "Infinity",
    ])
    func `illegal text does not pass`(_ text: String) {
        #expect(fault(text) != nil)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are told as such`(_ text: [UInt8]) {
        #expect(fault(text) == .utf8)
    }

    @Test func `depth is bounded`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(fault(nested(1000)) == nil)
        #expect(fault(nested(1025)) == .depth)
        #expect(fault(nested(10_000)) == .depth)
        #expect(fault(String(repeating: "{\"a\":", count: 10_000)) != nil)
    }

    @Test func `a huge text does not spoil the next one`() {
        let huge = "[" + String(repeating: "1e400,", count: 100_000) + "0]"
        #expect(fault(huge) == nil)
        #expect(fault("[1,2") != nil)
        #expect(fault("[1,2]") == nil)
    }
}
