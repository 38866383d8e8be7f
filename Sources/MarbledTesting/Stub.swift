// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Gives the answers it was told: one for every call, by rule, or a list, one after the other.
///
/// ```swift
/// let mates = Stub<String, Single<[Mate]>>("mates")
///     .when("the owner", { $0 == "u1" }, .just([ann, ben]))
///     .otherwise(.just([]))
/// ```
///
/// The first rule that matches and is not used up answers. A call that no rule answers fails the test;
/// then it returns the last rule's answer, having nothing better. A rule that answered nothing fails
/// `TestScheduler.finish()`, for a stub made `on:` one.
///
/// For the effects of a feature there is `StubRule`.
public final class Stub<Arguments, Output>: TestDouble {
    private struct Rule {
        let text: String
        let matches: (Arguments) -> Bool
        let answers: [() -> Output]
        /// A list is used up; a single answer is not.
        let isSequence: Bool
        var uses = 0

        var isUsedUp: Bool { isSequence && uses >= answers.count }
        /// The next answer; the last again when all were given.
        var next: () -> Output { answers[isSequence ? min(uses, answers.count - 1) : 0] }
    }

    public let name: String
    private let clock: DoubleClock
    private let sourceLocation: SourceLocation
    private var rules: [Rule] = []

    /// A stub without rules.
    public init(
        _ name: String, on scheduler: TestScheduler? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.name = name
        self.sourceLocation = sourceLocation
        clock = DoubleClock(scheduler)
        scheduler?.book.add(self)
    }

    /// A stub that answers every call with `answer`.
    public convenience init(
        _ name: String, returning answer: @autoclosure @escaping () -> Output,
        on scheduler: TestScheduler? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.init(name, on: scheduler, sourceLocation: sourceLocation)
        rules = [Rule(text: "any", matches: { _ in true }, answers: [answer], isSequence: false)]
    }

    /// A stub that gives `answers`, one after the other; one call more fails the test.
    public convenience init(
        _ name: String, sequence answers: [Output], on scheduler: TestScheduler? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        precondition(!answers.isEmpty, "the stub \(name) needs an answer")
        self.init(name, on: scheduler, sourceLocation: sourceLocation)
        rules = [
            Rule(
                text: "a list", matches: { _ in true },
                answers: answers.map { answer in { answer } },
                isSequence: true)
        ]
    }

    /// Answers calls that `matches` holds for; `text` says in words which those are.
    @discardableResult
    public func when(
        _ text: String, _ matches: @escaping (Arguments) -> Bool,
        _ answer: @autoclosure @escaping () -> Output
    ) -> Self {
        rules.append(Rule(text: text, matches: matches, answers: [answer], isSequence: false))
        return self
    }

    /// Answers what no rule before answers.
    @discardableResult
    public func otherwise(_ answer: @autoclosure @escaping () -> Output) -> Self {
        when("otherwise", { _ in true }, answer())
    }

    public func call(_ arguments: Arguments) -> Output {
        let match = rules.indices.first { !rules[$0].isUsedUp && rules[$0].matches(arguments) }
        guard let match else {
            TestFailure.report(
                "the stub \(name) has no answer for \(arguments) at tick \(clock.tick)",
                sourceLocation)
            guard let last = rules.last else {
                preconditionFailure("the stub \(name) was called and has no rule at all")
            }
            return last.next()
        }
        // Counted before it answers: an answer may call again.
        let answer = rules[match].next
        rules[match].uses += 1
        return answer()
    }
}

extension Stub where Arguments: Equatable {
    /// Answers calls with exactly these arguments.
    @discardableResult
    public func when(
        _ arguments: Arguments, _ answer: @autoclosure @escaping () -> Output
    ) -> Self {
        when("\(arguments)", { $0 == arguments }, answer())
    }
}

extension Stub: UnusedDouble {
    var unusedAnswers: [String] {
        rules.compactMap { rule in
            if rule.uses == 0 { return "\(name): the rule for \(rule.text)" }
            let left = rule.answers.count - rule.uses
            return rule.isSequence && left > 0
                ? "\(name): \(left) of \(rule.answers.count) answers" : nil
        }
    }
}
