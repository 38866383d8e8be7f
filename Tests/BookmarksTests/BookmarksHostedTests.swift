// SPDX-License-Identifier: Apache-2.0

import Bookmarks
import MarbledKit
import MarbledTesting
import Streams
import Testing

/// The reactor as the daemon hosts it: through the C table, values as JSON.
@Suite("bookmarks, hosted")
struct BookmarksHostedTests {
    private static let list = [Bookmark(title: "libuv", url: "https://libuv.org")]

    @Test func `toggleBookmarked twice, refresh once`() throws {
        let bookmarks = try Harness(
            Bookmarks.self, options: .with { $0.url = "https://bookmarks.example" },
            stubs: [.http("GET https://bookmarks.example", reply: .json(Self.list).after(50))])
        bookmarks.send("toggleBookmarked", at: 10)
        bookmarks.send("toggleBookmarked", at: 20)
        bookmarks.send("refresh", at: 100)
        bookmarks.advance(to: 1_000)
        expectEvents(
            bookmarks.events("isBookmarked", as: Bool.self),
            [.next(0, false), .next(10, true), .next(20, false)])
        expectEvents(
            bookmarks.events("isLoading", as: Bool.self),
            [.next(0, false), .next(100, true), .next(150, false)])
        expectEvents(
            bookmarks.events("bookmarks", as: [Bookmark].self),
            [.next(0, []), .next(150, Self.list)])
        #expect(bookmarks.times(of: "error") == [])
        #expect(bookmarks.calls(.store).count == 3)
        bookmarks.finish()
    }

    @Test func `an overtaken request is given up at the instant it is overtaken`() throws {
        let bookmarks = try Harness(
            Bookmarks.self, stubs: [.http(replies: [.never, .json(Self.list).after(50)])])
        bookmarks.send("refresh", at: 100)
        bookmarks.send("refresh", at: 120)
        bookmarks.advance(to: 1_000)
        expectEvents(
            bookmarks.events("isLoading", as: Bool.self),
            [.next(0, false), .next(100, true), .next(170, false)])
        // Strict: a request that was left open would fail here.
        bookmarks.finish()
    }

    @Test func `errors are told as their words`() throws {
        let bookmarks = try Harness(
            Bookmarks.self, stubs: [.http(replies: [.fail("refused"), .text("[")])])
        bookmarks.send("refresh", at: 1)
        bookmarks.send("refresh", at: 2)
        bookmarks.run()
        expectEvents(
            bookmarks.events("error", as: String.self),
            [.next(1, "networkError"), .next(2, "decodingError")])
        bookmarks.finish()
    }

    @Test(arguments: ["", "bookmarks", "ftp://bookmarks"])
    func `an address that cannot be asked is refused with a sentence`(_ url: String) {
        let error = #expect(throws: (any Error).self) {
            try Harness(Bookmarks.self, options: .with { $0.url = url })
        }
        #expect("\(error as Any)".contains("it must begin with http:// or https://"))
    }
}
