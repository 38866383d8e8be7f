// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Synchronization
import Testing

/// The text of every issue that `body` records; at least one is expected.
func issues(_ body: () throws -> Void) throws -> [String] {
    let issues = Mutex<[String]>([])
    try withKnownIssue {
        try body()
    } matching: { issue in
        let text = issue.error.map { "\($0)" } ?? issue.comments.map(\.rawValue).joined()
        issues.withLock { $0.append(text) }
        return true
    }
    return issues.withLock { $0 }
}

/// Something went wrong, on purpose.
struct Boom: Error, Equatable {}

/// A feature with a bit of everything: debounced lookups, a ticker, draws, the wall clock.
final class Desk: Feature {
    struct Input: Ports {
        @In("What was typed.") var text: PublishRelay<String>
        @In("Asks what time it is.") var clock: PublishRelay<Void>
    }
    struct Output: Ports {
        @Out("What was found.") var result: Driver<String>
        @Out("How often the ticker ticked.") var ticks: Signal<Int>
        @Out("The wall clock, in nanoseconds.") var wall: Signal<Int>
    }
    static let name = "desk"
    static let doc = "Looks words up, ticks, tells the time."
    static let effects: [Effect] = [.http, .wallClock]
    private let context: FeatureContext

    init(_ context: FeatureContext, options: NoOptions) { self.context = context }

    func transform(_ input: Input) -> Output {
        var output = Output()
        output.result = input.text.asObservable()
            .debounce(.milliseconds(5))
            .flatMapLatest { [context] in context.http.get("http://words/\($0)").asObservable() }
            .compactMap(\.body)
            .asDriver(onErrorJustReturn: "nothing")
        output.ticks = Observable<Int>.interval(.milliseconds(10)).take(3)
            .asSignal(onErrorSignalWith: .empty())
        output.wall = input.clock.asObservable()
            .flatMap { [context] _ in context.wallClock.now().asObservable() }
            .map { Int($0) }
            .asSignal(onErrorSignalWith: .empty())
        return output
    }
}
