// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// A function that stands in for another in a test: what the five doubles have in common.
///
/// | double | does | for a port that the test |
/// |---|---|---|
/// | `Dummy` | fails the test when called | hands over and never uses |
/// | `Stub` | gives the answers it was told | needs answers from |
/// | `Spy` | does the real thing, or nothing, and writes down who called when | looks at afterwards |
/// | `Fake` | works, in a simpler way, in memory | needs behaviour from |
/// | `Mock` | is told beforehand which calls come, in which order, and fails otherwise | is about |
///
/// A double is called like a function and handed over as one; ports are plain closures, or a protocol
/// whose test implementation has a double per method:
///
/// ```swift
/// let show = Spy<[Mate], Void>("show", on: scheduler)
/// let presenter = MateListPresenter(show: show.function)      // a struct of closures
///
/// struct PresenterDouble: MateListPresenting {                // a protocol
///     let show: Spy<[Mate], Void>
///     func show(_ mates: [Mate]) { show(mates) }
/// }
/// ```
///
/// Several arguments are a tuple: `Spy<(String, Int), Void>` is called `spy("a", 1)`. A port that throws
/// has `Result` for its output: `try stub("u1").get()`. Loop-confined.
public protocol TestDouble<Arguments, Output> {
    /// What it is called with; a tuple for several.
    associatedtype Arguments
    /// What it returns.
    associatedtype Output

    /// Its name in failures.
    var name: String { get }

    /// Calls it.
    func call(_ arguments: Arguments) -> Output
}

extension TestDouble {
    /// It as a plain function, to be handed over.
    public var function: (Arguments) -> Output { call }

    /// Calls it like a function.
    @discardableResult
    public func callAsFunction<each Argument>(
        _ argument: repeat each Argument
    ) -> Output where Arguments == (repeat each Argument) {
        call((repeat each argument))
    }
}

/// What tells a double the time: the test's timeline, else whichever runs the call.
struct DoubleClock {
    let timeline: VirtualTimeScheduler?

    init(_ scheduler: TestScheduler?) {
        timeline = scheduler?.timeline
    }

    /// The tick of this call; on a timeline that knows no ticks, its milliseconds.
    var tick: Int {
        if let timeline { return timeline.tickNow }
        guard let scheduler = CurrentScheduler.scheduler else { return 0 }
        if let timeline = scheduler as? VirtualTimeScheduler { return timeline.tickNow }
        return Int(scheduler.now.nanoseconds / 1_000_000)
    }
}

/// A double that can tell which of its answers nobody asked for.
protocol UnusedDouble: AnyObject {
    var name: String { get }
    var unusedAnswers: [String] { get }
}
