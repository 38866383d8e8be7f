// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import Synchronization
import TestSupport
import Testing

/// A thousand feeds in one daemon, half in virtual and half in real time, while another instance has a
/// long way to go in virtual time.
@Suite("A crowd in one daemon")
struct CrowdTests {
    private static let count = 1_000

    /// One feed of the crowd: it selects tabs of its own.
    private struct Feed {
        let number: Int
        var name: String { "feed\(number)" }
        var isVirtual: Bool { number.isMultiple(of: 2) }

        /// The tabs it selects: 1 alone; 2, and 3 before 2 is there; 4 alone.
        var tabs: [Int] { (1...4).map { number * 10 + $0 } }
        /// When, in virtual time.
        var times: [Int] { [0, 100, 105, 200].map { $0 + number % 7 } }

        func page(_ tab: Int) -> JSONValue {
            ["id": .int(Int64(tab)), "items": [.string("\(tab) of \(name)")]]
        }

        var open: JSONValue {
            let stubs = tabs.map { tab -> JSONValue in
                [
                    "http": .string("GET */tabs/\(tab)"),
                    "reply": ["json": page(tab), "after": "50ms"],
                ]
            }
            return [
                "feature": "tab-feed", "name": .string(name),
                "clock": isVirtual ? "virtual" : "real", "stubs": .array(stubs),
            ]
        }

        func select(_ tab: Int, at time: Int? = nil) -> JSONValue {
            var call: JSONValue = [
                "instance": .string(name), "input": "select", "value": .int(Int64(tab)),
            ]
            if let time { call["at"] = .string("\(time)ms") }
            return call
        }
    }

    @Test func `a thousand feeds in one daemon do not see each other's delays`() throws {
        let daemon = try DaemonProcess(plugins: ["libTabFeed.so", "libFindNumber.so"])
        let client = try daemon.connect()
        let before = try client.call("daemon.status")["memory"]?.int ?? 0
        let feeds = (0..<Self.count).map(Feed.init)
        // Whom a subscription listens to.
        var names: [String: String] = [:]
        for feed in feeds {
            _ = try client.call("instance.open", feed.open)
            if !feed.isVirtual {
                let answer = try client.call(
                    "stream.subscribe", ["instance": .string(feed.name), "output": "result"])
                names[answer["subscription"]?.string ?? ""] = feed.name
            }
        }
        let traveller = try Traveller(daemon)
        for feed in feeds {
            for (tab, time) in zip(feed.tabs, feed.times) where feed.isVirtual {
                _ = try client.call("instance.send", feed.select(tab, at: time))
            }
        }
        // In real time two and three come in one piece; all feeds wait at the same time.
        var came: [String: [JSONValue]] = [:]
        for round in [[0], [1, 2], [3]] {
            let lines = feeds.filter { !$0.isVirtual }.map { feed in
                round.map { index -> String in
                    let call: JSONValue = [
                        "jsonrpc": "2.0", "method": "instance.send",
                        "params": feed.select(feed.tabs[index]),
                    ]
                    return call.text + "\n"
                }.joined()
            }
            client.send(raw: lines.joined().utf8)
            // The last selection of a round is always answered.
            var waiting = Set(feeds.filter { !$0.isVirtual }.map { $0.tabs[round.last ?? 0] })
            while !waiting.isEmpty {
                let note = try client.nextNotification()["params"]
                guard let page = note?["value"],
                    let name = names[note?["subscription"]?.string ?? ""]
                else { continue }
                came[name, default: []].append(page)
                waiting.remove(Int(page["id"]?.int ?? 0))
            }
        }
        for feed in feeds where feed.isVirtual {
            _ = try client.call("clock.advance", ["instance": .string(feed.name), "by": "1s"])
        }
        let progress = traveller.stop()
        #expect(progress.runs > 1 && progress.failure == nil, "\(progress)")

        for feed in feeds {
            if feed.isVirtual {
                #expect(try results(of: feed, client) == Self.expected(feed), "\(feed.name)")
            } else {
                // Which of two and three is overtaken is decided by the machine, never what is shown.
                let ids = came[feed.name]?.compactMap { $0["id"]?.int.map(Int.init) } ?? []
                #expect(ids == feed.tabs || ids == feed.tabs.filter { $0 != feed.tabs[1] })
                #expect(came[feed.name] == ids.map(feed.page), "\(feed.name)")
            }
        }
        #expect(try client.call("daemon.status")["instances"] == .int(Int64(Self.count + 1)))
        for feed in feeds {
            let left = try client.call("instance.close", ["instance": .string(feed.name)])
            #expect(left["openEffects"] == 0 && left["pendingTimers"] == 0, "\(left.text)")
        }
        let after = try client.call("daemon.status")
        #expect(after["instances"] == 1)
        // Far more than a feed needs, far less than a leak of everything would be.
        guard !Sanitizer.isOn else { return }
        #expect((after["memory"]?.int ?? .max) - before < 256 << 20)
    }

