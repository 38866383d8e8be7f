// SPDX-License-Identifier: Apache-2.0

package import MarbledKit
package import Streams

/// A search for repositories, with pages, stars and a sign-in.
///
///     search          a-b-c------------d------     keystrokes; the debounce is five ticks
///     request         ---------1----2-------1-     once the typing rests; and for each further page
///     repositories    ------------1----2------
///     loadMore        --------------m---------
///
/// Every request runs through `GitHubAPI`, which sends it again after a failure that may pass, and waits
/// where GitHub says so.
package final class GitHubSearch: Feature {
    package struct Input: Ports {
        @In("The words in the search field, at each keystroke.")
        package var search: PublishRelay<String>
        @In("Asks for the next page; again for this one, if it failed.")
        package var loadMore: PublishRelay<Void>
        @In("Signs in with the code that GitHub gave for this user.")
        package var signIn: PublishRelay<String>
        @In("Asks who is signed in.") package var requestUser: PublishRelay<Void>
        @In("Asks for a page of the repositories the user starred, counted from 1.")
        package var requestStarred: PublishRelay<Int>
        @In("Stars a repository, by its full name: owner/name.")
        package var star: PublishRelay<String>
        @In("Takes a star back.") package var unstar: PublishRelay<String>

        package init() {}
    }

    package struct Output: Ports {
        @Out("What was found so far, page after page.")
        package var repositories = BehaviorRelay<[Repository]>(value: [])
        @Out("How many there are on GitHub.") package var totalCount = BehaviorRelay(value: 0)
        @Out("Whether there are no further pages.")
        package var isComplete = BehaviorRelay(value: true)
        @Out("Whether a page of the search is on its way.")
        package var isLoading = BehaviorRelay(value: false)
        @Out("Whether somebody is signed in.")
        package var isSignedIn = BehaviorRelay(value: false)
        @Out("Who is signed in.") package var user = BehaviorRelay<User?>(value: nil)
        @Out("The page of starred repositories that was asked for.")
        package var starred = BehaviorRelay<[Repository]>(value: [])
        @Out("A star that was given or taken back.")
        package var starChanged: PublishRelay<StarChange>
        @Out("What went wrong, or why it takes longer; everything goes on.")
        package var error: PublishRelay<GitHubError>

        package init() {}
    }

    package static let name = "github-search"
    package static let doc = "Searches repositories on GitHub, with stars and a sign-in."
    package static let effects: [Effect] = [.http, .random, .wallClock]

    /// Stars that may be on their way or wait for their turn: more than a hand gives, fewer than a loop.
    static let wishLimit = 100

    private let api: GitHubAPI
    private let options: Options
    private let bag = DisposeBag()

    package init(_ context: FeatureContext, options: Options) throws {
        try options.check()
        self.options = options
        api = GitHubAPI(context, options: options, transport: context.http.send)
    }

    package func transform(_ input: Input) -> Output {
        let output = Output()
        connectSearch(input, output)
        connectAccount(input, output)
        connectStars(input, output)
        api.delays.bind(to: output.error).disposed(by: bag)
        return output
    }

    private func connectSearch(_ input: Input, _ output: Output) {
        let search = RepositorySearch(api: api, perPage: options.perPage)
        let steps = input.search.debounce(.milliseconds(options.debounce))
            .map(RepositorySearch.keyword(typed:))
            .distinctUntilChanged()
            .flatMapLatest { search.steps(for: $0, more: input.loadMore.asObservable()) }
            .share()
        let results = steps.compactMap(\.results).share()
        results.map(\.items).bind(to: output.repositories).disposed(by: bag)
        results.map(\.totalCount).bind(to: output.totalCount).disposed(by: bag)
        results.map(\.isComplete).bind(to: output.isComplete).disposed(by: bag)
        steps.map(\.isAsking).filter { $0 != output.isLoading.value }
            .bind(to: output.isLoading).disposed(by: bag)
        steps.compactMap(\.error).bind(to: output.error).disposed(by: bag)
    }

    private func connectAccount(_ input: Input, _ output: Output) {
        let api = api
        let perPage = options.perPage
        input.signIn.flatMapLatest { Self.answer(api.signIn(code: $0), else: output.error) }
            .map { true }
            .bind(to: output.isSignedIn).disposed(by: bag)
        input.requestUser.flatMapLatest { Self.answer(api.send(.user), else: output.error) }
            .bind(to: output.user).disposed(by: bag)
        input.requestStarred
            .flatMapLatest {
                Self.answer(api.send(.starred(page: $0, perPage: perPage)), else: output.error)
            }
            .bind(to: output.starred).disposed(by: bag)
    }

    /// One after the other, in the order of the wishes: of a star that is given and taken back at once, the
    /// taking back counts. A wish beyond `wishLimit` is refused as `busy`.
    private func connectStars(_ input: Input, _ output: Output) {
        let api = api
        var openWishes = 0
        Observable.merge(
            input.star.map { StarChange(repository: $0, isStarred: true) },
            input.unstar.map { StarChange(repository: $0, isStarred: false) }
        )
        .filter { change in
            guard openWishes < Self.wishLimit else {
                output.error.accept(GitHubError(.busy, detail: change.repository))
                return false
            }
            openWishes += 1
            return true
        }
        .concatMap { change in
            Self.answer(
                Single<Void>.deferred { api.send(try .setStar(change)) }.map { change },
                else: output.error
            )
            .do(onCompleted: { openWishes -= 1 })
        }
        .bind(to: output.starChanged).disposed(by: bag)
    }

    /// A failure is told and swallowed, so that the next wish is heard all the same.
    private static func answer<Answer>(
        _ answer: Single<Answer>, else error: PublishRelay<GitHubError>
    ) -> Observable<Answer> {
        answer.asObservable().catch { failure in
            error.accept(GitHubError(failure))
            return .empty()
        }
    }
}
