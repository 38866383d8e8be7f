// SPDX-License-Identifier: Apache-2.0

internal import EventLoop
internal import Glibc

/// What names and paths mean on this system. `--check`, the start and a reload all ask here, so that none of
/// them accepts what another refuses.
extension Configuration {
    /// Throws a sentence for what can be written and is not there, or cannot be.
    func resolve() throws(ConfigurationError) {
        do { try ListeningSocket.checkPath(socket) } catch {
            throw ConfigurationError("\(error)")
        }
        _ = try groupNumber()
        _ = try policy(ownUser: geteuid(), socketGroup: nil)
    }

    /// The number of the group that the socket belongs to; nil for the process's own.
    func groupNumber() throws(ConfigurationError) -> gid_t? {
        guard let group else { return nil }
        guard let number = gid_t(group) ?? Self.groupNumber(group) else {
            throw ConfigurationError("group: there is no group \"\(group)\"")
        }
        return number
    }

    /// Who may do what, with the numbers of this system's users and groups.
    func policy(
        ownUser: UInt32, socketGroup: UInt32?
    ) throws(ConfigurationError) -> AccessPolicy {
        do {
            return try AccessPolicy(
                access, ownUser: ownUser, socketGroup: socketGroup,
                user: { getpwnam($0)?.pointee.pw_uid }, group: Self.groupNumber)
        } catch {
            // Only the file says who may do what.
            throw ConfigurationError(file.map { "\($0): \(error)" } ?? "\(error)")
        }
    }

    private static func groupNumber(_ name: String) -> gid_t? { getgrnam(name)?.pointee.gr_gid }
}
