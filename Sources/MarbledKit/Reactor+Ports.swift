// SPDX-License-Identifier: Apache-2.0

public import Streams

/// A reactor as a feature: one line per port.
///
/// ```swift
/// final class Counter: Reactor, Feature {
///     struct Input: Ports { @In("One more.") var increase: PublishRelay<Void> }
///     struct Output: Ports { @Out("How many.") var value: Driver<Int> }
///     …
///     func transform(_ input: Input) -> Output {
///         connect(input.increase, to: .increase)
///         var output = Output()
///         output.value = driver(\.value)
///         return output
///     }
/// }
/// ```
extension Reactor {
    /// Sends `action` whenever something comes in, for as long as the reactor lives.
    public func connect(_ input: PublishRelay<Void>, to action: Action) {
        input.map { action }.bind(to: self.action).disposed(by: circuit.bag)
    }

    /// Sends the action that `action` makes of each value that comes in, for as long as the reactor
    /// lives.
    public func connect<Value>(
        _ input: PublishRelay<Value>, to action: @escaping (Value) -> Action
    ) {
        input.map(action).bind(to: self.action).disposed(by: circuit.bag)
    }

    /// A part of the state, as a state output: its value, then every other one.
    ///
    ///     state, part    1-1-2-2-1-
    ///     driver         1---2---1-
    public func driver<Value: Equatable>(_ part: KeyPath<State, Value>) -> Driver<Value> {
        circuit.running.states.asDriver().map { $0[keyPath: part] }
            .distinctUntilChanged()
    }

    /// A one-shot value of the state, as an event output: each setting that is not nil.
    ///
    ///     state, $message    nil---"a"-----"a"--nil---
    ///     signal             ------"a"-----"a"--------
    public func signal<Value>(_ pulse: KeyPath<State, Pulse<Value?>>) -> Signal<Value> {
        self.pulse(pulse).compactMap { $0 }.asSignal(onErrorSignalWith: .empty())
    }
}
