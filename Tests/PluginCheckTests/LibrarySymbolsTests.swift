// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import PluginCheck

@Suite struct LibrarySymbolsTests {
    private static func bytes(_ library: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: Products.path(library))))
    }

    @Test func `the symbols that a library takes from others are read, and not its own`() throws {
        let names = try #require(LibrarySymbols.undefined(in: Self.bytes("libBadPlugin.so")))
        #expect(names.contains("pthread_create") && names.contains("calloc"))
        #expect(!names.contains("marbled_plugin_v1"))
        #expect(names == names.sorted())
    }

    @Test func `what is no library, or only a part of one, is told from one`() throws {
        #expect(LibrarySymbols.undefined(in: []) == nil)
        #expect(LibrarySymbols.undefined(in: Array("text".utf8)) == nil)
        let whole = try Self.bytes("libAsker.so")
        for count in [4, 16, 63, 64, whole.count / 2] {
            #expect(LibrarySymbols.undefined(in: Array(whole[..<count])) == nil)
        }
    }

    @Test func `bytes changed at random are read without harm`() throws {
        let whole = try Self.bytes("libAsker.so")
        var state: UInt64 = 1
        func draw() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33)
        }
        var read = 0
        for _ in 0..<2_000 {
            var broken = whole
            // In the header and the table of sections, where offsets and counts stand.
            for _ in 0..<4 {
                let place =
                    draw() % 2 == 0 ? draw() % 64 : broken.count - 1 - draw() % 2_048
                broken[place] = UInt8(truncatingIfNeeded: draw())
            }
            if LibrarySymbols.undefined(in: broken) != nil { read += 1 }
        }
        #expect(read > 0 && read < 2_000)
    }

    @Test(arguments: [
        ("usleep", "sleep"), ("nanosleep", "sleep"), ("clock_gettime", "the system's clock"),
        ("pthread_create", "a thread"), ("socket", "a socket"), ("connect", "a socket"),
        ("getrandom", "the system's chance"),
        ("$sScTss5NeverORszABRs_rlE5sleep11nanosecondsys6UInt64V_tYaKFZ", "Task" + ".sleep"),
        ("$s20FoundationEssentials4DateVACycfC", "Date()"),
        ("$s10Foundation4DateVACycfC", "Date()"),
        ("$ss27SystemRandomNumberGeneratorV4nexts6UInt64VyF", "SystemRandomNumberGenerator"),
        ("$ss17FixedWidthIntegerPsE6random2inxSNyxG_tFZ", "SystemRandomNumberGenerator"),
        ("$sSTsE8shuffledSay7ElementQzGyF", "SystemRandomNumberGenerator"),
        ("$s8Dispatch0A5QueueC4mainACvgZ", "Dispatch"),
        ("$s10Foundation6ThreadC5sleep15forTimeIntervalySd_tFZ", "Thread" + ".sleep"),
        ("$ss15ContinuousClockVABycfC", "ContinuousClock"),
    ])
    func `a way around the timeline is named, with what to use instead`(
        _ symbol: String, _ name: String
    ) {
        let found = TimelineEscape.found(in: ["malloc", symbol, symbol])
        #expect(found.map(\.name) == [name] && found.map(\.symbol) == [symbol])
        #expect(found.allSatisfy { !$0.advice.isEmpty })
    }

    @Test func `what everybody uses is not told`() {
        #expect(
            TimelineEscape.found(in: [
                "malloc", "memcpy", "swift_release", "swift_task_create", "my_sleep_time",
                "$sSS6appendyySSF", "timer_of_mine",
            ]) == [])
    }
}
