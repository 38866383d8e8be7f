// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The right to listen at a path: a lock on the file `PATH.lock` beside it.
///
/// The kernel gives the lock back when the process ends, however it ends, so a lock never goes stale;
/// a socket file does, and only the lock's owner replaces one. The file itself stays: to remove it
/// would let a third process lock a new file while a second waits for the old one.
///
/// Held until it is destroyed.
struct PathLock: ~Copyable {
    private let descriptor: CInt

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// The inode of the lock file: no other path's lock in the directory has it.
    var fileNumber: ino_t {
        FileIdentity(descriptor: descriptor)?.inode ?? 0
    }

    deinit {
        // Not left to `close`: a child about to exec may still share the descriptor for a moment.
        flock(descriptor, LOCK_UN)
        Glibc.close(descriptor)
    }

    /// Takes the lock for `path`, or says which process has it.
    static func take(for path: String) throws(ListenError) -> PathLock {
        let lockPath = path + ".lock"
        while true {
            let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw .failed(.current("open", lockPath)) }
            let lock = PathLock(descriptor: descriptor)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                if errno == EINTR { continue }
                guard errno == EWOULDBLOCK else { throw .failed(.current("flock", lockPath)) }
                throw .inUse(path: path, process: lock.readOwner())
            }
            // Somebody may have removed the file between `open` and `flock`: then this locks nothing.
            guard FileIdentity(descriptor: descriptor) == FileIdentity(path: lockPath) else {
                continue
            }
            lock.writeOwner()
            return lock
        }
    }

    /// The number the owner wrote; a help for people and nothing more.
    private func readOwner() -> pid_t? {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
            return text.split(separator: "\n").first.flatMap { pid_t($0) }
        }
    }

    private func writeOwner() {
        let text = "\(getpid())\n"
        // Failing to write costs a number in somebody's error message.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.utf8.count, 0)
    }
}
