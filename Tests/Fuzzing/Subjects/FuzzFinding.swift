// SPDX-License-Identifier: Apache-2.0

/// A property that an input breaks, in a sentence.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Throws the sentence where something does not hold.
func require(
    _ holds: Bool, _ sentence: @autoclosure () -> String
) throws(FuzzFinding) {
    if !holds { throw FuzzFinding(sentence()) }
}

/// Throws where two texts differ in a byte; canonical equivalence is not enough for a file.
func requireSame(
    _ left: String, _ right: String, _ what: @autoclosure () -> String
) throws(FuzzFinding) {
    try require(
        left.utf8.elementsEqual(right.utf8),
        "\(what()):\n\(left.debugDescription)\n\(right.debugDescription)")
}
