// SPDX-License-Identifier: Apache-2.0

/// The folder of the package, in which the tests were built.
package enum Checkout {
    /// Where it is, without a slash at the end; this file stands in its `Tests/Support`.
    package static let path =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
}
