// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import MarbledDaemon
import Testing

/// Who comes when: the daemon is given its turns by the test.
@Suite("Turns")
struct TurnTests {
    /// A client's end of a connection to a daemon on this thread.
    private final class End {
        private let descriptor: CInt

        init(_ daemon: ConfinedDaemon) throws { descriptor = try daemon.connect() }

        deinit { close(descriptor) }

        func send(_ text: String) {
            _ = Array(text.utf8).withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
        }

        /// How many lines have come since it was asked last.
        func linesThatCame() -> Int {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &chunk, chunk.count, CInt(MSG_DONTWAIT))
            return chunk.prefix(max(0, count)).count { $0 == 0x0A }
        }
    }

    @Test(arguments: [1, 3])
    func `a connection has its messages in a turn, then the others have theirs`(_ each: Int) throws
    {
        let daemon = try ConfinedDaemon(pluginPath: [], limits: ["messagesPerTurn": each])
        defer { daemon.close() }
        let greedy = try End(daemon)
        let modest = try End(daemon)
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"daemon.ping\"}\n"
        greedy.send(String(repeating: ping, count: 30))
        modest.send(ping)
        var answered = 0
        var turns = 0
        var before: Int?
        while answered < 30, turns < 1_000 {
            daemon.turn()
            turns += 1
            let lines = greedy.linesThatCame()
            // What is put off to the next turn may have that one within the same.
            #expect(lines <= 2 * each)
            answered += lines
            if modest.linesThatCame() == 1 { before = answered }
        }
        #expect(answered == 30)
        // It was not behind what the other one had sent before it.
        #expect(try #require(before) <= 2 * each)
    }
}
