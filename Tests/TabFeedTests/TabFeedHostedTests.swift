// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Streams
import TabFeed
import Testing

/// The feed as the daemon hosts it: through the C table, pages over HTTP.
@Suite("tab-feed, hosted")
struct TabFeedHostedTests {
    @Test(arguments: ScenarioFile.all(in: "../../plugins/TabFeed/scenarios"))
    func `a scenario passes`(_ file: ScenarioFile) {
        file.run(TabFeed.self)
    }

    @Test func `the request names the service and the tab`() throws {
        let feed = try Harness(
            TabFeed.self, options: .with { $0.baseURL = "http://feed.example/v1" },
            stubs: [.http(reply: .json(Page(id: 7, items: [])))])
        feed.send("select", 7, at: 3)
        feed.advance(to: 10)
        let request = try #require(feed.calls(.http).first).request(as: HTTPRequest.self)
        #expect(request == HTTPRequest(method: "GET", url: "http://feed.example/v1/tabs/7"))
        expectEvents(
            feed.events("result", as: Page.self), [.next(3, Page(id: 7, items: []))])
        feed.finish()
    }

    @Test func `a request that is overtaken is cancelled at that very instant`() throws {
        let feed = try Harness(TabFeed.self, stubs: [.http(reply: .never)])
        for (time, tab) in [(0, 1), (5, 2), (10, 3)] { feed.send("select", tab, at: time) }
        feed.advance(to: 1_000)
        #expect(feed.calls(.http).map(\.time) == [0, 5, 10])
        #expect(
            feed.record.filter { $0.contains(" cancel ") } == [
                #"5 cancel http {"method":"GET","url":"http://localhost:8080/tabs/1"}"#,
                #"10 cancel http {"method":"GET","url":"http://localhost:8080/tabs/2"}"#,
            ])
        withKnownIssue {
            feed.finish()
        } matching: { issue in
            // One is open, the newest: the two before were given up.
            let text = issue.comments.map(\.rawValue).joined()
            return text.contains("/tabs/3") && !text.contains("/tabs/1")
                && !text.contains("/tabs/2")
        }
    }
}
