// SPDX-License-Identifier: Apache-2.0

/// Something that can be given up: a subscription, a timer, a resource.
///
/// Disposing twice is harmless. Loop-confined like everything on a timeline.
public protocol Disposable: AnyObject {
    /// Gives it up.
    func dispose()
}

/// A disposable that knows whether it was disposed.
public protocol Cancelable: Disposable {
    /// Whether `dispose()` was called.
    var isDisposed: Bool { get }
}

/// Makers of disposables.
public enum Disposables {
    /// A disposable that does nothing.
    public static func create() -> any Cancelable {
        AnonymousDisposable {}
    }

    /// A disposable that runs `action` once.
    public static func create(with action: @escaping () -> Void) -> any Cancelable {
        AnonymousDisposable(action)
    }

    /// A disposable that disposes each of `disposables`, in order.
    public static func create(_ disposables: any Disposable...) -> any Cancelable {
        AnonymousDisposable { for disposable in disposables { disposable.dispose() } }
    }
}

/// Runs an action once.
@usableFromInline
final class AnonymousDisposable: Cancelable {
    private var action: (() -> Void)?

    @usableFromInline
    init(_ action: @escaping () -> Void) {
        self.action = action
    }

    @usableFromInline var isDisposed: Bool { action == nil }

    @usableFromInline
    func dispose() {
        // Taken before it is run: an action that disposes again finds nothing.
        action.take()?()
    }
}

extension Disposable {
    /// Ties the life of this disposable to `bag`.
    public func disposed(by bag: DisposeBag) {
        bag.insert(self)
    }
}

/// Disposes what was put into it when it goes away.
///
/// The usual owner of a view model's subscriptions.
public final class DisposeBag {
    private var disposables: [any Disposable] = []

    /// An empty bag.
    public init() {}

    /// Keeps `disposable` until the bag goes away.
    public func insert(_ disposable: any Disposable) {
        disposables.append(disposable)
    }

    deinit {
        for disposable in disposables { disposable.dispose() }
    }
}

/// Disposes a changing set of disposables together.
public final class CompositeDisposable: Cancelable {
    /// Names one member.
    public struct DisposeKey: Hashable, Sendable {
        fileprivate let key: UInt64
    }

    private var members: [(key: UInt64, disposable: any Disposable)] = []
    private var nextKey: UInt64 = 0
    /// Whether it was disposed; then what is inserted is disposed at once.
    public private(set) var isDisposed = false

    /// A composite of `disposables`.
    public init(_ disposables: any Disposable...) {
        for disposable in disposables { _ = insert(disposable) }
    }

    /// How many members it has.
    public var count: Int { members.count }

    /// Adds a member. Returns nil, and disposes it, when the composite is disposed already.
    @discardableResult
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        guard !isDisposed else {
            disposable.dispose()
            return nil
        }
        nextKey += 1
        members.append((nextKey, disposable))
        return DisposeKey(key: nextKey)
    }

    /// Takes a member out and disposes it.
    public func remove(for key: DisposeKey) {
        guard let index = members.firstIndex(where: { $0.key == key.key }) else { return }
        members.remove(at: index).disposable.dispose()
    }

    public func dispose() {
        guard !isDisposed else { return }
        isDisposed = true
        for member in exchange(&members, with: []) { member.disposable.dispose() }
    }
}

/// Holds one disposable at a time; setting another disposes the one before.
public final class SerialDisposable: Cancelable {
    private var current: (any Disposable)?
    /// Whether it was disposed; then what is set is disposed at once.
    public private(set) var isDisposed = false

    /// An empty one.
    public init() {}

    /// What is held now.
    public var disposable: any Disposable {
        get { current ?? Disposables.create() }
        set {
            guard !isDisposed else { return newValue.dispose() }
            let old = current
            current = newValue
            old?.dispose()
        }
    }

    public func dispose() {
        guard !isDisposed else { return }
        isDisposed = true
        current.take()?.dispose()
    }
}
