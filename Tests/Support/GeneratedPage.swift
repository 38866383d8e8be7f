// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Testing

/// A file of the checkout that is printed from the code, and a test that fails when it is not up to date.
package struct GeneratedPage {
    private let path: String
    private let command: String

    /// - Parameters:
    ///   - path: the file, from the checkout's folder on: `Documentation/Marbled.docc/Protocol.md`.
    ///   - command: what writes it, for who finds it out of date.
    package init(_ path: String, writtenBy command: String) {
        self.path = path
        self.command = command
    }

    /// Expects that the file is `text`; an issue names the first line that differs.
    ///
    /// With `MARBLED_WRITE_PAGES` in the environment the file is written first. Throws `Failure` when that
    /// cannot be done.
    package func expectUpToDate(
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws(Failure) {
        let file = "\(Checkout.path)/\(path)"
        if getenv("MARBLED_WRITE_PAGES") != nil { try Files.write(text, to: file) }
        let page = Files.text(file)
        let isUpToDate = page == text
        #expect(
            isUpToDate,
            "\(path) is not up to date; \(command) writes it. \(Self.difference(page, text))",
            sourceLocation: sourceLocation)
    }

    /// Where the texts differ first, in a sentence.
    private static func difference(_ page: String, _ text: String) -> String {
        let pairs = zip(
            page.split(separator: "\n", omittingEmptySubsequences: false),
            text.split(separator: "\n", omittingEmptySubsequences: false))
        guard let (number, pair) = pairs.enumerated().first(where: { $1.0 != $1.1 }) else {
            return "One is the beginning of the other."
        }
        return "Line \(number + 1) is \"\(pair.0)\" and should be \"\(pair.1)\"."
    }
}
