// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

extension AsyncSequence {
    /// The sequence as a stream: each subscription iterates it anew, in a task of the timeline.
    ///
    ///     sequence                   -a---b-c|
    ///     sequence.asObservable()    -a---b-c|
    ///
    /// Nothing is buffered: the sequence is asked for the next value when the one before was delivered.
    /// Giving the subscription up cancels the task. What a sequence does on threads of its own arrives
    /// when the timeline comes by, and is not repeatable in virtual time.
    public func asObservable() -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            let task = timeline(nil, for: "asObservable").task("an async sequence") {
                do {
                    for try await element in self {
                        guard !subscription.isDisposed else { return }
                        sink.next(element)
                    }
                    if !subscription.isDisposed { sink.end(.completed) }
                } catch {
                    if !subscription.isDisposed { sink.end(.error(error)) }
                }
            }
            subscription.add(task)
        }
    }
}

extension ObservableType {
    /// The values of an async sequence; see `AsyncSequence.asObservable()`.
    public static func from<Source: AsyncSequence>(
        _ sequence: Source
    ) -> Observable<Element> where Source.Element == Element {
        sequence.asObservable()
    }
}
