// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit
internal import Streams

/// Keeps the best record in the store, across restarts.
struct RecordBook {
    let store: StoreEffect
    private static let key = "bestRecord"

    /// Shows the stored record, if it is better than what is shown.
    func restore(into best: BehaviorRelay<Int>) -> any Disposable {
        store.get(Self.key, as: Int.self).subscribe { stored in
            if case .success(let record?) = stored, record > best.value { best.accept(record) }
        }
    }

    /// Stores every change. A store that fails costs the record, not the game.
    func keep(_ best: BehaviorRelay<Int>) -> any Disposable {
        best.skip(1).distinctUntilChanged()
            .flatMap { store.set(Self.key, to: $0).catchAndReturn(()).asObservable() }
            .subscribe()
    }
}
