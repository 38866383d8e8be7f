// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import JSONRPC
internal import MarbledClient

/// Files that the command line names; whatever cannot be read is a usage error.
enum Files {
    /// A file's text; `-` is the standard input.
    static func text(_ path: String) throws(Complaint) -> String {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            guard count > 0 else { break }
            bytes += room[..<count]
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage(
                "\(path) is not UTF-8 text", advice: "Is it the file that you meant?")
        }
        return text
    }

    /// Writes a file anew: beside it first, so that a full disk leaves the old one.
    static func write(_ text: String, to path: String) throws(Complaint) {
        let beside = path + ".new"
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw unwritable(path) }
        var text = text
        let isWritten = text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }
        guard close(descriptor) == 0, isWritten, rename(beside, path) == 0 else {
            let error = unwritable(path)
            unlink(beside)
            throw error
        }
    }

    /// Makes a folder, and those above it that are missing.
    static func makeFolder(_ path: String) throws(Complaint) {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            let above = String(path[..<slash])
            if !isThere(above) { try makeFolder(above) }
        }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw unwritable(path) }
    }

    static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// A path from the root, links followed; nil where nothing is there.
    static func absolute(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func unwritable(_ path: String) -> Complaint {
        .usage(
            "\(path) cannot be written: \(String(cString: strerror(errno)))",
            advice: "Check that its folder is there, and yours to write to.")
    }

    /// Stubs from a file, or from the argument itself where it begins as rules do.
    static func stubs(_ argument: String) throws(Complaint) -> [JSONValue] {
        switch argument.drop(while: \.isWhitespace).first {
        case "{", "[": return try ArgumentText.stubs(argument)
        default: return try ArgumentText.stubs(try text(argument))
        }
    }

    /// A scenario file, or all below a folder, in order of their names.
    static func scenarios(_ path: String) throws(Complaint) -> [(name: String, text: String)] {
        try texts(path, suffix: ".yaml", "scenario")
    }

    /// A file, or all below a folder whose names end in `suffix`, in order of their names.
    static func texts(
        _ path: String, suffix: String, _ what: String
    ) throws(Complaint) -> [(name: String, text: String)] {
        guard path != "-" else { return [("standard input", try text(path))] }
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw unreadable(path) }
        guard facts.st_mode & S_IFMT == S_IFDIR else { return [(path, try text(path))] }
        var found: [(name: String, text: String)] = []
        for file in try paths(below: path, suffix: suffix, depth: 0) {
            found.append((file, try text(file)))
        }
        guard !found.isEmpty else {
            throw .usage(
                "there is no \(what) in \(path)",
                advice: "The names of \(what) files end in \(suffix).")
        }
        return found
    }

    /// The files of a folder whose names end in `suffix`, in order.
    static func paths(in folder: String, suffix: String) throws(Complaint) -> [String] {
        try names(in: folder).filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
    }

    private static func names(in folder: String) throws(Complaint) -> [String] {
        guard let directory = opendir(folder) else { throw unreadable(folder) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func paths(
        below folder: String, suffix: String, depth: Int
    ) throws(Complaint) -> [String] {
        guard depth < 32 else {
            throw .usage("\(folder) is too deep", advice: "Does a link lead back to itself?")
        }
        let names = try names(in: folder)
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        var paths: [String] = []
        for name in names {
            var facts = stat()
            guard stat(prefix + name, &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFDIR {
                paths += try Self.paths(
                    below: prefix + name, suffix: suffix, depth: depth + 1)
            } else if name.hasSuffix(suffix) {
                paths.append(prefix + name)
            }
        }
        return paths
    }

    private static func unreadable(_ path: String) -> Complaint {
        .usage(
            "\(path) cannot be read: \(String(cString: strerror(errno)))",
            advice: "Check the path: it is taken from the folder that you are in.")
    }
}
