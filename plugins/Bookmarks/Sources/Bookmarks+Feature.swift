// SPDX-License-Identifier: Apache-2.0

package import MarbledKit
package import Streams

/// The reactor seen from outside: an input per action, an output per part of the state.
extension Bookmarks: Feature {
    package struct Input: Ports {
        @In("Fetches the list; a fetch that runs is overtaken.")
        package var refresh: PublishRelay<Void>
        @In("Turns the flag over and keeps it.")
        package var toggleBookmarked: PublishRelay<Void>

        package init() {}
    }

    package struct Output: Ports {
        @Out("Whether the list is being fetched.") package var isLoading: Driver<Bool>
        @Out("Whether the page is bookmarked.") package var isBookmarked: Driver<Bool>
        @Out("The list as it was fetched last.") package var bookmarks: Driver<[Bookmark]>
        @Out("What went wrong; the feature goes on.") package var error: Signal<BookmarksError>

        package init() {}
    }

    package static let name = "bookmarks"
    package static let doc = "Bookmarks: a list that is fetched, a flag that is kept."
    package static let effects: [Effect] = [.http, .store]

    package func transform(_ input: Input) -> Output {
        connect(input.refresh, to: .refresh)
        connect(input.toggleBookmarked, to: .toggleBookmarked)

        var output = Output()
        output.isLoading = driver(\.isLoading)
        output.isBookmarked = driver(\.isBookmarked)
        output.bookmarks = driver(\.bookmarks)
        output.error = signal(\.$error)
        return output
    }
}
