// SPDX-License-Identifier: Apache-2.0

public import Streams

/// A feature's logic as one circle: an action makes mutations, a mutation makes the next state.
///
///     action       --a----------b-----
///     mutate         m-----n|   o|          effects run here, and only here
///     reduce       --m-----n----o-----      pure: the state so far and a mutation
///     state        s-t-----u----v-----      replays the newest; never fails, never completes
///
/// ```swift
/// final class Counter: Reactor {
///     enum Action { case increase }
///     struct State { var value = 0 }
///     let initialState = State()
///     let core = ReactorCore()
///
///     func reduce(state: State, mutation: Action) -> State {
///         var state = state
///         state.value += 1
///         return state
///     }
/// }
/// counter.action.onNext(.increase)
/// ```
///
/// It runs from the first look at `action`, `state` or `currentState`, and ends with the reactor: what
/// its effects wait for is given up then.
///
/// **Steps are never nested.** An action that is sent while the reactor is at work (by an observer of
/// the state, by `mutate`, by `reduce`) waits until the step that runs is done. What a running `mutate`
/// says at once comes first; so nobody sees the state of a later action before that of an earlier one.
///
/// **A `mutate` that fails** ends that one stream. The error is told to the timeline, and the reactor
/// goes on; what people should see of it belongs into a mutation. A transform that fails is told as
/// well, and is over for good: what came through it comes no more, and the state stays.
///
/// Loop-confined. `mutate` and the transforms return streams that the reactor keeps: what they capture
/// of it, beyond the length of an effect, they capture weakly.
public protocol Reactor: AnyObject {
    /// What can be asked of it.
    associatedtype Action
    /// How a state changes.
    associatedtype Mutation = Action
    /// All there is to show.
    associatedtype State

    /// The state before anything happened. Read once.
    var initialState: State { get }

    /// What owns the streams of this one reactor: a stored property, `let core = ReactorCore()`.
    var core: ReactorCore { get }

    /// What an action does: effects, told as mutations. Without it an action is its own mutation.
    func mutate(action: Action) -> Observable<Mutation>

    /// The next state. Pure, and so a test can simply call it.
    func reduce(state: State, mutation: Mutation) -> State

    /// Changes the stream of actions on its way to `mutate`. Called once.
    func transform(action: Observable<Action>) -> Observable<Action>

    /// Changes the stream of mutations on its way to `reduce`: the place to merge in what happens by
    /// itself. Called once.
    func transform(mutation: Observable<Mutation>) -> Observable<Mutation>

    /// Changes the stream of states on its way to those who look; `reduce` sees the unchanged one.
    /// Called once.
    func transform(state: Observable<State>) -> Observable<State>
}

extension Reactor {
    public func transform(action: Observable<Action>) -> Observable<Action> { action }

    public func transform(mutation: Observable<Mutation>) -> Observable<Mutation> { mutation }

    public func transform(state: Observable<State>) -> Observable<State> { state }
}

extension Reactor where Mutation == Action {
    public func mutate(action: Action) -> Observable<Mutation> { .just(action) }
}

extension Reactor {
    /// Where actions go in, and can be listened to. An end that is sent to it changes nothing.
    public var action: ReactorInput<Action> { circuit.running.action }

    /// The states: the newest first, then every one that follows.
    public var state: Observable<State> { circuit.running.states.asObservable() }

    /// The newest state.
    public var currentState: State { circuit.running.states.value }

    /// A test's hand inside.
    public var stub: ReactorStub<Action, Mutation, State> { ReactorStub(circuit: circuit) }

    /// A one-shot value of the state each time it is set, an equal one too; the newest first.
    ///
    ///     state, $message    nil---"a"--(other)--"a"---
    ///     pulse              nil---"a"-----------"a"---
    public func pulse<Value>(_ value: KeyPath<State, Pulse<Value>>) -> Observable<Value> {
        state.map { $0[keyPath: value] }.distinctUntilChanged(\.settings).map(\.wrappedValue)
    }

    /// Its streams, which may be at rest.
    var circuit: ReactorCircuit<Action, Mutation, State> { core.circuit(of: self) }
}
