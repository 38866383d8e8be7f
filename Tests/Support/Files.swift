// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What tests do to files. What cannot be read is empty: a test says itself what it expects there.
package enum Files {
    /// Whether something stands at `path`.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The bytes of a file; none where it cannot be read.
    package static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    /// The text of a file, read as UTF-8; empty where it cannot be read.
    package static func text(_ path: String) -> String {
        String(decoding: bytes(path), as: UTF8.self)
    }

    /// Makes the file, or puts `bytes` in the place of all that it held. A new file is its owner's to write,
    /// whatever the umask allows. Throws `Failure` with the path.
    package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0, let file = fdopen(descriptor, "w") else {
            throw Failure("\(path): \(errno)")
        }
        let written = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, written == bytes.count else { throw Failure("\(path): \(errno)") }
    }

    /// Writes `text` as UTF-8, as `write(_:to:)` does bytes.
    package static func write(_ text: String, to path: String) throws(Failure) {
        try write(Array(text.utf8), to: path)
    }

    /// Writes what `from` holds to `path`.
    package static func copy(_ from: String, to path: String) throws(Failure) {
        try write(bytes(from), to: path)
    }

    /// The names of what stands in a folder, sorted; none where it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
