// SPDX-License-Identifier: Apache-2.0

/// The first files of a plugin's package: a feature that works, its test, its scenario.
///
/// Only decides what is written; the command line writes it.
package struct Scaffold: Sendable {
    /// What a plugin is written in.
    package enum Language: String, Sendable, CaseIterable {
        case swift
        case c
    }

    /// Where the package finds marbled.
    package enum Origin: Equatable, Sendable {
        /// A folder with marbled's sources, absolute.
        case folder(String)
        /// A repository, taken at this program's version.
        case url(String)
    }

    /// One file, by its path inside the package.
    package struct File: Equatable, Sendable {
        package var path: String
        package var text: String
    }

    /// The feature's and the plugin's name: `traffic-light`.
    package let name: String
    package let language: Language
    package let origin: Origin

    /// Throws a usage error that says what name would be right.
    package init(
        name: String, language: Language, origin: Origin
    ) throws(Complaint) {
        self.name = name
        self.language = language
        self.origin = origin
        try Self.check(name)
        if language == .c, case .url(let url) = origin {
            throw .usage(
                "a plugin in C needs the header, and \(url) is no folder",
                advice: "Name the folder that holds marbled, or include/marbled.h, with --marbled.")
        }
        if case .folder(let folder) = origin, folder.contains(where: { "\"\\\n$#".contains($0) }) {
            throw .usage(
                "\"\(folder.printable)\" cannot be written into a package's files",
                advice: "Name a folder without quotes, backslashes, dollars or hashes in its path.")
        }
    }

    /// The type's name: `TrafficLight`.
    package var type: String {
        name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Everything to write.
    package var files: [File] {
        switch language {
        case .swift: swiftFiles
        case .c: cFiles
        }
    }

    // MARK: Names

    private static let taken = [
        "marbled", "marbled-kit", "marbled-testing", "streams", "scheduling", "plugin", "feature",
        "swift", "testing", "foundation", "glibc", "tests", "input", "output", "options",
    ]

    private static func check(_ name: String) throws(Complaint) {
        let bytes = Array(name.utf8)
        let isGood =
            bytes.first.map { isSmall($0) } == true && bytes.last != UInt8(ascii: "-")
            && !name.contains("--") && bytes.count <= 64
            && bytes.allSatisfy {
                isSmall($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
        guard isGood else {
            let right = suggestion(name)
            throw .usage(
                "\"\(name.printable)\" is no name of a feature: it is 1 to 64 small letters, digits and "
                    + "single hyphens, a letter first",
                advice: right.map { "\"\($0)\" would be one." })
        }
        guard !taken.contains(name) else {
            throw .usage(
                "\"\(name)\" is the name of something that the package uses",
                advice: "\"my-\(name)\" would be free.")
        }
    }

    private static func isSmall(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// The nearest name that is one: `TrafficLight` and `traffic_light` become `traffic-light`.
    package static func suggestion(_ name: String) -> String? {
        var words: [String] = [""]
        var wasLarge = true
        for scalar in name.unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9":
                words[words.count - 1].unicodeScalars.append(scalar)
                wasLarge = false
            case "A"..."Z":
                if !wasLarge { words.append("") }
                words[words.count - 1] += String(scalar).lowercased()
                wasLarge = true
            default:
                words.append("")
                wasLarge = true
            }
        }
        let joined = words.filter { !$0.isEmpty }.joined(separator: "-").prefix(64)
        let right = joined.drop { !("a"..."z").contains($0) }
        return right.isEmpty || right.hasSuffix("-") ? nil : String(right)
    }

    // MARK: Places

    /// A program of marbled as a Makefile calls it: along PATH; the release build of a checkout first,
    /// where there is one.
    func program(_ name: String) -> String {
        guard case .folder(let folder) = origin else { return name }
        return "$(or $(wildcard \(folder)/.build/release/\(name)),\(name))"
    }

    /// The nearest folder above `executable` that holds what `language` needs of marbled: the checkout that
    /// it was built in, or for C the place where it is installed with the header. Nil where there is none.
    package static func home(
        of executable: String, for language: Language, isThere: (String) -> Bool
    ) -> String? {
        var folder = executable[...]
        while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            folder = folder[..<slash]
            let isCheckout =
                isThere("\(folder)/Sources/CMarbledABI/include/marbled.h")
                && isThere("\(folder)/Package.swift")
            if isCheckout { return String(folder) }
            if language == .c, isThere("\(folder)/include/marbled.h") { return String(folder) }
        }
        return nil
    }

    /// The folder of marbled.h inside a checkout or an installation, or nil.
    package static func headerFolder(
        in folder: String, isThere: (String) -> Bool
    ) -> String? {
        ["\(folder)/Sources/CMarbledABI/include", "\(folder)/include", folder]
            .first { isThere("\($0)/marbled.h") }
    }
}
