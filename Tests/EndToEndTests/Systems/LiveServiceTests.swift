// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import JSONRPC
import LoopbackServer
import MarbledTesting
import Scheduling
import Streams
import TestSupport
import Testing

/// The game's service as it is in the world: a daemon asks it in real time, and the test waits.
@Suite("find-number, live")
struct LiveServiceTests {
    private static let service = "www.randomnumberapi.com"

    @Test(
        .enabled(
            if: canReach(service),
            "http://www.randomnumberapi.com cannot be reached from this machine"))
    func `the service on the network answers with status 200 within three seconds`() throws {
        let status = Self.status(from: "http://\(Self.service)")
        #expect(try status.toBlocking(timeout: .seconds(3)).first() == 200)
    }

    @Test(arguments: [200, 503])
    func `the status that a service on this machine answers is waited for and read`(
        _ code: Int
    ) throws {
        let server = try LoopbackServer.answering { _ in answer(code, body: "[2]") }
        let status = Self.status(from: "http://127.0.0.1:\(server.port)")
        #expect(try status.toBlocking(timeout: .seconds(30)).first() == code)
        #expect(server.requests.map(\.target) == ["/api/v1.0/random?min=1&max=3&count=1"])
    }

    @Test func `what cannot be reached is seen to be so`() throws {
        #expect(!canReach("name.invalid"))
        try LoopbackServer.withRefusingPort { port in
            #expect(!canReach("127.0.0.1", port: "\(port)"))
        }
        let server = try LoopbackServer.answering { _ in answer() }
        #expect(canReach("127.0.0.1", port: "\(server.port)"))
    }

    /// The status that the service answers to a game that starts.
    private static func status(from baseURL: String) -> Observable<Int> {
        .create { observer in
            let mailbox = (CurrentScheduler.scheduler as? BlockingScheduler)?.mailbox
            // Safety: used on the thread of the read alone.
            nonisolated(unsafe) let observer = observer
            DispatchQueue.global().async {
                let asked = Result { try ask(baseURL) }
                mailbox?.send {
                    switch asked {
                    case .success(let status): observer.onNext(status)
                    case .failure(let error): observer.onError(error)
                    }
                }
            }
            return Disposables.create()
        }
    }

    private static func ask(_ baseURL: String) throws -> Int {
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        _ = try client.call(
            "instance.open",
            [
                "feature": "find-number", "name": "live", "clock": "real",
                "options": ["source": "http", "baseURL": .string(baseURL)],
            ])
        for output in ["target", "error"] {
            _ = try client.call(
                "stream.subscribe", ["instance": "live", "output": .string(output)])
        }
        _ = try client.call("instance.send", ["instance": "live", "input": "gameStart"])
        while true {
            let record = try client.call("instance.record", ["instance": "live"])
            let said = record["events"]?.array?.last {
                $0["kind"] == "answer" && $0["port"] == "http"
            }
            if let value = said?["value"] {
                guard let status = value["status"]?.int else { throw Failure(value.text) }
                return Int(status)
            }
            // Something is said when the answer is there, and not before.
            _ = try client.message()
        }
    }
}

/// Whether somebody takes connections there, as far as a second tells.
private func canReach(_ host: String, port: String = "80") -> Bool {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, port, &hints, &list) == 0 else { return false }
    defer { freeaddrinfo(list) }
    var next = list
    while let address = next?.pointee {
        next = address.ai_next
        let kind = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, kind, 0)
        guard descriptor >= 0 else { continue }
        defer { close(descriptor) }
        if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return true }
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard errno == EINPROGRESS, poll(&poller, 1, 1_000) == 1 else { continue }
        var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
        if error == 0 { return true }
    }
    return false
}