    /// What the results of a virtual feed must be, from the rule: each page is 50 late, 2 is overtaken.
    private static func expected(_ feed: Feed) -> [JSONValue] {
        [(0, 0), (2, 2), (3, 3)].map { tab, time in
            .array([.int(Int64(feed.times[time] + 50) * 1_000_000), feed.page(feed.tabs[tab])])
        }
    }

    private func results(of feed: Feed, _ client: WireClient) throws -> [JSONValue] {
        let record = try client.call("instance.record", ["instance": .string(feed.name)])
        return (record["events"]?.array ?? [])
            .filter { $0["kind"] == "output" && $0["port"] == "result" }
            .map { .array([$0["at"] ?? nil, $0["value"] ?? nil]) }
    }
}

/// A game that runs far ahead in virtual time, again and again, from a connection and a thread of its own.
private final class Traveller: Sendable {
    struct Progress {
        var runs = 0
        var failure: String?
    }

    /// Shared with the thread, which keeps nothing else.
    fileprivate final class Book: Sendable {
        let progress = Mutex(Progress())
        let end = Mutex(false)
    }

    private let book = Book()
    private let thread: pthread_t
    private static let steps = 2_000

    init(_ daemon: DaemonProcess) throws {
        final class Start {
            let book: Book
            let socket: String
            init(_ book: Book, _ socket: String) { (self.book, self.socket) = (book, socket) }
        }
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(book, daemon.socket)).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { data in
                guard let data else { return nil }
                let start = Unmanaged<Start>.fromOpaque(data).takeRetainedValue()
                do { try Traveller.travel(start.book, start.socket) } catch {
                    start.book.progress.withLock { $0.failure = "\(error)" }
                }
                return nil
            }, start)
        guard status == 0 else { throw Failure("no thread: \(status)") }
        self.thread = thread
    }

    /// Lets it finish the run it is in.
    func stop() -> Progress {
        book.end.withLock { $0 = true }
        pthread_join(thread, nil)
        return book.progress.withLock { $0 }
    }

    fileprivate static func travel(_ book: Book, _ socket: String) throws {
        let client = try WireClient(socket)
        _ = try client.call(
            "instance.open", ["feature": "find-number", "name": "traveller", "clock": "virtual"])
        var now: Int64 = 0
        repeat {
            for _ in 0..<steps {
                now += 1_000_000
                client.send(
                    line:
                        #"{"jsonrpc":"2.0","method":"instance.send","params":{"instance":"traveller","input":"resetStage","at":\#(now)}}"#
                )
            }
            let answer = try client.call("clock.run", ["instance": "traveller"])
            guard answer["now"]?.int == now else { throw Failure("not at \(now): \(answer.text)") }
            book.progress.withLock { $0.runs += 1 }
        } while !book.end.withLock({ $0 })
    }
}
