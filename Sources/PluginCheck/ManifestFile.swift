// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import JSONRPC

/// A manifest as it lies beside its library.
struct ManifestFile {
    let path: String
    let json: JSONValue

    /// Reads the manifest of `library`, whose plugin is called `id`.
    static func beside(_ library: String, id: String) throws(CheckFailure) -> ManifestFile {
        let slash = library.lastIndex(of: "/") ?? library.startIndex
        let path = "\(library[..<slash])/\(id).plugin.json"
        let name = String(library[library.index(after: slash)...])
        guard let bytes = FileBytes.of(path, atMost: 1 << 20) else {
            throw CheckFailure("there is no \(path)", advice: "")
        }
        guard let json = try? bytes.withUnsafeBytes({ try JSONValue(parsing: $0) }) else {
            throw CheckFailure("\(path) is not JSON", advice: "")
        }
        guard json["library"]?.string == name else {
            let said = json["library"]?.text ?? "nothing"
            throw CheckFailure(
                "/library of \(path) is \(said) and the file is \"\(name)\"", advice: "")
        }
        return ManifestFile(path: path, json: json)
    }
}

/// A file's contents.
enum FileBytes {
    /// All bytes, or nil where they cannot be read or are more than `limit`.
    static func of(_ path: String, atMost limit: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limit
        else { return nil }
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { room, count in
            while count < room.count {
                let received = read(
                    descriptor, room.baseAddress?.advanced(by: count), room.count - count)
                if received < 0, errno == EINTR { continue }
                guard received > 0 else {
                    isRead = received == 0
                    return
                }
                count += received
            }
        }
        return isRead ? bytes : nil
    }
}
