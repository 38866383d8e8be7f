// SPDX-License-Identifier: Apache-2.0

package import MarbledKit
package import Streams

/// A page of bookmarks: a list that is fetched, and a flag that is kept.
///
///     refresh             -r----r--r------        every request takes three ticks
///     isLoading           ft--f-t-----f---        the one that is overtaken says nothing
///     bookmarks           a---b-------c---
///
///     toggleBookmarked    --t--t----------
///     isBookmarked        f-t--f----------
///
/// All that it does to the world is in `mutate`, and all that it shows follows from `reduce`.
package final class Bookmarks: Reactor {
    package enum Action: Equatable {
        /// Fetch the list; one that is being fetched is overtaken.
        case refresh
        /// Turn the flag over, and keep it.
        case toggleBookmarked
    }

    package enum Mutation: Equatable {
        case loading(Bool)
        case loaded([Bookmark])
        case bookmarked(Bool)
        case failed(BookmarksError)
    }

    package struct State: Equatable {
        package var isLoading = false
        package var isBookmarked = false
        package var bookmarks: [Bookmark] = []
        /// What went wrong last. The same thing again is told again.
        @Pulse package var error: BookmarksError?

        package init() {}
    }

    package let initialState = State()
    package let core = ReactorCore()
    private let service: BookmarkService
    private let flag: BookmarkedFlag

    package init(_ context: FeatureContext, options: Options) throws {
        try options.check()
        service = BookmarkService(http: context.http, url: options.url)
        flag = BookmarkedFlag(store: context.store)
    }

    package func mutate(action: Action) -> Observable<Mutation> {
        switch action {
        case .refresh:
            .concat(
                .just(.loading(true)),
                told(service.list().asObservable().map(Mutation.loaded)),
                .just(.loading(false))
            )
            .take(until: self.action.filter { $0 == .refresh })
        case .toggleBookmarked: turn(to: !currentState.isBookmarked)
        }
    }

    package func reduce(state: State, mutation: Mutation) -> State {
        var state = state
        switch mutation {
        case .loading(let isLoading): state.isLoading = isLoading
        case .loaded(let bookmarks): state.bookmarks = bookmarks
        case .bookmarked(let isBookmarked): state.isBookmarked = isBookmarked
        case .failed(let error): state.error = error
        }
        return state
    }

    /// Restores the flag, unless somebody turns it over before the store has answered.
    package func transform(mutation: Observable<Mutation>) -> Observable<Mutation> {
        let restored = told(
            flag.restore().asObservable().compactMap { $0 }.map(Mutation.bookmarked)
        )
        .take(until: action.filter { $0 == .toggleBookmarked })
        return .merge(mutation, restored)
    }

    /// Shows the flag at once and keeps it after. A store that fails costs the keeping, not the flag.
    private func turn(to isBookmarked: Bool) -> Observable<Mutation> {
        .concat(
            .just(.bookmarked(isBookmarked)),
            told(flag.keep(isBookmarked).andThen(.empty())))
    }

    /// A failure as a mutation.
    private func told(_ effect: Observable<Mutation>) -> Observable<Mutation> {
        effect.catch { error in
            guard let error = error as? BookmarksError else { throw error }
            return .just(.failed(error))
        }
    }
}
