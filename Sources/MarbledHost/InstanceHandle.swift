// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI

/// What a plugin knows an instance by: an address that stays readable after the instance is gone.
///
/// A plugin that calls the host after `destroy` must not read freed memory. Handles of closed instances
/// therefore rest in a quarantine and are used again only after 65,536 others were closed; until then
/// a late call finds an empty handle and is refused.
struct InstanceHandle {
    // Safety: set while the instance lives, cleared by it before it goes away; read on the loop only.
    unowned(unsafe) var instance: Instance?
    /// The one way in from other threads. Immutable while the handle is given out.
    var post: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
}

/// The handles of one host.
final class HandlePool {
    private static let quarantineLimit = 65_536
    private var quarantine: [UnsafeMutablePointer<InstanceHandle>] = []
    private var oldest = 0
    private var all: [UnsafeMutablePointer<InstanceHandle>] = []

    func take(
        for instance: Instance, post: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
    ) -> UnsafeMutablePointer<InstanceHandle> {
        let handle: UnsafeMutablePointer<InstanceHandle>
        if quarantine.count - oldest > Self.quarantineLimit {
            handle = quarantine[oldest]
            oldest += 1
            if oldest > Self.quarantineLimit {
                quarantine.removeFirst(oldest)
                oldest = 0
            }
            handle.pointee = InstanceHandle(instance: instance, post: post)
        } else {
            handle = .allocate(capacity: 1)
            handle.initialize(to: InstanceHandle(instance: instance, post: post))
            all.append(handle)
        }
        return handle
    }

    func giveBack(_ handle: UnsafeMutablePointer<InstanceHandle>) {
        handle.pointee.instance = nil
        quarantine.append(handle)
    }

    deinit {
        for handle in all {
            handle.deinitialize(count: 1)
            handle.deallocate()
        }
    }
}
