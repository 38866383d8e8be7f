// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// One step of a reactor.
enum ReactorStep<Action, Mutation, State> {
    /// An action was sent.
    case hear(Action)
    /// An action came through its transform.
    case act(Action)
    /// A mutation came through its transform.
    case reduce(Mutation)
    /// The state is replaced from outside.
    case replace(State)
    /// A state came through its transform.
    case deliver(State)

    var stage: ReactorStage {
        switch self {
        case .hear: .hearing
        case .act: .acting
        case .reduce, .replace: .reducing
        case .deliver: .delivering
        }
    }
}

/// Where a reactor is on its way from an action to a state. Each stage may make steps of the later ones
/// at once; a step of its own stage or an earlier one waits.
enum ReactorStage: Int, Comparable {
    case idle, hearing, acting, reducing, delivering

    static func < (one: ReactorStage, other: ReactorStage) -> Bool {
        one.rawValue < other.rawValue
    }
}

/// Which step may run now, and which ones wait: the rule that steps are never nested.
///
///     at work on       may begin at once            waits
///     nothing          everything                   –
///     an action        its mutations, their states  actions
///     a mutation       its state                    actions, mutations
///     a state          –                            everything
///
/// What waits runs as soon as the reactor is back at a stage that may begin it: states first, actions
/// last, each kind in the order it came. Pure: it decides, the circuit acts.
struct ReactorSteps<Action, Mutation, State> {
    typealias Step = ReactorStep<Action, Mutation, State>

    /// What is at work.
    private(set) var stage = ReactorStage.idle
    /// How many steps that waited have run since the reactor was last idle.
    private(set) var caughtUp = 0
    /// While set nothing may begin: what waits is work of the timeline now.
    private(set) var isHalted = false
    /// What waits, kind by kind. Its bound is the circuit's: after a burst the timeline takes over, whose
    /// limit on microsteps names a reactor that feeds itself for ever.
    private var lanes = [Queue<Step>](
        repeating: Queue(), count: ReactorStage.delivering.rawValue + 1)

    /// Begins `step` and returns the stage to come back to, or puts it off and returns nil.
    mutating func begin(_ step: Step) -> ReactorStage? {
        guard step.stage > stage, !isHalted else {
            lanes[step.stage.rawValue].append(step)
            return nil
        }
        defer { stage = step.stage }
        return stage
    }

    /// Comes back to `outer` and begins the next step that waited for it, if there is one.
    mutating func comeBack(to outer: ReactorStage) -> Step? {
        stage = outer
        guard !isHalted else { return nil }
        for lane in lanes.indices.reversed() where lane > outer.rawValue {
            guard let step = lanes[lane].popFirst() else { continue }
            caughtUp += 1
            stage = step.stage
            return step
        }
        if outer == .idle { caughtUp = 0 }
        return nil
    }

    /// Lets nothing begin until `resume()`.
    mutating func halt() {
        isHalted = true
    }

    /// Lets steps begin again.
    mutating func resume() {
        isHalted = false
        caughtUp = 0
    }

    /// Forgets what waits beyond the actions that were sent.
    mutating func dropUnheard() {
        for lane in lanes.indices where lane > ReactorStage.hearing.rawValue {
            lanes[lane] = Queue()
        }
    }
}
