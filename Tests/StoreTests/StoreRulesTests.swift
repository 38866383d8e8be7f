// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Testing

/// What a plugin can rely on, wherever its store is.
@Suite("The store's rules, in memory and on disk")
struct StoreRulesTests {
    @Test(arguments: StoreKind.allCases)
    func `a value is kept, replaced and removed`(_ kind: StoreKind) throws {
        let store = try StoreLab(kind)
        #expect(store.ask(["get": "a"]) == .json(nil))
        #expect(store.ask(["set": "a", "value": [1, "zwei", 2.5]]) == .json(nil))
        #expect(store.ask(["get": "a"]) == .json([1, "zwei", 2.5]))
        #expect(store.ask(["set": "a", "value": ["b": nil]]) == .json(nil))
        #expect(store.ask(["get": "a"]) == .json(["b": nil]))
        #expect(store.ask(["remove": "a"]) == .json(nil))
        #expect(store.ask(["remove": "a"]) == .json(nil))
        #expect(store.ask(["get": "a"]) == .json(nil))
        #expect(store.ask(["list": ""]) == .json(["entries": []]))
    }

    @Test(arguments: StoreKind.allCases)
    func `a value that is left out is null, and null is kept`(_ kind: StoreKind) throws {
        let store = try StoreLab(kind)
        #expect(store.ask(["set": "a"]) == .json(nil))
        #expect(store.ask(["list": ""]) == .json(["entries": [["key": "a", "value": nil]]]))
    }

    @Test(
        arguments: StoreKind.allCases,
        ["", "it's; DROP TABLE entry --", "%_*", "\u{0}in\u{0}side", "\u{1F600}\u{301}"])
    func `a value comes back as it went in, under any key`(
        _ kind: StoreKind, _ text: String
    ) throws {
        let store = try StoreLab(kind)
        let key = "k" + text
        let value: JSONValue = ["text": .string(text), "numbers": [-0.1, 9_007_199_254_740_993]]
        #expect(store.ask(["set": .string(key), "value": value]) == .json(nil))
        #expect(store.ask(["set": "k", "value": 0]) == .json(nil))
        #expect(store.ask(["get": .string(key)]) == .json(text.isEmpty ? 0 : value))
    }

    @Test(arguments: StoreKind.allCases)
    func `two spellings of one letter are two keys`(_ kind: StoreKind) throws {
        let store = try StoreLab(kind)
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(composed == decomposed)
        _ = store.ask(["set": .string(composed), "value": 1])
        _ = store.ask(["set": .string(decomposed), "value": 2])
        #expect(store.ask(["get": .string(composed)]) == .json(1))
        #expect(store.ask(["get": .string(decomposed)]) == .json(2))
    }

    // MARK: Lists

    @Test(arguments: StoreKind.allCases)
    func `keys are listed by their beginning, in the order of their bytes`(
        _ kind: StoreKind
    ) throws {
        let store = try StoreLab(kind)
        for key in ["b", "a/2", "a/10", "a0", "A", "a", "a/\u{E9}", "a/~", "a/\u{FFFD}"] {
            _ = store.ask(["set": .string(key), "value": .string(key)])
        }
        func keys(_ request: JSONValue) -> [String] {
            store.ask(request).value?["entries"]?.array?.compactMap { $0["key"]?.string } ?? []
        }
        #expect(keys(["list": "a/"]) == ["a/10", "a/2", "a/~", "a/\u{E9}", "a/\u{FFFD}"])
        #expect(keys(["list": ""]).prefix(3) == ["A", "a", "a/10"])
        #expect(keys(["list": "a/2x"]) == [])
        #expect(keys(["list": "", "after": "a/\u{FFFD}"]) == ["a0", "b"])
        #expect(keys(["list": "b", "after": "a"]) == ["b"])
        #expect(keys(["list": "A", "after": "z"]) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `a list ends at its limits and says where to go on`(_ kind: StoreKind) throws {
        var limits = StoreLimits()
        limits.pageEntries = 3
        limits.pageBytes = 40
        let store = try StoreLab(kind, limits: limits)
        for key in ["a", "b", "c", "d", "e"] {
            _ = store.ask(["set": .string(key), "value": .string(key)])
        }
        let large = String(repeating: "x", count: 60)
        _ = store.ask(["set": "b", "value": .string(large)])
        func page(_ request: JSONValue) -> ([String], String?) {
            let answer = store.ask(request).value
            let keys = answer?["entries"]?.array?.compactMap { $0["key"]?.string } ?? []
            return (keys, answer?["after"]?.string)
        }
        // Bytes end the first, and one entry always comes; then the number of entries.
        #expect(page(["list": ""]) == (["a"], "a"))
        #expect(page(["list": "", "after": "a"]) == (["b"], "b"))
        #expect(page(["list": "", "after": "b"]) == (["c", "d", "e"], nil))
        #expect(page(["list": "", "after": "b", "limit": 2]) == (["c", "d"], "d"))
        #expect(page(["list": "", "after": "e"]) == ([], nil))
    }

