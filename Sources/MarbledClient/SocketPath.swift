// SPDX-License-Identifier: Apache-2.0

/// Where a daemon may listen, and why the client looks there.
package struct SocketPath: Equatable, Sendable {
    package let path: String
    package let origin: Origin

    /// Who named the path.
    package enum Origin: Equatable, Sendable {
        case option, variable, runtimeDirectory, system

        /// The reason, as a message puts it in brackets.
        package var reason: String {
            switch self {
            case .option: "from --socket"
            case .variable: "from $MARBLED_SOCKET"
            case .runtimeDirectory: "in $XDG_RUNTIME_DIR"
            case .system: "the system's daemon"
            }
        }
    }

    /// Whether the kernel takes a path of this length.
    package var fits: Bool { ClientSocket.fits(path) }

    package init(_ path: String, _ origin: Origin) {
        self.path = path
        self.origin = origin
    }

    /// The paths to try, in order. A path that somebody named is the only one; without one the user's
    /// own daemon goes before the system's. Empty variables count as absent.
    package static func candidates(
        option: String?, environment: (String) -> String?
    ) -> [SocketPath] {
        func variable(_ name: String) -> String? {
            environment(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        if let option { return [SocketPath(option, .option)] }
        if let path = variable("MARBLED_SOCKET") { return [SocketPath(path, .variable)] }
        let system = SocketPath("/run/marbled/marbled.sock", .system)
        guard let folder = variable("XDG_RUNTIME_DIR") else { return [system] }
        return [SocketPath("\(folder)/marbled.sock", .runtimeDirectory), system]
    }
}
