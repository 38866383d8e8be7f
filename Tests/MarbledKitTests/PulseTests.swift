// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import Streams
import Testing

@Suite struct PulseTests {
    private struct State: Equatable {
        var count = 0
        @Pulse var message: String?
        @Pulse var list: [Int] = []
    }

    private final class Messages: Reactor {
        enum Action { case say(String?), count, append(Int) }
        let initialState = State()
        let core = ReactorCore()

        func reduce(state: State, mutation: Action) -> State {
            var state = state
            switch mutation {
            case .say(let message): state.message = message
            case .count: state.count += 1
            case .append(let number): state.list.append(number)
            }
            return state
        }
    }

    @Test func `setting counts, also to what it was; other changes of the state do not`() {
        let reactor = Messages()
        var seen: [String?] = []
        reactor.pulse(\.$message).subscribe(onNext: { seen.append($0) })
        for action in [Messages.Action.say("a"), .count, .say("a"), .append(1), .say(nil)] {
            reactor.action.onNext(action)
        }
        #expect(seen == [nil, "a", "a", nil])
    }

    @Test func `a change in place counts`() {
        let reactor = Messages()
        var seen: [[Int]] = []
        reactor.pulse(\.$list).subscribe(onNext: { seen.append($0) })
        reactor.action.onNext(.append(1))
        reactor.action.onNext(.count)
        reactor.action.onNext(.append(2))
        #expect(seen == [[], [1], [1, 2]])
    }

    @Test func `a state that was set to what it was is another state`() {
        var state = State()
        let before = state
        #expect(state == before)
        state.message = nil
        #expect(state != before)
        #expect(state.$message.settings == 1)
    }

    @Test func `a newcomer is given the newest`() {
        let reactor = Messages()
        reactor.action.onNext(.say("a"))
        reactor.action.onNext(.say("b"))
        var seen: [String?] = []
        reactor.pulse(\.$message).subscribe(onNext: { seen.append($0) })
        #expect(seen == ["b"])
    }
}
