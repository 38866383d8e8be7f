// SPDX-License-Identifier: Apache-2.0

internal import Testing

/// What is left over when a test ends; every kind that is not allowed fails it, one issue per kind.
struct EndOfTest {
    var unusedStubs: [String] = []
    var openEffects: [String] = []
    var unstubbedEffects: [String] = []
    var pendingTimers: [String] = []

    func report(allowing allowed: Set<Leftover>, _ sourceLocation: SourceLocation) {
        for leftover in Leftover.allCases where !allowed.contains(leftover) {
            let (what, items) = sentence(leftover)
            guard !items.isEmpty else { continue }
            let list = items.prefix(16).map { "\n  \($0)" }.joined()
            let text = "\(what):\(list)\nallow it with finish(allowing: [.\(leftover.rawValue)])"
            TestFailure.report(text, sourceLocation)
        }
    }

    private func sentence(_ leftover: Leftover) -> (what: String, items: [String]) {
        switch leftover {
        case .unusedStubs: ("stubs answered nothing", unusedStubs)
        case .openEffects: ("effects have had no answer", openEffects)
        case .unstubbedEffects: ("no stub answered", unstubbedEffects)
        case .pendingTimers: ("work still waits", pendingTimers)
        }
    }
}
