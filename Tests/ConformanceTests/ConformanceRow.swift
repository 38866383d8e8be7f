// SPDX-License-Identifier: Apache-2.0

/// One thing that another project's tests of virtual time, streams or marbles demand.
struct ConformanceRow {
    /// What the row's tests are named by.
    enum Name: Hashable, Comparable {
        /// A row of the table: tests called `row 19 …`.
        case row(Int)
        /// One of our own, which no peer has: tests called `own 3 …`.
        case own(Int)
    }

    /// How far we agree.
    enum Class: Equatable {
        /// A: it holds as it stands there.
        case asIs
        /// B: it holds under the profile `rxTest`, whose rules exist to move such suites over.
        case rxTest
        /// C: we decide otherwise; this is our value and the reason.
        case ours(String)

        var letter: String {
            switch self {
            case .asIs: "A"
            case .rxTest: "B"
            case .ours: "C"
            }
        }
    }

    let name: Name
    /// Whose test it is: the project, and its test in short.
    let source: String
    /// What must hold. Times are ticks; "sub" is when a source was subscribed to and given up.
    let holds: String
    let kind: Class

    static func row(
        _ number: Int, _ source: String, _ holds: String, _ kind: Class = .asIs
    ) -> ConformanceRow {
        ConformanceRow(
            name: .row(number), source: source, holds: holds, kind: kind)
    }

    static func own(_ number: Int, _ holds: String) -> ConformanceRow {
        ConformanceRow(name: .own(number), source: "", holds: holds, kind: .asIs)
    }
}
