// SPDX-License-Identifier: Apache-2.0

/// A disposable that only remembers whether it was disposed.
public final class BooleanDisposable: Cancelable {
    /// Whether `dispose()` was called.
    public private(set) var isDisposed: Bool

    /// One that was disposed already, or not yet.
    public init(isDisposed: Bool = false) {
        self.isDisposed = isDisposed
    }

    public func dispose() { isDisposed = true }
}

/// Holds one disposable that is known only later; it is set once.
public final class SingleAssignmentDisposable: Cancelable {
    private let held = SerialDisposable()
    private var isSet = false

    /// An empty one.
    public init() {}

    /// Whether it was disposed; then what is set is disposed at once.
    public var isDisposed: Bool { held.isDisposed }

    /// Sets what is held. A second time is a programmer's mistake and stops the program.
    public func setDisposable(_ disposable: any Disposable) {
        precondition(!isSet, "a SingleAssignmentDisposable is set a second time")
        isSet = true
        held.disposable = disposable
    }

    public func dispose() { held.dispose() }
}

/// Disposes what it holds when it was disposed itself and all that it handed out were, too.
public final class RefCountDisposable: Cancelable {
    private var held: (any Disposable)?
    private var users = 0
    /// Whether it was disposed itself; users may still hold on.
    public private(set) var isDisposed = false

    /// Holds `disposable`.
    public init(disposable: any Disposable) {
        held = disposable
    }

    /// A further user, who lets go by disposing. Of something that was given up already: nothing.
    public func retain() -> any Disposable {
        guard held != nil else { return Disposables.create() }
        users += 1
        return Disposables.create { [self] in
            users -= 1
            letGo()
        }
    }

    public func dispose() {
        isDisposed = true
        letGo()
    }

    private func letGo() {
        if isDisposed, users == 0 { held.take()?.dispose() }
    }
}

extension Disposables {
    /// A disposable that disposes each of `disposables`, in order.
    public static func create(_ disposables: [any Disposable]) -> any Cancelable {
        create(with: { for disposable in disposables { disposable.dispose() } })
    }
}

extension CompositeDisposable {
    /// A composite of `disposables`.
    public convenience init(disposables: [any Disposable]) {
        self.init()
        for disposable in disposables { insert(disposable) }
    }
}

extension DisposeBag {
    /// Lists disposables, one a line.
    @resultBuilder
    public enum DisposableBuilder {
        /// The list.
        public static func buildBlock(_ disposables: any Disposable...) -> [any Disposable] {
            disposables
        }
    }

    /// A bag of `disposables`.
    public convenience init(disposing disposables: any Disposable...) {
        self.init()
        insert(disposables)
    }

    /// A bag of what `builder` lists.
    public convenience init(@DisposableBuilder builder: () -> [any Disposable]) {
        self.init()
        insert(builder())
    }

    /// Keeps `disposables` until the bag goes away.
    public func insert(_ disposables: [any Disposable]) {
        for disposable in disposables { insert(disposable) }
    }

    /// Keeps `disposables` until the bag goes away.
    public func insert(_ disposables: any Disposable...) { insert(disposables) }

    /// Keeps what `builder` lists until the bag goes away.
    public func insert(@DisposableBuilder builder: () -> [any Disposable]) { insert(builder()) }
}
