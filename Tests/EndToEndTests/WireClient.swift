// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import MarbledClient
import TestSupport
import Testing

/// A plain client: lines out, lines in. It knows nothing of marbled but the framing, and holds every message
/// that it reads as JSON against what `rpc.discover` says.
final class WireClient {
    private let descriptor: Int32
    private var received: [UInt8] = []
    private var nextID: Int64 = 1
    /// Notifications that came before the answers they were read with, in order.
    private(set) var notifications: [JSONValue] = []
    private var described = DescribedMessages(.ours)

    init(_ path: String) throws {
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            Glibc.close(descriptor)
            throw Failure("connect to \(path): \(errno)")
        }
    }

    /// Takes over a socket, from either side.
    init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        Glibc.close(descriptor)
    }

    /// Sends bytes as they are.
    func send(raw bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func send(line: String) {
        let bytes = Array(line.utf8) + [0x0A]
        described.take(.sent(client: "", bytes))
        send(raw: bytes)
    }

    /// Sends as many of the bytes as the daemon and the kernel take now, and says how many.
    func sendWhatFits(_ bytes: ArraySlice<UInt8>) -> Int {
        let count = bytes.withUnsafeBytes {
            Glibc.send(
                descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        return max(0, count)
    }

    /// Takes one byte of what has come, if there is one.
    func readByte() {
        var byte: UInt8 = 0
        if recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT)) == 1 { received.append(byte) }
    }

    /// Sends no more; what comes is still read.
    func endInput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next line, or nil when the daemon closed the connection.
    func line() throws -> String? {
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                let line = String(decoding: received[..<end], as: UTF8.self)
                received.removeFirst(end + 1)
                return line
            }
            guard Wait.readable(descriptor, seconds: 120) else { throw Failure("no line came") }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            received.append(contentsOf: chunk[..<count])
        }
    }

    /// The next line as JSON.
    func message() throws -> JSONValue {
        guard let line = try line() else { throw Failure("the daemon closed the connection") }
        let message = try JSONValue(parsing: line)
        described.take(.came(client: "", Array(line.utf8)))
        for complaint in described.takeComplaints() { Issue.record("\(complaint)") }
        return message
    }

    /// Calls a method and returns the whole answer; notifications before it are kept.
    func answer(_ method: String, _ params: JSONValue = .object([])) throws -> JSONValue {
        let id = nextID
        nextID += 1
        let request = JSONValue.object([
            ("jsonrpc", "2.0"), ("id", .int(id)), ("method", .string(method)), ("params", params),
        ])
        send(line: request.text)
        while true {
            let message = try message()
            if message["id"]?.int == id { return message }
            notifications.append(message)
        }
    }

    /// Calls a method that must succeed and returns its result.
    func call(_ method: String, _ params: JSONValue = .object([])) throws -> JSONValue {
        let answer = try answer(method, params)
        guard let result = answer["result"] else { throw Failure("\(method): \(answer.text)") }
        return result
    }

    /// Calls a method that must fail and returns the error's kind.
    func fault(_ method: String, _ params: JSONValue = .object([])) throws -> String {
        let answer = try answer(method, params)
        guard let kind = answer["error"]?["data"]?["kind"]?.string else {
            throw Failure("\(method) did not fail: \(answer.text)")
        }
        return kind
    }

    /// The oldest notification that was not taken yet; waits for one.
    func nextNotification() throws -> JSONValue {
        notifications.isEmpty ? try message() : notifications.removeFirst()
    }

    func takeNotifications() -> [JSONValue] {
        defer { notifications = [] }
        return notifications
    }
}
