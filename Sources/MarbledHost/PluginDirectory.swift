// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

/// Finds plugins by the manifests in a list of folders; runs none of their code.
package struct PluginDirectory {
    /// Where to look, first match wins.
    package var path: [String]
    /// Under the system service, a library that others may write is refused.
    package var refusesForeignWriters: Bool

    package init(path: [String], refusesForeignWriters: Bool = false) {
        self.path = path
        self.refusesForeignWriters = refusesForeignWriters
    }

    /// What a look into the folders found.
    package struct Findings {
        package var plugins: [Plugin] = []
        /// Manifests that were refused, each with its sentence.
        package var refusals: [(file: String, reason: String)] = []
        /// Folders that could not be looked into.
        package var missing: [String] = []
    }

    /// Reads every `*.plugin.json` of every folder, in the order of their names.
    package func scan() -> Findings {
        var findings = Findings()
        for folder in path {
            guard let names = Self.names(in: folder) else {
                findings.missing.append(folder)
                continue
            }
            for name in names where name.hasSuffix(".plugin.json") {
                let file = "\(folder)/\(name)"
                do {
                    let plugin = try readManifest(file, in: folder)
                    let known = findings.plugins.first { $0.manifest.id == plugin.manifest.id }
                    guard let known else {
                        findings.plugins.append(plugin)
                        continue
                    }
                    // An earlier folder overrides a later one; within one folder it is a mistake.
                    if known.libraryPath?.hasPrefix(folder + "/") == true {
                        let reason =
                            "another manifest of this folder says it is \"\(plugin.manifest.id)\""
                        findings.refusals.append((file, reason))
                    }
                } catch {
                    findings.refusals.append((file, "\(error)"))
                }
            }
        }
        return findings
    }

    /// The plugin of one manifest, wherever that is; the same rules hold.
    package func plugin(manifest file: String) throws(HostError) -> Plugin {
        let slash = file.lastIndex(of: "/") ?? file.startIndex
        return try readManifest(file, in: String(file[..<slash]))
    }

    private func readManifest(_ file: String, in folder: String) throws(HostError) -> Plugin {
        guard let bytes = Self.contents(of: file) else {
            throw .pluginRefused("it cannot be read, or is no file of at most 1 MiB")
        }
        guard let json = try? bytes.withUnsafeBytes({ try JSONValue(parsing: $0) }) else {
            throw .pluginRefused("it is not JSON")
        }
        let manifest: Manifest
        do { manifest = try Manifest(json) } catch { throw .pluginRefused("\(error)") }
        guard let library = manifest.library else {
            throw .pluginRefused("/library is missing: the file name of the plugin's library")
        }
        guard !library.contains("/") else {
            throw .pluginRefused("/library is \"\(library)\"; it names a file beside the manifest")
        }
        let path = "\(folder)/\(library)"
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .pluginRefused("its library \(path) is not there")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .pluginRefused("its library \(path) is not a file")
        }
        if refusesForeignWriters {
            for place in [folder, file, path] { try Self.requireSafe(place) }
        }
        return Plugin(manifest: manifest, libraryPath: path, manifestPath: file)
    }

    /// Refuses a file or folder that others can change, or put another in place of. A link is followed.
    package static func requireSafe(_ path: String) throws(HostError) {
        guard let resolved = realpath(path, nil) else {
            throw .pluginRefused("\(path) cannot be followed")
        }
        defer { free(resolved) }
        let real = String(cString: resolved)
        let parent = real.lastIndex(of: "/").map { String(real[..<$0]) } ?? ""
        try requireOwn(real, isParent: false)
        try requireOwn(parent.isEmpty ? "/" : parent, isParent: true)
    }

    private static func requireOwn(_ place: String, isParent: Bool) throws(HostError) {
        var status = stat()
        guard stat(place, &status) == 0 else {
            throw .pluginRefused("\(place) cannot be looked at")
        }
        // In a sticky folder such as /tmp nobody replaces what is another's.
        let isSticky = isParent && status.st_mode & S_ISVTX != 0
        guard isSticky || status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw .pluginRefused(
                "\(place) can be written by others than its owner; chmod go-w \(place)")
        }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw .pluginRefused(
                "\(place) belongs to user \(status.st_uid); it must be root's or the daemon's own")
        }
    }

    private static func names(in folder: String) -> [String]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.sorted()
    }

    /// The bytes of a file of at most 1 MiB, or nil.
    static func contents(of file: String) -> [UInt8]? {
        // A pipe by that name would keep the daemon waiting for a writer.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
        while bytes.count <= 1 << 20 {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes.append(contentsOf: chunk[..<count])
        }
        return nil
    }
}
