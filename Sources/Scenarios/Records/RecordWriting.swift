// SPDX-License-Identifier: Apache-2.0

package import MarbledHost

/// The text of an instance's record, written some facts at a time: that of a long life is more than a
/// turn's work.
///
/// Whole, it is the text of the `RecordFile` that could be made when this was made.
package struct RecordWriting {
    /// What is written so far.
    package private(set) var text: String
    /// How many facts stand in it.
    package private(set) var facts = 0
    private let head: RecordFile
    private var taking: FactTaking

    package init(_ instance: Instance) {
        head = RecordFile(headOf: instance)
        taking = FactTaking(instance)
        text = head.beginning
        if taking.left == 0 { text += head.ending }
    }

    /// How many entries of the beginning are lost.
    package var dropped: Int { head.dropped }

    /// Whether the text is whole.
    package var isWhole: Bool { taking.left == 0 }

    /// Writes further facts, at most `count` of them, and after the last one the end.
    package mutating func write(atMost count: Int) {
        guard !isWhole else { return }
        facts += min(count, taking.left)
        taking.take(count) { RecordFile.write($0, to: &text) }
        if isWhole { text += head.ending }
    }
}
