// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import Testing

/// Lines that were damaged at random, sent to the real daemon: it answers in JSON, and it stays.
///
/// Bounded and repeatable: `MARBLED_FUZZ_SECONDS` says how long (2 by default), `MARBLED_FUZZ_SEED` where to begin.
@Suite("Damaged input")
struct FuzzTests {
    private static let corpus = [
        #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}"#,
        #"{"jsonrpc":"2.0","id":"a","method":"daemon.hello","params":{"require":["streams"]}}"#,
        #"{"jsonrpc":"2.0","id":null,"method":"instance.open","params":{"feature":"find-number","clock":"virtual","options":{"source":"http","min":1},"stubs":[{"http":"GET */random*","reply":[{"status":200,"json":[1],"after":"5ms"},{"never":true}]}],"seed":7,"ephemeral":true}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"instance.send","params":{"instance":"game","input":"checkNumber","value":1,"at":"10ms","collect":true}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"instance.send","params":{"instance":"game","input":"gameStart"}}"#,
        #"{"jsonrpc":"2.0","id":4,"method":"clock.advance","params":{"instance":"game","by":"1s","limit":100}}"#,
        #"{"jsonrpc":"2.0","id":5,"method":"instance.await","params":{"instance":"game","output":"round","until":{"count":1},"timeout":"1ms"}}"#,
        #"{"jsonrpc":"2.0","id":6,"method":"stream.subscribe","params":{"instance":"game","output":"*","overflow":"gap"}}"#,
        #"{"jsonrpc":"2.0","id":7,"method":"stub.set","params":{"instance":"game","stubs":[{"http":"*","reply":{"fail":"refused"}}]}}"#,
        #"{"jsonrpc":"2.0","id":8,"method":"scenario.run","params":{"scenario":"scenario: x\nfeature: find-number\ninputs: {checkNumber: {10: 1}}\nexpect: {round: '1---------2'}\nuntil: 20"}}"#,
        #"{"jsonrpc":"2.0","id":9,"method":"instance.close","params":{"instance":"i3"}}"#,
        #"[{"jsonrpc":"2.0","id":1,"method":"instance.list"},{"jsonrpc":"2.0","method":"stream.flush"},1]"#,
        #"{"jsonrpc":"2.0","id":10,"method":"instance.record","params":{"instance":"game","since":3}}"#,
    ].map { Array($0.utf8) }

    @Test func `damaged lines are answered in JSON and the daemon stays`() throws {
        let environment = Self.settings
        var random = Damage(seed: environment.seed)
        let daemon = try DaemonProcess()
        let keeper = try daemon.connect()
        _ = try keeper.call(
            "instance.open", ["feature": "find-number", "clock": "virtual", "name": "game"])
        var client = try daemon.connect()
        let end = Self.now() + environment.seconds
        let validator = JSONValidator()
        var rounds = 0
        while Self.now() < end {
            rounds += 1
            var burst: [UInt8] = []
            for _ in 0..<20 {
                burst += random.damage(Self.corpus[random.below(Self.corpus.count)])
                burst.append(0x0A)
            }
            client.send(raw: burst)
            client.send(line: #"{"jsonrpc":"2.0","id":"end-\#(rounds)","method":"daemon.ping"}"#)
            while true {
                guard let line = try client.line() else {
                    // Damage can make a call that closes the connection; the daemon must go on.
                    client = try daemon.connect()
                    break
                }
                // An id is echoed as it was written, so a number in it may be larger than any we could read.
                let fault = Array(line.utf8).withUnsafeBytes { validator.validate($0) }
                #expect(fault == nil, "\(line)")
                if line.hasSuffix("\"id\":\"end-\(rounds)\"}") { break }
            }
            if rounds % 50 == 0 { client = try daemon.connect() }
        }
        #expect(try keeper.call("daemon.ping") == .object([]))
        #expect((try keeper.call("daemon.status")["memory"]?.int ?? .max) < 512 << 20)
        #expect(rounds > 0)
    }

    private static var settings: (seconds: Int, seed: UInt64) {
        func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
        return (number("MARBLED_FUZZ_SECONDS") ?? 2, UInt64(number("MARBLED_FUZZ_SEED") ?? 1))
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
}

/// Damages lines: the same seed, the same damage.
private struct Damage {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    mutating func damage(_ line: [UInt8]) -> [UInt8] {
        var line = line
        for _ in 0..<below(4) {
            guard !line.isEmpty else { break }
            let place = below(line.count)
            switch below(7) {
            case 0: line[place] = UInt8(below(256))
            case 1: line.remove(at: place)
            case 2: line.insert(UInt8(below(256)), at: place)
            case 3: line.removeLast(below(line.count))
            case 4: line.insert(contentsOf: line[..<place], at: place)
            case 5: line.insert(contentsOf: Array("-9e999".utf8), at: place)
            default: line.insert(contentsOf: Array(repeating: 0x5B, count: below(2_000)), at: place)
            }
        }
        line.removeAll { $0 == 0x0A }
        return line
    }
}
