// SPDX-License-Identifier: Apache-2.0

internal import Testing

#if canImport(XCTest)
internal import XCTest
#endif

/// Fails the test that is running, whichever library runs it.
///
/// Testing does not hear of a failure inside an XCTest, and lets it pass: a suite that was moved here from
/// RxTest would be green for ever. So what happens outside any test of Testing is told to both.
enum TestFailure {
    /// Fails the test with a sentence.
    static func report(_ text: String, _ place: SourceLocation) {
        Issue.record(Comment(rawValue: text), sourceLocation: place)
        tellXCTest(text, place)
    }

    /// Fails the test with an error.
    static func report(_ error: any Error, _ place: SourceLocation) {
        Issue.record(error, sourceLocation: place)
        tellXCTest("\(error)", place)
    }

    private static func tellXCTest(_ text: String, _ place: SourceLocation) {
        #if canImport(XCTest)
        guard Test.current == nil else { return }
        // Its own place is a literal, so ours stands in the text.
        XCTFail("\(place): \(text)")
        #endif
    }
}
