// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 109 and 110: what a reactor does when several things happen at once.
@Suite struct ReactorConformanceTests {
    /// Counts ticks between `start` and `stop`.
    private final class Stopwatch: Reactor {
        enum Action { case start, stop }
        let initialState = 0
        let core = ReactorCore()

        func mutate(action: Action) -> Observable<Int> {
            switch action {
            case .start:
                Observable<Int>.interval(.milliseconds(1)).map { _ in 1 }
                    .take(until: self.action.filter { $0 == .stop })
            case .stop: .empty()
            }
        }

        func reduce(state: Int, mutation: Int) -> Int { state + mutation }
    }

    @Test(arguments: Profile.allCases)
    func `row 109 cancel: a stop beats the tick that is due at its instant`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        let stopwatch = Stopwatch()
        let inputs = scheduler.createHotObservable([
            .next(1, Stopwatch.Action.start), .next(5, .stop), .next(6, .start), .next(9, .stop),
        ])
        inputs.bind(to: stopwatch.action)
        let observer = scheduler.start(created: 0, subscribed: 0) { stopwatch.state }
        expectEvents(
            observer.events,
            [.next(0, 0), .next(2, 1), .next(3, 2), .next(4, 3), .next(7, 4), .next(8, 5)])
        #expect(scheduler.timeline.pendingCount == 0)
    }

    /// Writes down when an action begins and when it is done.
    private final class Diary: Reactor {
        enum Action: String { case a, b }
        typealias Mutation = String
        let initialState: [String] = []
        let core = ReactorCore()
        var onReduce: ((String) -> Void)?

        func mutate(action: Action) -> Observable<String> {
            .of("begin \(action)", "end \(action)")
        }

        func reduce(state: [String], mutation: String) -> [String] {
            onReduce?(mutation)
            return state + [mutation]
        }
    }

    private let inOrder = ["begin a", "end a", "begin b", "end b"]

    @Test func `row 110 an action sent by an observer of the state waits for the one that runs`() {
        let diary = Diary()
        var seen: [Int] = []
        diary.state.subscribe(onNext: { state in
            seen.append(state.count)
            if state.last == "begin a" { diary.action.onNext(.b) }
        })
        diary.action.onNext(.a)
        #expect(diary.currentState == inOrder)
        #expect(seen == [0, 1, 2, 3, 4])
    }

    @Test func `row 110 an action sent by reduce does not recurse`() {
        let diary = Diary()
        diary.onReduce = { [unowned diary] mutation in
            if mutation == "begin a" { diary.action.onNext(.b) }
        }
        diary.action.onNext(.a)
        #expect(diary.currentState == inOrder)
    }

    /// What is on the screen.
    private final class Route: Reactor {
        enum Action { case dismiss, present(String) }
        let initialState: String? = "first"
        let core = ReactorCore()

        func reduce(state: String?, mutation: Action) -> String? {
            switch mutation {
            case .dismiss: nil
            case .present(let screen): screen
            }
        }
    }

    @Test func `row 110 who sees a screen go can ask for the next one`() {
        let route = Route()
        var seen: [String?] = []
        route.state.subscribe(onNext: { screen in
            seen.append(screen)
            if screen == nil { route.action.onNext(.present("next")) }
        })
        route.action.onNext(.dismiss)
        #expect(route.currentState == "next")
        #expect(seen == ["first", nil, "next"])
    }
}
