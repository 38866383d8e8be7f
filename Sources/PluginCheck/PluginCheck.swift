// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

/// The conformance check: what the boundary's header and the manifest promise, tried on one plugin.
///
/// It runs the plugin's code in this process, in virtual time; a plugin that crashes takes the process with
/// it, so a person's tool runs it in a child. Findings come as they are made.
package struct PluginCheck {
    private let library: String
    private let symbol: String
    private var report: CheckReport

    /// Checks the file `library`; `symbol` is another name than the boundary's in tests only.
    package init(
        library: String, symbol: String = PluginLibrary.symbol, report: CheckReport
    ) {
        // Without a folder the loader would look along its own path.
        self.library = library.contains("/") ? library : "./\(library)"
        self.symbol = symbol
        self.report = report
    }

    /// Makes every check that can be made. Returns whether all hold; warnings do not count.
    package mutating func run() -> Bool {
        guard let table = checkLibrary() else { return false }
        checkVersion(table)
        guard let manifest = checkDescription(table) else { return false }
        checkManifestFile(manifest)
        checkRights()
        checkSymbols()
        do throws(HostError) {
            let plugin = try Plugin(table)
            let host = FeatureTrial.makeHost(plugin)
            for feature in manifest.features { check(feature, on: host) }
            host.closeAll()
        } catch {
            report.fail("description", "\(error)", advice: "Describe the plugin as marbled.h says.")
        }
        return report.isGood
    }

    // MARK: The library

    private mutating func checkLibrary() -> PluginTable? {
        report.began("library")
        do throws(HostError) {
            let table = try PluginLibrary.load(library, symbol: symbol)
            report.ok("library", "it loads and exports \(symbol)")
            return table
        } catch {
            report.fail(
                "library", "\(error)",
                advice:
                    "Build a shared library that exports marbled_plugin_v1 and names what it is linked with."
            )
            return nil
        }
    }

    private mutating func checkVersion(_ table: PluginTable) {
        let version = table.version
        report.ok(
            "table",
            "\(version.size) bytes of version \(version.major).\(version.minor) of the boundary")
    }

    private mutating func checkDescription(_ table: PluginTable) -> Manifest? {
        report.began("description")
        let advice = "marbled.h and the manifest of a plugin that passes show how it is written."
        do throws(HostError) {
            let manifest = try Plugin.describe(table)
            let faults = DescriptionRules.faults(of: manifest, table.version)
            for fault in faults { report.fail("description", fault, advice: advice) }
            if faults.isEmpty {
                let names = manifest.features.map(\.name).joined(separator: ", ")
                report.ok("description", "\(manifest.id) \(manifest.version) offers \(names)")
            }
            return manifest
        } catch {
            report.fail("description", "\(error)", advice: advice)
            return nil
        }
    }

    // MARK: The files

    private mutating func checkManifestFile(_ manifest: Manifest) {
        report.began("manifest")
        let advice = "Write it again: marbled manifest \(library) --write"
        do throws(CheckFailure) {
            let file = try ManifestFile.beside(library, id: manifest.id)
            if let difference = Plugin.firstDifference(manifest.json, file.json, path: "") {
                throw CheckFailure(
                    "\(file.path) and the code differ at \(difference)", advice: advice)
            }
            report.ok("manifest", "\(file.path) says what the code says")
        } catch {
            report.fail("manifest", error.text, advice: advice)
        }
    }

    private mutating func checkRights() {
        report.began("rights")
        do throws(HostError) {
            try PluginDirectory.requireSafe(library)
            report.ok("rights", "only its owner can change the library and its folder")
        } catch {
            report.warn(
                "rights", "\(error)",
                advice:
                    "The system service refuses it where it lies; installed elsewhere it may do.")
        }
    }

    private mutating func checkSymbols() {
        report.began("symbols")
        guard let bytes = FileBytes.of(library, atMost: 1 << 30),
            let names = LibrarySymbols.undefined(in: bytes)
        else {
            return report.warn(
                "symbols", "it is no ELF library of 64 bits whose symbols can be read",
                advice: "Nothing was looked for; the other checks hold all the same.")
        }
        let escapes = TimelineEscape.found(in: names)
        for escape in escapes {
            report.warn(
                "symbols", "it uses \(escape.name) (\(escape.symbol))", advice: escape.advice)
        }
        if escapes.isEmpty {
            report.ok("symbols", "nothing among \(names.count) goes around the timeline")
        }
    }

    // MARK: The features

    private mutating func check(_ feature: FeatureDescription, on host: Host) {
        let trial = FeatureTrial(feature, on: host)
        for (name, promise) in FeatureTrial.promises {
            let subject = "\(feature.name): \(name)"
            report.began(subject)
            do throws(CheckFailure) {
                report.ok(subject, try promise(trial))
            } catch {
                report.fail(subject, error.text, advice: error.advice)
                // A feature that does not open can be asked nothing more.
                if name == FeatureTrial.opening { return }
            }
        }
    }
}
