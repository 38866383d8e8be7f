// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// A plugin that this host knows: its manifest, and its code once somebody opens a feature.
///
/// Discovery reads the manifest and runs no code; the library is mapped by the first `open`, and what
/// the code says of itself must equal the file.
package final class Plugin {
    /// What the plugin says of itself.
    package let manifest: Manifest
    /// Where its library is, or nil for a plugin that is linked into this process.
    package let libraryPath: String?
    /// The manifest's file, or nil for a plugin that is linked into this process.
    package let manifestPath: String?
    /// The library's file when the manifest was read.
    package let file: LibraryFile?
    /// Whether its code is in the process.
    package var isLoaded: Bool { table != nil }

    private var table: PluginTable?
    private var refusal: HostError?

    /// A plugin found by its manifest.
    package init(manifest: Manifest, libraryPath: String, manifestPath: String? = nil) {
        self.manifest = manifest
        self.libraryPath = libraryPath
        self.manifestPath = manifestPath
        file = LibraryFile(libraryPath)
    }

    /// A plugin that is linked into this process.
    package init(_ table: PluginTable) throws(HostError) {
        manifest = try Self.describe(table)
        libraryPath = nil
        manifestPath = nil
        file = nil
        self.table = table
    }

    /// Whether one of its features bears this name.
    func offers(_ feature: String) -> Bool { manifest.features.contains { $0.name == feature } }

    /// What to tell who asks for it once it was retired.
    package var farewell: String {
        "the plugin \"\(manifest.id)\" was retired"
            + (manifestPath.map { "; `marblectl plugin load \($0)` brings it back" } ?? "")
    }

    /// Whether this is the same build from the same place as `other`.
    package func isSame(as other: Plugin) -> Bool {
        manifest == other.manifest && libraryPath == other.libraryPath && file == other.file
    }

    /// The code, mapped and checked on the first call. A refusal is final: the same file stays wrong.
    package func load() throws(HostError) -> PluginTable {
        if let table { return table }
        if let refusal { throw refusal }
        guard let libraryPath else { preconditionFailure("a linked plugin has its table") }
        do throws(HostError) {
            let table = try PluginLibrary.load(libraryPath)
            let described = try Self.describe(table)
            if let difference = Self.firstDifference(described.json, manifest.json, path: "") {
                throw .pluginRefused(
                    """
                    the code of \(libraryPath) and its manifest differ at \(difference); write the \
                    manifest again with `marbled manifest \(libraryPath) --write`
                    """)
            }
            self.table = table
            return table
        } catch {
            refusal = error
            throw error
        }
    }

    /// What a table says of itself.
    package static func describe(_ table: PluginTable) throws(HostError) -> Manifest {
        let text = table.describe()
        guard let json = try? JSONValue(parsing: text) else {
            throw .pluginRefused("what the plugin says of itself is not JSON")
        }
        do {
            return try Manifest(json)
        } catch {
            throw .pluginRefused("what the plugin says of itself cannot be read: \(error)")
        }
    }

    /// Where two descriptions first differ, as a JSON Pointer and both sides; nil when they are equal.
    /// `library` stands in the file only.
    package static func firstDifference(
        _ code: JSONValue, _ file: JSONValue, path: String
    ) -> String? {
        switch (code, file) {
        case (.object(let a), .object(let b)):
            let names = a.names + b.names.filter { a[$0] == nil }
            for name in names where !(path.isEmpty && name == "library") {
                let place = "\(path)/\(name)"
                guard let left = code[name] else { return "\(place): only the manifest has it" }
                guard let right = file[name] else { return "\(place): only the code has it" }
                if let difference = firstDifference(left, right, path: place) { return difference }
            }
            return nil
        case (.array(let a), .array(let b)) where a.count == b.count:
            for (index, (left, right)) in zip(a, b).enumerated() {
                if let difference = firstDifference(left, right, path: "\(path)/\(index)") {
                    return difference
                }
            }
            return nil
        default:
            return code == file
                ? nil : "\(path): the code says \(code.text), the manifest \(file.text)"
        }
    }
}
