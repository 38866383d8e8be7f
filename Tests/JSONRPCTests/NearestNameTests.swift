// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

struct NearestNameTests {
    @Test(
        arguments: [
            ("instance.opne", "instance.open"), ("instanceopen", "instance.open"), ("opn", "open"),
            ("OPEN", nil), ("x", nil), ("completely.else", nil),
            ("instance.close", "instance.close"),
            ("a", "b"), ("", nil), (String(repeating: "o", count: 65), nil),
        ] as [(String, String?)])
    func `the nearest name is found if it is near`(_ name: String, _ nearest: String?) {
        let known = ["instance.open", "instance.close", "open"] + (name == "a" ? ["b"] : [])
        #expect(NearestName.find(name, among: known) == nearest)
    }
}
