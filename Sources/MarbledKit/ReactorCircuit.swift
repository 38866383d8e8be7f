// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
internal import Streams

/// The streams of one reactor.
///
///     action → transform → mutate → transform → reduce → transform → state
///
/// The reactor owns it through its core, and it knows the reactor weakly; with the reactor everything
/// that runs is given up. Loop-confined.
final class ReactorCircuit<Action, Mutation, State>: ReactorStreams {
    typealias Step = ReactorStep<Action, Mutation, State>

    /// The streams between the steps, while the reactor's own logic runs.
    private struct Wiring {
        let heard = PublishSubject<Action>()
        let acted = PublishSubject<Action>()
        let mutated = PublishSubject<Mutation>()
        let reduced: BehaviorSubject<State>
        let connections = CompositeDisposable()
    }

    /// Whose streams these are.
    let owner: ObjectIdentifier
    let action = ReactorInput<Action>(place: "a stream bound to a reactor's action")
    let mutation = ReactorInput<Mutation>(place: "a stream bound to a reactor's mutation")
    /// The states that the world sees.
    let states: BehaviorRelay<State>
    /// Ended with the reactor.
    let bag = DisposeBag()

    private let reduce: (State, Mutation) -> State
    private var connect: () -> Void = {}
    private var wiring: Wiring?
    /// The state as `reduce` knows it: before `transform(state:)`.
    private var accumulated: State
    private var steps = ReactorSteps<Action, Mutation, State>()
    /// The actions that were sent while the stub was on. Bounded by what the test sends.
    private(set) var stubbedActions: [Action] = []

    private static var burst: Int { 1_000 }
    /// Without a timeline there is nobody to name the loop, so it stops here with a sentence.
    private static var limit: Int { 1_000_000 }

    /// The streams of `reactor`, at rest.
    init<R: Reactor>(_ reactor: R)
    where R.Action == Action, R.Mutation == Mutation, R.State == State {
        owner = ObjectIdentifier(reactor)
        accumulated = reactor.initialState
        states = BehaviorRelay(value: accumulated)
        reduce = { [weak reactor] state, mutation in
            reactor?.reduce(state: state, mutation: mutation) ?? state
        }
        connect = { [weak self, weak reactor] in
            if let self, let reactor { wire(reactor) }
        }
        action.accept = { [weak self] in self?.take(.hear($0)) }
        mutation.accept = { [weak self] in self?.take(.reduce($0)) }
    }

    deinit {
        wiring?.connections.dispose()
    }

    /// This circuit, with the reactor's logic at work unless a stub stands in for it.
    var running: ReactorCircuit {
        if wiring == nil, !isStubbed { connect() }
        return self
    }

    func stop() {
        connect = {}
        wiring?.connections.dispose()
        wiring = nil
    }

    // MARK: Verbs of the stub

    /// Whether the reactor's own logic is taken out.
    var isStubbed = false {
        didSet {
            guard isStubbed != oldValue else { return }
            wiring?.connections.dispose()
            wiring = nil
            steps.dropUnheard()
            if !isStubbed { connect() }
        }
    }

    /// Replaces the state; what follows goes on from it.
    func replace(_ state: State) {
        take(.replace(state))
    }

    // MARK: Wiring

    /// Connects the stages from the last to the first, so that none says something to nobody.
    private func wire<R: Reactor>(_ reactor: R)
    where R.Action == Action, R.Mutation == Mutation, R.State == State {
        let wiring = Wiring(reduced: BehaviorSubject(value: accumulated))
        // In place before a transform can look at the reactor.
        self.wiring = wiring
        join(
            reactor.transform(state: wiring.reduced.asObservable()), to: wiring,
            "a reactor's transform(state:)", as: Step.deliver)
        join(
            reactor.transform(mutation: wiring.mutated.asObservable()), to: wiring,
            "a reactor's transform(mutation:)", as: Step.reduce)
        let mutations = wiring.acted.flatMap { [weak reactor] action in
            (reactor?.mutate(action: action) ?? .empty()).catch { error in
                Self.tell(error, "a reactor's mutate")
                return .empty()
            }
        }
        wiring.connections.insert(mutations.subscribe(wiring.mutated))
        join(
            reactor.transform(action: wiring.heard.asObservable()), to: wiring,
            "a reactor's transform(action:)", as: Step.act)
    }

    /// Makes a step of everything that `stream` says.
    private func join<Element>(
        _ stream: Observable<Element>, to wiring: Wiring, _ place: StaticString,
        as step: @escaping (Element) -> Step
    ) {
        wiring.connections.insert(
            stream.subscribe(
                onNext: { [weak self] in self?.take(step($0)) },
                onError: { Self.tell($0, place) }))
    }

    private static func tell(_ error: any Error, _ place: StaticString) {
        CurrentScheduler.scheduler?.unhandledError(error, place: place)
    }

    // MARK: Steps

    /// Takes `step` now, or when its turn has come, and then what it made wait.
    private func take(_ step: Step) {
        guard let outer = steps.begin(step) else { return }
        perform(step)
        catchUp(to: outer)
    }

    private func catchUp(to outer: ReactorStage) {
        while let step = steps.comeBack(to: outer) {
            perform(step)
            guard steps.caughtUp >= Self.burst, !steps.isHalted else { continue }
            if let scheduler = CurrentScheduler.scheduler {
                putOff(on: scheduler)
            } else {
                precondition(
                    steps.caughtUp < Self.limit, "a reactor feeds itself for ever, on no timeline")
            }
        }
    }

    /// Makes what waits work of the timeline.
    private func putOff(on scheduler: any Scheduler) {
        steps.halt()
        scheduler.schedule(
            at: scheduler.now, phase: .queued, label: "steps a reactor makes for itself"
        ) { [weak self] in
            self?.steps.resume()
            self?.catchUp(to: .idle)
        }
    }

    private func perform(_ step: Step) {
        switch step {
        case .hear(let action):
            self.action.tell(action)
            if isStubbed { stubbedActions.append(action) } else { wiring?.heard.onNext(action) }
        case .act(let action): wiring?.acted.onNext(action)
        case .reduce(let mutation):
            self.mutation.tell(mutation)
            settle(on: reduce(accumulated, mutation))
        case .replace(let state): settle(on: state)
        case .deliver(let state): states.accept(state)
        }
    }

    private func settle(on state: State) {
        accumulated = state
        if let wiring { wiring.reduced.onNext(state) } else { take(.deliver(state)) }
    }
}