    // MARK: Transactions

    @Test(arguments: StoreKind.allCases)
    func `a transaction answers for each of its operations`(_ kind: StoreKind) throws {
        let store = try StoreLab(kind)
        let answer = store.ask([
            "transaction": [
                ["expect": "n"], ["set": "n", "value": 1], ["get": "n"],
                ["expect": "n", "value": 1.0], ["remove": "n"], ["get": "n"],
                ["set": "m", "value": 2],
            ]
        ])
        #expect(answer == .json(["done": true, "answers": [nil, nil, 1, nil, nil, nil, nil]]))
        #expect(store.ask(["get": "n"]) == .json(nil))
        #expect(store.ask(["get": "m"]) == .json(2))
    }

    @Test(arguments: StoreKind.allCases)
    func `an expectation that does not hold undoes the transaction`(_ kind: StoreKind) throws {
        let store = try StoreLab(kind)
        _ = store.ask(["set": "n", "value": ["b": 2, "a": 1]])
        _ = store.ask(["set": "gone", "value": 1])
        let transaction: JSONValue = [
            "transaction": [
                ["set": "m", "value": 1], ["remove": "gone"],
                ["expect": "n", "value": ["a": 1, "b": 3]], ["set": "n", "value": 0],
            ]
        ]
        #expect(
            store.ask(transaction)
                == .json(["done": false, "at": 2, "found": ["a": 1, "b": 2]]))
        #expect(store.ask(["get": "m"]) == .json(nil))
        #expect(store.ask(["get": "gone"]) == .json(1))
        // The same value spelled otherwise is the same.
        let same: JSONValue = ["transaction": [["expect": "n", "value": ["a": 1.0, "b": 2]]]]
        #expect(store.ask(same) == .json(["done": true, "answers": [nil]]))
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction that fails half way leaves nothing behind`(_ kind: StoreKind) throws {
        var limits = StoreLimits()
        limits.keys = 2
        let store = try StoreLab(kind, limits: limits)
        _ = store.ask(["set": "a", "value": 1])
        let transaction: JSONValue = [
            "transaction": [
                ["set": "a", "value": 2], ["set": "b", "value": 2], ["set": "c", "value": 2],
            ]
        ]
        #expect(store.ask(transaction) == .refused(.full))
        #expect(store.ask(["list": ""]) == .json(["entries": [["key": "a", "value": 1]]]))
        // Room that a transaction makes is room for itself.
        let exchange: JSONValue = [
            "transaction": [
                ["set": "b", "value": 2], ["remove": "a"], ["set": "c", "value": 2],
            ]
        ]
        #expect(store.ask(exchange).value?["done"] == true)
    }

    // MARK: Bounds

    @Test(arguments: StoreKind.allCases)
    func `keys are counted, and one too many is refused`(_ kind: StoreKind) throws {
        let store = try StoreLab(kind)
        for hundred in 0..<100 {
            let sets = (0..<100).map {
                JSONValue.object([("set", .string("\(hundred * 100 + $0)"))])
            }
            #expect(store.ask(["transaction": .array(sets)]).value?["done"] == true)
        }
        let refusal = store.ask(["set": "one more", "value": 1])
        #expect(refusal == .refused(.full))
        #expect(refusal.message.contains("10000 keys"))
        #expect(store.ask(["set": "5", "value": 2]) == .json(nil))
        #expect(store.ask(["get": "5"]) == .json(2))
        _ = store.ask(["remove": "5"])
        #expect(store.ask(["set": "one more", "value": 1]) == .json(nil))
    }

    @Test(arguments: StoreKind.allCases)
    func `a value of a mebibyte is kept, and a byte more refused`(_ kind: StoreKind) throws {
        let store = try StoreLab(kind)
        // Two of the bytes are the quotes.
        let fitting = JSONValue.string(String(repeating: "x", count: (1 << 20) - 2))
        let larger = JSONValue.string(String(repeating: "x", count: (1 << 20) - 1))
        #expect(store.ask(["set": "a", "value": fitting]) == .json(nil))
        #expect(store.ask(["set": "a", "value": larger]) == .refused(.tooLarge))
        #expect(store.ask(["get": "a"]) == .json(fitting))
    }

    @Test(arguments: StoreKind.allCases)
    func `a key of 512 bytes is kept, and a byte more refused`(_ kind: StoreKind) throws {
        let store = try StoreLab(kind)
        let fitting = JSONValue.string(String(repeating: "\u{E9}", count: 256))
        let longer = JSONValue.string(String(repeating: "\u{E9}", count: 256) + "x")
        #expect(store.ask(["set": fitting, "value": 1]) == .json(nil))
        #expect(store.ask(["get": fitting]) == .json(1))
        for verb in ["get", "set", "remove", "list"] {
            #expect(store.ask(.object([(verb, longer)])) == .refused(.tooLarge))
        }
        #expect(store.ask(["transaction": [["expect": longer]]]) == .refused(.tooLarge))
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction has bounds of its own`(_ kind: StoreKind) throws {
        var limits = StoreLimits()
        limits.operations = 2
        limits.transactionBytes = 10
        let store = try StoreLab(kind, limits: limits)
        let set: JSONValue = ["set": "a", "value": 1]
        #expect(store.ask(["transaction": [set, set]]).value?["done"] == true)
        #expect(store.ask(["transaction": [set, set, set]]) == .refused(.tooLarge))
        let long: JSONValue = ["set": "b", "value": "1234567"]
        #expect(store.ask(["transaction": [long]]).value?["done"] == true)
        #expect(store.ask(["transaction": [set, long]]) == .refused(.tooLarge))
    }

