// SPDX-License-Identifier: Apache-2.0

/// What a reactor owns its streams by: `let core = ReactorCore()`, a stored property.
///
/// It knows nothing of the reactor's types, so declaring it needs none of them. The streams are made at
/// the first look at the reactor and go away with it.
public final class ReactorCore {
    private var circuit: (any ReactorStreams)?

    /// The core of one reactor that nobody looked at yet.
    public init() {}

    /// The streams of `reactor`, made if this is the first look.
    func circuit<R: Reactor>(of reactor: R) -> ReactorCircuit<R.Action, R.Mutation, R.State> {
        guard let circuit else {
            let circuit = ReactorCircuit(reactor)
            self.circuit = circuit
            return circuit
        }
        guard let own = circuit as? ReactorCircuit<R.Action, R.Mutation, R.State>,
            own.owner == ObjectIdentifier(reactor)
        else {
            preconditionFailure(
                "a \(R.self) has the core of another reactor; each needs its own: let core = ReactorCore()"
            )
        }
        return own
    }

    /// Ends the reactor before it goes away: its effects are given up, and actions do nothing any more.
    ///
    /// The host does that for a feature that is a reactor, since an effect that runs may hold the reactor
    /// that holds the effect. A feature that only has one does it in its `deinit`.
    public func stop() {
        circuit?.stop()
    }
}

/// The streams of a reactor with their types hidden.
protocol ReactorStreams: AnyObject {
    /// Ends them for good.
    func stop()
}
