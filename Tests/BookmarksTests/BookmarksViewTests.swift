// SPDX-License-Identifier: Apache-2.0

import Bookmarks
import MarbledKit
import MarbledTesting
import Streams
import Testing

/// The two directions between a view and the reactor, with a stub in the place of the reactor's logic.
@Suite("bookmarks, under a view")
struct BookmarksViewTests {
    /// What a view holds: the ports.
    private struct View {
        let scheduler = TestScheduler()
        let door: StubDoor
        let reactor: Bookmarks
        let input = Bookmarks.Input()
        let output: Bookmarks.Output

        init() throws {
            door = StubDoor(on: scheduler)
            reactor = try Bookmarks(FeatureContext(door, on: scheduler), options: .init())
            reactor.stub.isEnabled = true
            output = reactor.transform(input)
        }
    }

    @Test func `view to reactor: every input sends its action, and nothing else happens`() throws {
        let view = try View()
        view.input.refresh.accept(())
        view.input.toggleBookmarked.accept(())
        view.input.refresh.accept(())
        view.scheduler.start()
        #expect(view.reactor.stub.actions == [.refresh, .toggleBookmarked, .refresh])
        #expect(view.reactor.currentState == Bookmarks.State())
        #expect(view.door.calls().isEmpty)
    }

    @Test func `reactor to view: every part of the state is shown, and only when it changes`()
        throws
    {
        let view = try View()
        let isLoading = view.scheduler.createObserver(Bool.self)
        let isBookmarked = view.scheduler.createObserver(Bool.self)
        let bookmarks = view.scheduler.createObserver([Bookmark].self)
        let error = view.scheduler.createObserver(BookmarksError.self)
        view.output.isLoading.drive(isLoading)
        view.output.isBookmarked.drive(isBookmarked)
        view.output.bookmarks.drive(bookmarks)
        view.output.error.emit(to: error)
        let one = Bookmark(title: "libuv", url: "https://libuv.org")
        let changes: [(inout Bookmarks.State) -> Void] = [
            { $0.isLoading = true },
            { $0.isBookmarked = true },
            { $0.bookmarks = [one] },
            { $0.error = .networkError },
            { $0.error = .networkError },
            { $0.error = nil },
            { $0.isLoading = false },
        ]
        for (index, change) in changes.enumerated() {
            view.scheduler.scheduleAt(index + 1) { change(&view.reactor.stub.state) }
        }
        view.scheduler.start()
        expectEvents(isLoading.events, [.next(0, false), .next(1, true), .next(7, false)])
        expectEvents(isBookmarked.events, [.next(0, false), .next(2, true)])
        expectEvents(bookmarks.events, [.next(0, []), .next(3, [one])])
        // The same error twice is told twice.
        expectEvents(error.events, [.next(4, .networkError), .next(5, .networkError)])
    }
}
