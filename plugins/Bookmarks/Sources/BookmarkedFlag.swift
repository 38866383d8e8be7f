// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit
internal import Streams

/// The flag in the store, where it survives restarts.
struct BookmarkedFlag {
    let store: StoreEffect
    private static let key = "isBookmarked"

    /// The flag as it was kept, or nil if it never was. Fails with a `BookmarksError`.
    func restore() -> Single<Bool?> {
        store.get(Self.key, as: Bool.self).catch { _ in .error(BookmarksError.storeError) }
    }

    /// Keeps the flag. Fails with a `BookmarksError`.
    func keep(_ isBookmarked: Bool) -> Completable {
        store.set(Self.key, to: isBookmarked).catch { _ in .error(BookmarksError.storeError) }
            .asCompletable()
    }
}
