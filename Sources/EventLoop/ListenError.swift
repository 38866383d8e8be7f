// SPDX-License-Identifier: Apache-2.0

/// Why a daemon cannot listen, each in a sentence that ends with what to do.
package enum ListenError: Error, Equatable, Sendable {
    /// The path does not fit into a socket address.
    case pathTooLong(path: String, limit: Int)
    /// The path is empty, or has a zero byte in it.
    case pathUnusable(path: String)
    /// The directory that should hold the socket is not there.
    case missingDirectory(path: String, directory: String)
    /// Something that is no socket stands at the path.
    case notASocket(path: String)
    /// Another process listens there, or holds the path's lock; its number if it is known.
    case inUse(path: String, process: Int32?)
    /// An inherited descriptor is not a listening Unix stream socket.
    case notListening(descriptor: CInt)
    /// The kernel refused a step.
    case failed(LoopError)
}

extension ListenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pathTooLong(let path, let limit):
            "the socket path \(path) has \(path.utf8.count) bytes and the kernel takes \(limit);"
                + " choose a shorter one"
        case .pathUnusable(let path):
            "\(path.debugDescription) cannot be a socket path; give the path of a file to be made"
        case .missingDirectory(let path, let directory):
            "the directory \(directory) for the socket \(path) does not exist; create it first"
        case .notASocket(let path):
            "\(path) exists and is not a socket; move it away or choose another path"
        case .inUse(let path, let process):
            "another process\(process.map { " (\($0))" } ?? "") listens at \(path);"
                + " stop it or choose another path"
        case .notListening(let descriptor):
            "the inherited descriptor \(descriptor) is not a listening Unix stream socket;"
                + " have the service manager pass one made with ListenStream="
        case .failed(let error):
            "cannot listen: \(error)"
        }
    }
}
