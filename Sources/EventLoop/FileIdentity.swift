// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Which file something is, whatever its name: device and inode.
struct FileIdentity: Equatable {
    let device: dev_t
    let inode: ino_t
    /// Whether it is a socket.
    let isSocket: Bool

    /// The file at `path`, a symbolic link not followed; nil, with `errno`, when there is none.
    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file that is open as `descriptor`; nil, with `errno`, when that fails.
    init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
    }
}
