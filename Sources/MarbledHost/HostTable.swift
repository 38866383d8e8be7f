// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
internal import Scheduling

/// The host's half of the boundary: C functions that find the instance and hand over to it.
///
/// One table for the whole process; it holds no state. A call with the handle of an instance that is
/// over is refused with 0, false or silence, as the header says.
enum HostTable {
    // Safety: written once, never changed, never freed.
    nonisolated(unsafe) static let pointer: UnsafePointer<marbled_host_table> = {
        let table = UnsafeMutablePointer<marbled_host_table>.allocate(capacity: 1)
        table.initialize(
            to: marbled_host_table(
                size: UInt32(MemoryLayout<marbled_host_table>.size),
                abi_major: UInt16(MARBLED_ABI_MAJOR), abi_minor: UInt16(MARBLED_ABI_MINOR),
                now: { HostTable.instance($0)?.clock.now.nanoseconds ?? 0 },
                schedule: { handle, due, phase, label, work, data in
                    guard let instance = HostTable.instance(handle) else { return 0 }
                    return instance.schedule(due, phase, WorkLabel(immortal: label), work, data)
                },
                cancel: { handle, token in
                    HostTable.instance(handle)?.cancel(token) ?? false
                },
                emit: { handle, output, event, value in
                    HostTable.instance(handle)?.emit(Int(output), event, value.buffer)
                },
                perform: { handle, effect, request, answer, data in
                    HostTable.instance(handle)?.perform(
                        effect.buffer, request.buffer, answer, data) ?? 0
                },
                cancel_effect: { handle, token in
                    HostTable.instance(handle)?.cancelEffect(token) ?? false
                },
                log: { handle, level, message in
                    HostTable.instance(handle)?.log(level, message.sentence(or: ""))
                },
                fail: { handle, reason in
                    HostTable.instance(handle)?.fail(reason.sentence(or: "it gave no reason"))
                },
                post: { handle, work, data in HostTable.post(handle, work, data) },
                capability: { _, _ in nil },
                after: { handle, delay in HostTable.instance(handle)?.instant(after: delay) ?? 0 }))
        return UnsafePointer(table)
    }()

    @inline(__always)
    private static func instance(_ handle: OpaquePointer) -> Instance? {
        let instance = UnsafePointer<InstanceHandle>(handle).pointee.instance
        if instance == nil { noteLate(handle) }
        return instance
    }

    /// A plugin called for an instance that is over. Nothing happens, but whoever looks is told.
    @inline(never)
    private static func noteLate(_ handle: OpaquePointer) {
        UnsafeMutablePointer<InstanceHandle>(handle).pointee.lateCalls &+= 1
    }

    /// Called from any thread: touches only the handle's door.
    private static func post(
        _ handle: OpaquePointer, _ work: @escaping marbled_work, _ data: UnsafeMutableRawPointer?
    ) -> Bool {
        let pointer = UnsafePointer<InstanceHandle>(handle)
        guard let door = pointer.pointee.door else { return false }
        let errand = PostedWork(
            handle: handle, generation: pointer.pointee.generation, work: work, data: data)
        return door.enqueue { errand.run(othersWereRefused: $0) }
    }

    // Safety: carries the plugin's own pointer from its thread to the loop, as the header promises.
    private struct PostedWork: @unchecked Sendable {
        let handle: OpaquePointer
        /// Whose it is, should the handle serve another instance by the time this runs.
        let generation: UInt64
        let work: marbled_work
        let data: UnsafeMutableRawPointer?

        func run(othersWereRefused: Bool) {
            guard UnsafePointer<InstanceHandle>(handle).pointee.generation == generation else {
                return
            }
            // The plugin was in time; the loop was not.
            guard let instance = UnsafePointer<InstanceHandle>(handle).pointee.instance else {
                return
            }
            if othersWereRefused { instance.host.strike("postedWork") }
            instance.runPosted(work, data)
        }
    }
}
