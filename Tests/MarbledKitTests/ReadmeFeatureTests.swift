// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Streams
import Testing

/// The feature that README shows, as it stands there.
private final class Search: Feature {
    struct Input: Ports { @In("What was typed.") var text: PublishRelay<String> }
    struct Output: Ports { @Out("What was found.") var result: Driver<String> }
    static let name = "search"
    static let doc = "Looks words up."
    static let effects: [Effect] = [.http]
    private let http: HTTPEffect

    init(_ context: FeatureContext, options: NoOptions) { http = context.http }

    func transform(_ input: Input) -> Output {
        var output = Output()
        output.result = input.text.asObservable()
            .debounce(.milliseconds(300))  // the instance's own timeline
            .flatMapLatest { [http] in http.get("http://words.example/\($0)").asObservable() }
            .compactMap(\.body)
            .asDriver(onErrorJustReturn: "nothing")
        return output
    }
}

@Suite("README's feature")
struct ReadmeFeatureTests {
    @Test func `only what was typed last is looked up`() throws {
        let search = try Harness(Search.self, stubs: [.http(reply: .text("found").after(50))])
        search.send("text", "ma", at: 0)
        search.send("text", "marble", at: 100)
        search.advance(to: 1_000)
        expectEvents(search.events("result", as: String.self), [.next(450, "found")])
    }
}
