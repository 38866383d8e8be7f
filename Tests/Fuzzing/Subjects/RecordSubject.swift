// SPDX-License-Identifier: Apache-2.0

internal import Scenarios

/// Records: what is read is written, read back as equal, and written as the same bytes.
enum RecordSubject {
    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        let record: RecordFile
        do { record = try RecordReader.read(text) } catch {
            return try require(
                error.line >= 1 && error.line <= text.utf8.count { $0 == 0x0A } + 1
                    && error.column >= 1 && error.column <= text.count + 1,
                "an error at \(error)")
        }
        try checkWritten(record)
    }

    static func checkWritten(_ record: RecordFile) throws(FuzzFinding) {
        let written = record.text
        let again: RecordFile
        do { again = try RecordReader.read(written) } catch {
            throw FuzzFinding("written so, it is refused: \(error)\n\(written)")
        }
        try requireSame(again.text, written, "written twice")
        try require(again == record, "it reads back as another record:\n\(written)")
    }
}
