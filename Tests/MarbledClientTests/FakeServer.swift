// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import MarbledClient

/// The other end of a client's socket, played by the test on the same thread.
///
/// The kernel keeps what is written until the client reads, so a test writes the answers first and
/// lets the client ask afterwards: nothing waits and nothing races.
final class FakeServer {
    let client: Client
    private var descriptor: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        let made = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        precondition(made == 0, "no socket pair: errno \(errno)")
        client = Client(adopting: ends[0])
        descriptor = ends[1]
    }

    deinit { hangUp() }

    /// Writes bytes as they are.
    func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            let count = Glibc.send(
                descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            precondition(count == bytes.count, "only \(count) of \(bytes.count) bytes fit")
        }
    }

    func answer(_ id: Int64, _ result: JSONValue = [:]) {
        let line: JSONValue = ["jsonrpc": "2.0", "id": .int(id), "result": result]
        write(line.text + "\n")
    }

    func notify(_ method: String, _ params: JSONValue) {
        let line: JSONValue = ["jsonrpc": "2.0", "method": .string(method), "params": params]
        write(line.text + "\n")
    }

    /// What the client has written so far.
    func received() -> String {
        var room = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
        return String(decoding: room[..<max(0, count)], as: UTF8.self)
    }

    func hangUp() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }
}
