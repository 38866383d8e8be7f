// SPDX-License-Identifier: Apache-2.0

internal import Streams

/// A test's hand inside a reactor: see what was sent, say what is shown.
///
/// ```swift
/// reactor.stub.isEnabled = true
/// view.tap()
/// #expect(reactor.stub.actions == [.refresh])         view → reactor
/// reactor.stub.state = State(isLoading: true)         reactor → view
/// reactor.stub.mutation.onNext(.loading(false))       inside: its own reduce
/// ```
///
/// `action`, `state` and `currentState` are the same streams whether it is on or off, so it does not
/// matter who bound to them when. This stands in for a module under its view. To test the module, leave
/// it off, and stub the effects that the module asks for.
public struct ReactorStub<Action, Mutation, State> {
    let circuit: ReactorCircuit<Action, Mutation, State>

    /// Whether it stands in for the reactor's logic: neither `mutate` nor `reduce` nor a transform runs.
    ///
    /// Turning it on gives up the effects that run; turning it off starts the logic anew, from the state
    /// that is shown.
    public var isEnabled: Bool {
        get { circuit.isStubbed }
        nonmutating set { circuit.isStubbed = newValue }
    }

    /// The actions that were sent while it was on, oldest first.
    public var actions: [Action] { circuit.stubbedActions }

    /// The state. Setting it shows it to everybody at once; with the stub off the reactor's logic goes
    /// on from it, so that a test can begin anywhere.
    public var state: State {
        get { circuit.states.value }
        nonmutating set { circuit.replace(newValue) }
    }

    /// The mutations on their way to `reduce`. One that is sent to it is reduced, also with the stub on.
    public var mutation: ReactorInput<Mutation> { circuit.mutation }
}
