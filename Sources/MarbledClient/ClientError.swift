// SPDX-License-Identifier: Apache-2.0

/// Why a call came to nothing.
package enum ClientError: Error, Equatable {
    /// Nobody could be reached; every path that was tried.
    case cannotConnect([FailedAttempt])
    /// The daemon answered an error.
    case refused(RemoteError, method: String)
    /// The answer to this did not come in time.
    case timeout(String)
    /// The server ended the connection.
    case closed(String?)
    /// The server wrote something that the protocol does not have.
    case notUnderstood(String)
}

/// One path that led nowhere.
package struct FailedAttempt: Equatable, Sendable {
    package let path: SocketPath
    package let fault: Fault

    package enum Fault: Equatable, Sendable {
        case absent, nobodyListens, noSocket, denied, pathTooLong, busy, other(String)
    }

    package init(_ path: SocketPath, _ fault: Fault) {
        self.path = path
        self.fault = fault
    }

    package var sentence: String {
        let place = "\(path.path) (\(path.origin.reason))"
        return switch fault {
        case .absent: "no daemon at \(place): there is no such socket"
        case .nobodyListens: "no daemon at \(place): the socket is left over, nobody listens on it"
        case .noSocket: "no daemon at \(place): what stands there is no socket"
        case .denied: "no way in to \(place): permission denied"
        case .pathTooLong: "\(place) is too long for a socket, which may have 107 bytes"
        case .busy: "the daemon at \(place) has too many callers waiting"
        case .other(let reason): "cannot connect to \(place): \(reason)"
        }
    }

    package var advice: String {
        switch fault {
        case .absent, .nobodyListens, .other:
            switch path.origin {
            case .option, .variable:
                "Start one with `marbled --socket \(path.path)`, or add --spawn for a private one."
            case .runtimeDirectory, .system:
                "Start one with `marbled` or `systemctl start marbled`, or add --spawn for a "
                    + "private one; --socket names another path."
            }
        case .denied: "Ask to be let into the socket's group: `ls -l \(path.path)` names it."
        case .noSocket: "Name another path with --socket; `marbled --check` prints the daemon's."
        case .pathTooLong: "Choose a shorter path with --socket."
        case .busy: "Try again; `marblectl status` shows how busy it is."
        }
    }
}
