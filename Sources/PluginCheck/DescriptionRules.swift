// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

/// What a good description holds beyond what a host needs to load it.
enum DescriptionRules {
    /// Every fault, as a sentence with the place in front.
    static func faults(
        of manifest: Manifest, _ version: (size: Int, major: Int, minor: Int)
    ) -> [String] {
        var faults: [String] = []
        if manifest.abiMajor != version.major || manifest.abiMinor != version.minor {
            faults.append(
                "/abi says \(manifest.abiMajor).\(manifest.abiMinor) and the table "
                    + "\(version.major).\(version.minor); build both from one header")
        }
        if !isName(manifest.id, "-") {
            faults.append("/id is \"\(manifest.id)\"; it is lower case with hyphens")
        }
        if manifest.version.isEmpty { faults.append("/version is empty") }
        if manifest.features.isEmpty {
            faults.append("/features is empty; a plugin offers at least one")
        }
        for (index, feature) in manifest.features.enumerated() {
            faults += self.faults(of: feature, "/features/\(index)")
        }
        return faults
    }

    private static func faults(of feature: FeatureDescription, _ place: String) -> [String] {
        var faults: [String] = []
        if !isName(feature.name, "-") {
            faults.append("\(place)/name is \"\(feature.name)\"; it is lower case with hyphens")
        }
        if feature.doc.isEmpty { faults.append("\(place)/doc is empty; say what the feature does") }
        for (kind, ports) in [("inputs", feature.inputs), ("outputs", feature.outputs)] {
            for (index, port) in ports.enumerated() {
                let place = "\(place)/\(kind)/\(index)"
                if !isName(port.name, "_ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
                    faults.append("\(place)/name is \"\(port.name)\"; it is a name as in code")
                }
                if port.doc.isEmpty {
                    faults.append("\(place)/doc is empty; say what \(port.name) carries")
                }
            }
        }
        guard case .object(let members, _, let others) = feature.options else {
            return faults + ["\(place)/options/schema is not of an object"]
        }
        if case .anything = others {
            faults.append(
                "\(place)/options/schema takes options that nobody knows; say "
                    + "\"additionalProperties\": false")
        }
        for member in members where feature.optionDefaults[member.name] == nil {
            faults.append("\(place)/options/defaults has no \(member.name)")
        }
        return faults
    }

    /// Whether this is a small letter, then small letters, digits and `more`.
    private static func isName(_ name: String, _ more: String) -> Bool {
        guard let first = name.unicodeScalars.first, ("a"..."z").contains(first) else {
            return false
        }
        return name.unicodeScalars.allSatisfy {
            ("a"..."z").contains($0) || ("0"..."9").contains($0)
                || more.unicodeScalars.contains($0)
        }
    }
}
