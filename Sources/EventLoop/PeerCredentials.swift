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
    }
}
