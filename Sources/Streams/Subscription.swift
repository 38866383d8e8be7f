// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// The life of one subscription: what must be given up when it ends, and whether it has ended.
///
/// It is made at the edge, before anything is subscribed, and handed up the chain, so that a source
/// which sends while it is being subscribed can see that nobody listens any more. Operators without
/// state pass it on; an operator that ends a part of its chain early makes a child.
///
/// Disposing runs the resources in the order they were added, once.
public final class Subscription: Cancelable {
    // Safety: unchecked exclusivity. A flag that is read or written in one go, asked on every event.
    /// Whether it has ended.
    @exclusivity(unchecked) public private(set) final var isDisposed = false

    // Nearly every subscription holds one or two resources; only the third makes an array.
    private final var first: (any Disposable)?
    private final var second: (any Disposable)?
    private final var others: [any Disposable] = []
    // Safety: a parent that goes away takes itself out of its children. A weak reference would cost
    // each inner stream a table of its own.
    private final unowned(unsafe) var parent: Subscription?

    /// A subscription of its own.
    public init() {}

    private init(parent: Subscription) {
        self.parent = parent
    }

    deinit {
        (first as? Subscription)?.parent = nil
        (second as? Subscription)?.parent = nil
        for case let child as Subscription in others { child.parent = nil }
    }

    /// Gives `resource` up when the subscription ends, or at once when it has ended.
    public func add(_ resource: any Disposable) {
        guard !isDisposed else { return resource.dispose() }
        if first == nil {
            first = resource
        } else if second == nil {
            second = resource
        } else {
            others.append(resource)
        }
    }

    /// Runs `action` when the subscription ends, or at once when it has ended.
    public func onDispose(_ action: @escaping () -> Void) {
        add(AnonymousDisposable(action))
    }

    /// A subscription that ends with this one, or earlier.
    public func makeChild() -> Subscription {
        let child = Subscription(parent: self)
        add(child)
        return child
    }

    public func dispose() {
        guard !isDisposed else { return }
        isDisposed = true
        parent.take()?.remove(self)
        first.take()?.dispose()
        second.take()?.dispose()
        for resource in exchange(&others, with: []) { resource.dispose() }
    }

    /// Forgets a child that ended first, so that a long-lived parent does not collect them.
    private func remove(_ child: Subscription) {
        if first === child {
            first = nil
        } else if second === child {
            second = nil
        } else if let index = others.lastIndex(where: { $0 === child }) {
            others.remove(at: index)
        }
    }
}
