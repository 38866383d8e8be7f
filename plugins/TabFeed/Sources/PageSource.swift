// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit
package import Streams

/// Where the pages of tabs come from.
package protocol PageSource {
    /// One page; disposing gives the request up.
    func page(ofTab tab: Int) -> Single<Page>
}

/// Asks a service over HTTP.
struct PageService: PageSource {
    let http: HTTPEffect
    let baseURL: String

    func page(ofTab tab: Int) -> Single<Page> {
        http.get("\(baseURL)/tabs/\(tab)").map { response in
            guard response.isSuccess else { throw FeedError.networkError }
            guard let page = try? response.json(as: Page.self), page.id == tab else {
                throw FeedError.decodingError
            }
            return page
        }
    }
}
