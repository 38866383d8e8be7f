// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder for the length of a test: it goes away with the value, and all that is in it.
///
/// Only its owner sees into it. Its path is short, since a socket's has room for 107 bytes.
package final class TemporaryFolder: Sendable {
    /// Where it is, without a slash at the end.
    package let path: String

    /// Makes an empty one. A machine on which that fails can run no test, and the program stops.
    package init() {
        var template = Array("/tmp/marbled.XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "a test's folder in /tmp cannot be made: \(errno)")
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Makes one with `files`, texts by their names. Throws what `write(_:to:)` throws.
    package convenience init(_ files: [String: String]) throws(Failure) {
        self.init()
        for (name, text) in files { try write(text, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of `name` in here.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes `text` to the file `name` in here. Throws `Failure` with the path.
    package func write(_ text: String, to name: String) throws(Failure) {
        try Files.write(text, to: file(name))
    }
}
