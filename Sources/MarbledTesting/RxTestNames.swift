// SPDX-License-Identifier: Apache-2.0

public import Streams
// Exported, because every verb that can fail a test notes the place of its call by one of Testing's macros:
// a suite written for XCTest calls them without an import of its own.
@_exported public import Testing

// Names by which suites written for RxTest call what has another name here.

/// A tick, as RxTest spells it.
public typealias TestTime = Int

/// `expectValues`, as RxTest spells it: exactly these values, whenever they came. An error or a
/// completion in the record fails it.
public func XCTAssertRecordedElements<Element: Equatable>(
    _ stream: [Recorded<Event<Element>>], _ elements: [Element],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    if let end = stream.first(where: { $0.value.isStopEvent }) {
        TestFailure.report("\(end) is no value", sourceLocation)
    }
    expectValues(stream, elements, sourceLocation: sourceLocation)
}
