// SPDX-License-Identifier: Apache-2.0

internal import Streams

/// One search and its pages.
///
///     more     -m---m----m-     one that comes while a page is on its way is dropped
///     steps    a--1-a--2---     asking, found; after the last page nothing is asked
struct RepositorySearch {
    let api: GitHubAPI
    let perPage: Int

    /// What happens to a search.
    enum Step {
        case asking
        case found(SearchResults)
        case failed(GitHubError)

        var isAsking: Bool {
            if case .asking = self { true } else { false }
        }
        var results: SearchResults? {
            if case .found(let results) = self { results } else { nil }
        }
        var error: GitHubError? {
            if case .failed(let error) = self { error } else { nil }
        }
    }

    /// The words of what was typed, a space between each.
    static func keyword(typed text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Searches: the first page now, a further one for each `more`. A page that failed is asked for again.
    func steps(for keyword: String, more: Observable<Void>) -> Observable<Step> {
        // GitHub refuses a search for nothing.
        guard !keyword.isEmpty else { return .just(.found(.nothing)) }
        return .deferred {
            var results = SearchResults(perPage: perPage)
            return more.startWith(()).filter { !results.isComplete }.flatMapFirst {
                api.send(.search(keyword, page: results.nextPage, perPage: perPage))
                    .map { page in
                        results.append(page)
                        return Step.found(results)
                    }
                    .catch { .just(.failed(GitHubError($0))) }
                    .asObservable().startWith(.asking)
            }
        }
    }
}

/// What a search has found so far.
struct SearchResults: Equatable {
    /// GitHub shows no more of any search.
    private static let limit = 1_000

    let perPage: Int
    private(set) var items: [Repository] = []
    private(set) var totalCount = 0
    private(set) var nextPage = 1
    /// Whether there are no further pages.
    private(set) var isComplete = false

    /// Results that have no first page yet.
    init(perPage: Int) {
        self.perPage = perPage
    }

    /// What is found where nothing is searched for.
    static let nothing: SearchResults = {
        var results = SearchResults(perPage: 0)
        results.isComplete = true
        return results
    }()

    mutating func append(_ page: SearchPage) {
        items += page.items
        totalCount = page.totalCount
        nextPage += 1
        // Counted in pages, since GitHub may leave a repository out between two of them.
        let asked = (nextPage - 1) * perPage
        isComplete = page.items.isEmpty || asked >= min(totalCount, Self.limit)
    }
}
