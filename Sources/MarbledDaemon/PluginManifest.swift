// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import JSONRPC
internal import MarbledHost

/// The manifest of a library, made from what its code says of itself.
package struct PluginManifest {
    /// The file's text.
    package let text: String
    /// Where it belongs: beside the library.
    package let path: String

    /// Loads `library` and asks it.
    package init(library: String) throws {
        let absolute = library.contains("/") ? library : "./\(library)"
        let description = try Plugin.describe(PluginLibrary.load(absolute))
        let slash = absolute.lastIndex(of: "/") ?? absolute.startIndex
        let file = String(absolute[absolute.index(after: slash)...])
        var json = description.json
        json["library"] = .string(file)
        text = json.prettyText + "\n"
        path = "\(absolute[..<slash])/\(description.id).plugin.json"
    }

    /// Writes the file, whole or not at all; leaves it alone when it says the same already.
    package func write() throws {
        let draft = path + ".new"
        guard let file = fopen(draft, "we") else {
            throw ConfigurationError(
                "\(draft) cannot be written: \(String(cString: strerror(errno)))")
        }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten, rename(draft, path) == 0 else {
            throw ConfigurationError(
                "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
