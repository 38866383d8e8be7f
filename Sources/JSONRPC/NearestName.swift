// SPDX-License-Identifier: Apache-2.0

/// Finds the known name that a mistyped one was probably meant to be.
package enum NearestName {
    /// Longer words are not names, and the search is quadratic in length.
    private static let longest = 64

    /// The nearest of `known`, where at most a third of the letters (and at least one) is wrong.
    package static func find(_ name: String, among known: some Sequence<String>) -> String? {
        let letters = Array(name.utf8.prefix(longest + 1))
        guard letters.count <= longest else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in known {
            let distance = distance(letters, Array(candidate.utf8))
            let allowed = max(1, max(letters.count, candidate.utf8.count) / 3)
            if distance <= allowed, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// How a sentence ends that offers `suggestion`; nothing where there is none.
    package static func hint(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// Optimal string alignment: insertions, deletions, substitutions, and neighbours swapped.
    /// (Wagner and Fischer 1974, with the transposition of Damerau 1964.)
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            row.reserveCapacity(right.count + 1)
            for j in right.indices {
                var cost = min(previous[j + 1] + 1, row[j] + 1)
                cost = min(cost, previous[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, before[j - 1] + 1)
                }
                row.append(cost)
            }
            before = previous
            previous = row
        }
        return previous[right.count]
    }
}
