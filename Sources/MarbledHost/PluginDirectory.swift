// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif
internal import JSONRPC

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
    }

    /// Reads every `*.plugin.json` of every folder, in the order of their names.
    package func scan() -> Findings {
        var findings = Findings()
        for folder in path {
            for name in Self.names(in: folder) where name.hasSuffix(".plugin.json") {
                let file = "\(folder)/\(name)"
                do {
                    let plugin = try readManifest(file, in: folder)
                    // An earlier folder overrides a later one.
                    if !findings.plugins.contains(where: { $0.manifest.id == plugin.manifest.id }) {
                        findings.plugins.append(plugin)
                    }
                } catch {
                    findings.refusals.append((file, "\(error)"))
                }
            }
        }
        return findings
    }

    private func readManifest(_ file: String, in folder: String) throws(HostError) -> Plugin {
        guard let bytes = Self.contents(of: file) else {
            throw .pluginRefused("it cannot be read")
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
        if refusesForeignWriters {
            for place in [folder, file, path] {
                guard Self.isSafe(place) else {
                    throw .pluginRefused(
                        "\(place) can be written by others than its owner; chmod go-w \(place)")
                }
            }
        }
        return Plugin(manifest: manifest, libraryPath: path)
    }

    private static func isSafe(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
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
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
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
