// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit
internal import Streams

/// Keeps the best record in the store, across restarts.
///
/// Others may play with the same store, and what it holds may not be known yet. So each record is a
/// transaction that expects the one before: what is better stays, until all records are forgotten.
final class RecordBook {
    private let store: StoreEffect
    /// What the store holds after all that was asked of it, as far as is known; 0 for nothing.
    private var kept = 0
    private static let key = "bestRecord"

    init(store: StoreEffect) {
        self.store = store
    }

    /// Shows the stored record, if it is better than what is shown and was not `forgotten` meanwhile.
    func restore(
        into best: BehaviorRelay<Int>, unless forgotten: Observable<Void>
    ) -> any Disposable {
        store.get(Self.key, as: Int.self).catchAndReturn(nil).asObservable()
            .take(until: forgotten)
            .subscribe(onNext: { [self] stored in
                guard let stored, stored > best.value else { return }
                kept = stored
                best.accept(stored)
            })
    }

    /// Stores every better record. A store that fails costs the record, not the game.
    func keep(_ best: BehaviorRelay<Int>) -> any Disposable {
        best.filter { [self] in $0 > kept }
            .flatMap { [self] _ in raise(to: best).catchAndReturn(()) }
            .subscribe()
    }

    /// Removes what is stored whenever it is to be forgotten.
    func forget(when forgotten: Observable<Void>) -> any Disposable {
        forgotten
            .flatMap { [self] in
                kept = 0
                return store.remove(Self.key).catchAndReturn(())
            }
            .subscribe()
    }

    /// Stores the best record in the place of the one before; where another one is there, the better of both.
    /// That is looked at again when the store has answered: all may have been forgotten meanwhile.
    private func raise(to best: BehaviorRelay<Int>) -> Single<Void> {
        let before = kept
        kept = best.value
        return store.transaction([
            before == 0 ? .expectNothing(Self.key) : .expect(Self.key, is: before),
            .set(Self.key, to: kept),
        ]).flatMap { [store] isDone in
            if isDone { return .just(()) }
            return store.update(Self.key, as: Int.self) { max($0 ?? 0, best.value) }.map { _ in }
        }
    }
}