    // MARK: Wrong requests

    static let wrong: [JSONValue] = [
        nil, [], "get", 5, [:], ["put": "a"], ["get": 5], ["get": ""], ["set": ""],
        ["get": "a", "value": 1], ["set": "a", "values": 1], ["remove": "a", "get": "a"],
        ["expect": "a"], ["list": 5], ["list": "", "limit": 0], ["list": "", "limit": 1001],
        ["list": "", "limit": "3"], ["list": "", "after": 5], ["list": "", "prefix": "a"],
        ["transaction": []], ["transaction": ["get": "a"]], ["transaction": [5]],
        ["transaction": [[:]]], ["transaction": [["list": ""]]],
        ["transaction": [["transaction": [["get": "a"]]]]],
        ["transaction": [["set": "a", "value": 1], ["get": "a", "value": 1]]],
        ["transaction": [["get": "a"]], "get": "a"],
        ["set": "a", "value": .array([.double(.infinity)])],
    ]

    @Test(arguments: StoreKind.allCases)
    func `a request that is none is refused with what would be right`(_ kind: StoreKind) throws {
        let store = try StoreLab(kind)
        for request in Self.wrong {
            let answer = store.ask(request)
            #expect(answer == .refused(.badRequest), "\(request)")
            #expect(!answer.message.isEmpty)
        }
        #expect(store.ask(["list": ""]) == .json(["entries": []]))
    }
}
