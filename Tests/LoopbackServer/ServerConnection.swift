// SPDX-License-Identifier: Apache-2.0

import Glibc
import Scheduling

/// What a client asked: the request as it stood on the wire.
package struct ServerRequest: Sendable {
    /// `GET`.
    package let method: String
    /// `/path?query`, or a whole URL where a proxy is asked.
    package let target: String
    /// The lines of the head behind the first.
    package let lines: [String]
    package let body: String

    /// The value of a header, or nil.
    package func header(_ name: String) -> String? {
        lines.first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
            .map { String($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }
    }
}

/// One connection of a test's server, used on one thread, with blocking calls.
package final class ServerConnection: Sendable {
    private let descriptor: CInt
    private let note: @Sendable (ServerRequest) -> Void
    private let state = Locked(State())

    private struct State {
        var received: [UInt8] = []
        var isOpen = true
    }

    init(_ descriptor: CInt, note: @escaping @Sendable (ServerRequest) -> Void) {
        self.descriptor = descriptor
        self.note = note
    }

    /// The next request with its body, or nil when the client closed the connection.
    package func readRequest() -> ServerRequest? {
        while true {
            if let request = state.withLock({ Self.cut(&$0.received) }) {
                note(request)
                return request
            }
            guard receive() else { return nil }
        }
    }

    /// Writes what the test says, as it is.
    @discardableResult
    package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes bytes; false when nobody takes them any more.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(
                    descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent,
                    CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Waits until the client closes the connection, and drops what it says till then.
    package func waitForEnd() {
        while receive() { state.withLock { $0.received = [] } }
    }

    /// Ends the connection with a reset instead of an end.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    package func close() {
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if wasOpen { Glibc.close(descriptor) }
    }

    private func receive() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        state.withLock { $0.received.append(contentsOf: chunk[..<count]) }
        return true
    }

    /// Takes one whole request off the front, if it is there.
    private static func cut(_ bytes: inout [UInt8]) -> ServerRequest? {
        let end: [UInt8] = [13, 10, 13, 10]
        guard
            let bodyStart = bytes.indices.first(where: { bytes[$0...].starts(with: end) })
                .map({ $0 + 4 })
        else { return nil }
        let lines = String(decoding: bytes[..<(bodyStart - 4)], as: UTF8.self)
            .split(separator: "\r\n").map(String.init)
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        let head = ServerRequest(
            method: words.first ?? "", target: words.count > 1 ? words[1] : "",
            lines: Array(lines.dropFirst()), body: "")
        let length = head.header("content-length").flatMap(Int.init) ?? 0
        guard bytes.count >= bodyStart + length else { return nil }
        let body = String(decoding: bytes[bodyStart..<bodyStart + length], as: UTF8.self)
        bytes.removeFirst(bodyStart + length)
        return ServerRequest(
            method: head.method, target: head.target, lines: head.lines, body: body)
    }
}

/// An answer as it stands on the wire.
package func answer(
    _ status: Int = 200, _ headers: [(String, String)] = [], body: String = ""
) -> String {
    let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
    return "HTTP/1.1 \(status) Said\r\nContent-Length: \(body.utf8.count)\r\n\(lines)\r\n\(body)"
}

/// A fact that one thread makes true and another waits for.
package final class Fact: Sendable {
    private let ends: (reader: CInt, writer: CInt)

    package init() {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let status = socketpair(AF_UNIX, kind, 0, &ends)
        precondition(status == 0, "a test has no descriptors: \(errno)")
        self.ends = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(ends.reader)
        Glibc.close(ends.writer)
    }

    /// It is so.
    package func comesTrue() { _ = Glibc.write(ends.writer, "x", 1) }

    /// Waits until it is so, and says whether it came to that; 30 seconds at most.
    package func isTrue() -> Bool {
        var poller = pollfd(fd: ends.reader, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, 30_000) == 1
    }
}
