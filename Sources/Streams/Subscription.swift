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

    /// Where it stands among its parent's `others`, when it stands there.
    private final var slot: UInt32 = 0
    // Nearly every subscription holds one or two resources; only the third makes an array. Children that
    // ended leave holes in it, so that the rest stay in order and know their slots; the last is no hole.
    private final var first: (any Disposable)?
    private final var second: (any Disposable)?
    private final var others: [(any Disposable)?] = []
    // Safety: a parent that goes away takes itself out of its children. A weak reference would cost
    // each inner stream a table of its own.
    private final unowned(unsafe) var parent: Subscription?

    /// A subscription of its own.
    public init() {}

    private init(parent: Subscription) {
        self.parent = parent
    }

    deinit {
        child(first)?.parent = nil
        child(second)?.parent = nil
        for resource in others { child(resource)?.parent = nil }
    }

    /// `resource`, if it is a child of this subscription: one of another parent may have been added too.
    private func child(_ resource: (any Disposable)?) -> Subscription? {
        guard let child = resource as? Subscription, child.parent === self else { return nil }
        return child
    }

    /// Gives `resource` up when the subscription ends, or at once when it has ended.
    public func add(_ resource: any Disposable) {
        guard !isDisposed else { return resource.dispose() }
        guard others.isEmpty, second == nil else { return append(resource) }
        if first == nil { first = resource } else { second = resource }
    }

    private func append(_ resource: any Disposable) {
        if others.count == others.capacity { closeHoles() }
        child(resource)?.slot = UInt32(others.count)
        others.append(resource)
    }

    /// Half of the room is free afterwards, so that what this costs is spread over as many additions.
    private func closeHoles() {
        others.removeAll { $0 == nil }
        for (slot, resource) in others.enumerated() { child(resource)?.slot = UInt32(slot) }
        others.reserveCapacity(max(4, 2 * others.count))
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
        for resource in exchange(&others, with: []) { resource?.dispose() }
    }

    /// Forgets a child that ended first, so that a long-lived parent does not collect them.
    private func remove(_ child: Subscription) {
        guard !isDisposed else { return }
        if first === child {
            first = nil
        } else if second === child {
            second = nil
        } else {
            others[Int(child.slot)] = nil
            while case .some(nil) = others.last { others.removeLast() }
        }
    }
}
