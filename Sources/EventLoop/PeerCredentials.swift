// SPDX-License-Identifier: Apache-2.0

internal import CLibuv
import Glibc

/// Who is at the other end of a Unix socket, as the kernel recorded it when the peer connected.
///
/// The peer cannot forge it. The process may have ended since, and its number may name another by now;
/// user and group stay true.
package struct PeerCredentials: Equatable, Sendable {
    /// The process that connected; zero when it lives in a namespace that is not ours to see.
    package let processID: Int32
    /// Its effective user then.
    package let userID: UInt32
    /// Its effective group then.
    package let groupID: UInt32
    /// Its further groups then; empty where the kernel does not tell.
    package let furtherGroupIDs: [UInt32]

    /// Asks the kernel about the peer of a connected socket.
    init(of descriptor: CInt) throws(LoopError) {
        var credentials = marbled_credentials()
        var length = socklen_t(MemoryLayout<marbled_credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else {
            throw .current("getsockopt", "SO_PEERCRED")
        }
        processID = credentials.pid
        userID = credentials.uid
        groupID = credentials.gid
        furtherGroupIDs = Self.furtherGroups(of: descriptor)
    }

    /// Every group that counts.
    package var groupIDs: [UInt32] { [groupID] + furtherGroupIDs }

    private static func furtherGroups(of descriptor: CInt) -> [UInt32] {
        // The kernel says how much room it needs; few processes are in more groups than this.
        var groups = [gid_t](repeating: 0, count: 32)
        while true {
            var length = socklen_t(groups.count * MemoryLayout<gid_t>.size)
            if getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<gid_t>.size))
            }
            let needed = Int(length) / MemoryLayout<gid_t>.size
            guard errno == ERANGE, needed > groups.count else { return [] }
            groups = [gid_t](repeating: 0, count: needed)
        }
    }
}
