// SPDX-License-Identifier: Apache-2.0

/// What a plugin knows an instance by: an address that stays readable after the instance is gone.
///
/// A plugin that calls the host after `destroy` must not read freed memory. Handles of closed instances
/// therefore rest, and are used again only after `HostLimits.restingHandles` others were closed;
/// until then a late call finds an empty handle and is refused.
struct InstanceHandle {
    // Safety: set while the instance lives, cleared by it before it goes away; read on the loop only.
    unowned(unsafe) var instance: Instance?
    /// The one way in from other threads. Immutable while the handle is given out, like `generation`.
    let door: PostDoor?
    /// Counts the instances this handle has served.
    let generation: UInt64
    /// Calls that came when the instance was over.
    var lateCalls: UInt32 = 0
    /// The one that came to rest after this one.
    fileprivate var next: UnsafeMutablePointer<InstanceHandle>?
}

/// The handles of one host: a queue of those that rest, oldest first, linked through themselves.
///
/// Bound: `limit` handles rest; beyond that the oldest is used again, so a host never has more
/// than that and one for each instance it had open at once. Every instance must be closed before the
/// pool goes away.
final class HandlePool {
    private let limit: Int
    private(set) var resting = 0
    /// Late calls with handles that have served again since.
    private var earlierLateCalls = 0
    private var oldest: UnsafeMutablePointer<InstanceHandle>?
    private var newest: UnsafeMutablePointer<InstanceHandle>?

    init(limit: Int) {
        self.limit = limit
    }

    /// A handle for `instance`; one that is new gets the door that `makeDoor` makes.
    func take(
        for instance: Instance, makeDoor: () -> PostDoor?
    ) -> UnsafeMutablePointer<InstanceHandle> {
        guard resting >= limit, let handle = oldest else {
            let handle = UnsafeMutablePointer<InstanceHandle>.allocate(capacity: 1)
            handle.initialize(
                to: InstanceHandle(instance: instance, door: makeDoor(), generation: 0))
            return handle
        }
        oldest = handle.pointee.next
        if oldest == nil { newest = nil }
        resting -= 1
        earlierLateCalls += Int(handle.pointee.lateCalls)
        handle.pointee = InstanceHandle(
            instance: instance, door: handle.pointee.door,
            generation: handle.pointee.generation &+ 1)
        return handle
    }

    func giveBack(_ handle: UnsafeMutablePointer<InstanceHandle>) {
        handle.pointee.instance = nil
        if let newest { newest.pointee.next = handle } else { oldest = handle }
        newest = handle
        resting += 1
    }

    /// How often a plugin called with a handle that rested. Walks through all of them.
    var lateCalls: Int {
        var count = earlierLateCalls
        var next = oldest
        while let handle = next {
            count += Int(handle.pointee.lateCalls)
            next = handle.pointee.next
        }
        return count
    }

    deinit {
        while let handle = oldest {
            oldest = handle.pointee.next
            handle.deinitialize(count: 1)
            handle.deallocate()
        }
    }
}
