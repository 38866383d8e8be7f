// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A path that fits into the kernel's address of a Unix socket.
struct SocketAddress {
    /// How many bytes of a path the kernel takes, not counting the zero behind it.
    static let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    let path: String

    /// Nil when the path is longer than `limit` bytes, empty, or has a zero byte in it.
    init?(_ path: String) {
        let bytes = path.utf8
        guard !bytes.isEmpty, bytes.count <= Self.limit, !bytes.contains(0) else { return nil }
        self.path = path
    }

    /// Calls `bind` or `connect` with this address; returns false and leaves `errno` when that failed.
    func pass(
        to call: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt, _ descriptor: CInt
    ) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                call(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// A new Unix stream socket, closed on exec and non-blocking; negative, with `errno`, on failure.
    static func makeSocket() -> CInt {
        socket(
            AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }
}
