// SPDX-License-Identifier: Apache-2.0

/// What went wrong in the tests' own machinery.
package struct Failure: Error, CustomStringConvertible {
    /// A sentence for who reads the test's output.
    package let description: String

    /// A failure that says `description`.
    package init(_ description: String) {
        self.description = description
    }
}
