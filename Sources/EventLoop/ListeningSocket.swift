// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A listening Unix stream socket, and what must be undone when it goes.
///
/// A bound one appears at its path complete, by these steps:
///
/// 1. What stands at the path is looked at: anything that is no socket is left alone.
/// 2. `PATH.lock` is locked; see `PathLock`. A socket that somebody answers is left alone.
/// 3. The socket is made with mode 0600, whatever the umask: on Linux `bind` gives the file the mode
///    that `fchmod` gave the socket, less the umask, so the process's umask need not be touched.
/// 4. It is bound as `PATH.new`, given its group, then its mode, and told to listen.
/// 5. `rename` puts it at the path, over a stale one if there is one.
///
/// So nobody ever sees the path with a wrong mode or group, or a socket there that does not answer, and
/// a daemon that starts anew leaves no moment without a socket. The cost: the kernel goes on calling
/// the socket by the name it was bound as, which is what `ss -x` shows.
///
/// Destroying it unlinks the path, if that still is this very socket; an inherited socket belongs to
/// the service manager and is only closed.
package struct ListeningSocket: ~Copyable {
    let descriptor: CInt
    /// Where it listens; empty for an inherited socket without a name.
    package let path: String
    /// What to unlink; nil when inherited.
    private let file: FileIdentity?
    /// Given back after the path: fields are destroyed after `deinit` ran.
    private let lock: PathLock?

    private init(descriptor: CInt, path: String, file: FileIdentity?, lock: consuming PathLock?) {
        self.descriptor = descriptor
        self.path = path
        self.file = file
        self.lock = lock
    }

    deinit {
        if let file, FileIdentity(path: path) == file { unlink(path) }
        Glibc.close(descriptor)
    }

    // MARK: Making

    /// Listens at `path`.
    ///
    /// - Parameters:
    ///   - path: at most 107 bytes, in a directory that exists.
    ///   - mode: who may connect: those with the right to write.
    ///   - group: whom the file belongs to; the process's own group when nil.
    ///   - backlog: how many connections wait to be accepted; more are refused or wait.
    package static func bind(
        path: String, mode: mode_t = 0o600, group: gid_t? = nil, backlog: CInt = 128
    ) throws(ListenError) -> ListeningSocket {
        let directory = try check(path)
        // Before the lock, whose file would stay beside it.
        if let file = FileIdentity(path: path), !file.isSocket { throw .notASocket(path: path) }
        let lock = try PathLock.take(for: path)
        try refuseIfTaken(path)

        let descriptor = SocketAddress.makeSocket()
        guard descriptor >= 0 else { throw .failed(.current("socket", path)) }
        let draft = draftPath(for: path, in: directory, lock)
        do throws(LoopError) {
            try bind(descriptor, as: draft, in: directory)
            try dress(descriptor, at: draft, mode: mode, group: group, backlog: backlog)
            guard let file = FileIdentity(path: draft) else { throw .current("lstat", draft) }
            guard rename(draft, path) == 0 else { throw .current("rename", path) }
            return ListeningSocket(descriptor: descriptor, path: path, file: file, lock: lock)
        } catch {
            if FileIdentity(path: draft)?.isSocket == true { unlink(draft) }
            Glibc.close(descriptor)
            throw .failed(error)
        }
    }

    /// Takes over a socket that is listening already, as systemd passes one.
    package static func inherited(_ descriptor: CInt) throws(ListenError) -> ListeningSocket {
        guard option(SO_DOMAIN, of: descriptor) == AF_UNIX,
            option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: descriptor) == 1
        else { throw .notListening(descriptor: descriptor) }
        // Child processes inherit nothing from here.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return ListeningSocket(
            descriptor: descriptor, path: name(of: descriptor), file: nil,
            lock: Optional<PathLock>.none)
    }

    // MARK: Steps

    /// Throws what no socket's path can be, wherever it leads.
    package static func checkPath(_ path: String) throws(ListenError) {
        guard path.utf8.count <= SocketAddress.limit else {
            throw .pathTooLong(path: path, limit: SocketAddress.limit)
        }
        guard SocketAddress(path) != nil, path.last != "/" else {
            throw .pathUnusable(path: path)
        }
    }

    /// The path's directory, when a socket could be there.
    private static func check(_ path: String) throws(ListenError) -> String {
        try checkPath(path)
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
        var status = stat()
        guard stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .missingDirectory(path: path, directory: directory)
        }
        return directory
    }

    /// The lock speaks for those who take it; this speaks for everybody else.
    private static func refuseIfTaken(_ path: String) throws(ListenError) {
        guard let file = FileIdentity(path: path) else {
            guard errno == ENOENT else { throw .failed(.current("lstat", path)) }
            return
        }
        guard file.isSocket, let address = SocketAddress(path) else {
            throw .notASocket(path: path)
        }
        let descriptor = SocketAddress.makeSocket()
        guard descriptor >= 0 else { throw .failed(.current("socket", path)) }
        defer { Glibc.close(descriptor) }
        // Only "refused" says that nobody is there. Anything else, a full backlog or a socket that may
        // not be entered, is somebody's.
        if !address.pass(to: Glibc.connect, descriptor), errno == ECONNREFUSED { return }
        throw .inUse(path: path, process: nil)
    }

    /// `PATH.new`; for a path that leaves no room for four bytes more, a short name made of its lock
    /// file's number, which nobody else in the directory has.
    private static func draftPath(
        for path: String, in directory: String, _ lock: borrowing PathLock
    ) -> String {
        let draft = path + ".new"
        if draft.utf8.count <= SocketAddress.limit { return draft }
        return "\(directory).\(lock.fileNumber).new"
    }

    private static func bind(
        _ descriptor: CInt, as draft: String, in directory: String
    ) throws(LoopError) {
        // Left by a process that was killed in the middle of this; the lock says it is not at work.
        if FileIdentity(path: draft)?.isSocket == true { unlink(draft) }
        guard fchmod(descriptor, 0o600) == 0 else { throw .current("fchmod", draft) }
        if let address = SocketAddress(draft) {
            guard address.pass(to: Glibc.bind, descriptor) else { throw .current("bind", draft) }
            return
        }
        // Come to a draft that does not fit through its directory.
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .current("open", directory) }
        defer { Glibc.close(folder) }
        let file = draft.lastIndex(of: "/").map { draft[draft.index(after: $0)...] } ?? draft[...]
        guard let address = SocketAddress("/proc/self/fd/\(folder)/\(file)") else {
            throw LoopError(code: -ENAMETOOLONG, call: "bind", subject: draft)
        }
        guard address.pass(to: Glibc.bind, descriptor) else { throw .current("bind", draft) }
    }

    private static func dress(
        _ descriptor: CInt, at draft: String, mode: mode_t, group: gid_t?, backlog: CInt
    ) throws(LoopError) {
        if let group, lchown(draft, uid_t.max, group) != 0 {
            throw .current("chown", "\(draft) to group \(group)")
        }
        // After the group: until here only the owner has any right.
        guard chmod(draft, mode) == 0 else { throw .current("chmod", draft) }
        guard listen(descriptor, backlog) == 0 else { throw .current("listen", draft) }
    }

    private static func option(_ option: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, option, &value, &length) == 0 else { return nil }
        return value
    }

    private static func name(of descriptor: CInt) -> String {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
        }
        guard status == 0 else { return "" }
        return withUnsafeBytes(of: &address.sun_path) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
