// SPDX-License-Identifier: Apache-2.0

package import MarbledKit
package import Streams

/// A feed with tabs on a slow network: what is shown is of the tab that is selected, never of another.
///
///     select       1---------2-3-------     each page takes five ticks
///     result       -----1-----------3--     2 is overtaken, and its request cancelled, as 3 is selected
///     isLoading    t----f----t------f--
package final class TabFeed: Feature {
    package struct Input: Ports {
        @In("Selects a tab; the selected one again asks for it anew.")
        package var select: PublishRelay<Int>

        package init() {}
    }

    package struct Output: Ports {
        @Out("The selected tab; null before the first.")
        package var selected = BehaviorRelay<Int?>(value: nil)
        @Out("What the selected tab shows; nothing until its page is there.")
        package var items = BehaviorRelay<[String]>(value: [])
        @Out("Whether the page of the selected tab is on its way.")
        package var isLoading = BehaviorRelay(value: false)
        @Out("A page that came in time.") package var result: PublishRelay<Page>
        @Out("Why the page of the selected tab did not come.")
        package var error: PublishRelay<FeedError>

        package init() {}
    }

    package static let name = "tab-feed"
    package static let doc = "A feed with tabs that never shows the wrong one."
    package static let effects: [Effect] = [.http]

    private let pages: any PageSource
    private let bag = DisposeBag()

    /// A feed whose pages come from `pages`.
    package init(pages: any PageSource) {
        self.pages = pages
    }

    package convenience init(_ context: FeatureContext, options: Options) {
        self.init(pages: PageService(http: context.http, baseURL: options.baseURL))
    }

    package func transform(_ input: Input) -> Output {
        let output = Output()
        input.select.bind(to: output.selected).disposed(by: bag)

        // A failure is told and swallowed, so that the next tab is asked for all the same.
        let pages = pages
        input.select
            .flatMapLatest { tab in
                pages.page(ofTab: tab).asObservable()
                    .catch { failure in
                        output.error.accept(FeedError(failure))
                        return .empty()
                    }
            }
            .bind(to: output.result).disposed(by: bag)

        // These states are said again only when they change.
        Observable.merge(input.select.map { _ in [] }, output.result.map(\.items))
            .filter { $0 != output.items.value }
            .bind(to: output.items).disposed(by: bag)
        Observable.merge(
            input.select.map { _ in true }, output.result.map { _ in false },
            output.error.map { _ in false }
        )
        .filter { $0 != output.isLoading.value }
        .bind(to: output.isLoading).disposed(by: bag)
        return output
    }
}

extension TabFeed {
    /// What can be chosen when the feed is opened.
    package struct Options: FeatureOptions, Equatable {
        /// The service's address, without the path; it is asked for `/tabs/ID`.
        package var baseURL = "http://localhost:8080"

        package init() {}
    }
}
