// SPDX-License-Identifier: Apache-2.0

import MarbledHost
import Testing

@Suite struct RecordTests {
    @discardableResult
    private func append(_ record: inout Record, _ text: String, at: Int64 = 0) -> Int {
        Array(text.utf8).withUnsafeBytes {
            record.append(at: at, step: 0, kind: .output, port: 0, event: .next, value: $0)
        }
    }

    private func texts(_ record: Record, since: Int = 0) -> [String] {
        var texts: [String] = []
        record.forEach(since: since) { number, _, value in
            texts.append("\(number):\(String(decoding: value, as: UTF8.self))")
            return true
        }
        return texts
    }

    @Test func `entries are numbered from zero and read in order`() {
        var record = Record()
        #expect(record.next == 0)
        #expect(["a", "", "ccc"].map { append(&record, $0) } == [0, 1, 2])
        #expect(texts(record) == ["0:a", "1:", "2:ccc"])
        #expect(record.first == 0 && record.next == 3)
    }

    @Test(arguments: [
        (0, ["0:a", "1:b"]), (1, ["1:b"]), (2, []), (99, []), (-1, ["0:a", "1:b"]),
        (Int.min, ["0:a", "1:b"]), (Int.max, []),
    ])
    func `a reader may ask from anywhere`(_ since: Int, _ expected: [String]) {
        var record = Record()
        append(&record, "a")
        append(&record, "b")
        #expect(texts(record, since: since) == expected)
    }

    @Test func `a reader who has enough is not told more`() {
        var record = Record()
        for text in ["a", "b", "c"] { append(&record, text) }
        var seen = 0
        record.forEach(since: 0) { _, _, _ in
            seen += 1
            return seen < 2
        }
        #expect(seen == 2)
    }

    @Test func `past its entries the oldest eighth is dropped and numbers go on`() {
        var record = Record(maxEntries: 16, maxBytes: 1_000)
        for number in 0..<17 { append(&record, "\(number)") }
        #expect(record.first == 2 && record.next == 17)
        #expect(texts(record) == (2..<17).map { "\($0):\($0)" })
        #expect(texts(record, since: 0) == texts(record, since: 2))
    }

    @Test func `past its bytes the oldest are dropped`() {
        var record = Record(maxEntries: 100, maxBytes: 10)
        for text in ["aaaa", "bbbb", "cccc"] { append(&record, text) }
        #expect(texts(record) == ["1:bbbb", "2:cccc"])
    }

    @Test(arguments: 0..<50)
    func `a reader finds every entry in whatever chunk it lies`(_ since: Int) {
        var record = Record(maxEntries: 40, maxBytes: 1_000)
        for number in 0..<47 { append(&record, "\(number)") }
        let first = max(since, record.first)
        #expect(record.first == 10)
        #expect(texts(record, since: since) == (first..<max(first, 47)).map { "\($0):\($0)" })
    }

    @Test func `an answer knows how many entries before it the world was asked`() {
        var record = Record(maxEntries: 8, maxBytes: 1_000)
        let ask = append(&record, "ask")
        append(&record, "between")
        record.append(
            at: 5, late: 3, step: 1, kind: .answer, port: 0, event: .next, cause: ask,
            hasMore: true, value: UnsafeRawBufferPointer(start: nil, count: 0))
        record.forEach(since: 2) { number, entry, _ in
            #expect(number - Int(entry.cause) == ask && entry.late == 3 && entry.hasMore)
            return true
        }
    }

    @Test func `an entry about a port that has no number is our own mistake`() async {
        await #expect(processExitsWith: .failure) {
            var record = Record()
            record.append(
                at: 0, step: 0, kind: .output, port: 65_536, event: .next,
                value: UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    @Test func `the newest entry is kept however large`() {
        var record = Record(maxEntries: 100, maxBytes: 10)
        append(&record, "a")
        append(&record, String(repeating: "b", count: 50))
        append(&record, "c")
        #expect(texts(record).last == "2:c")
        #expect(record.next == 3)
    }

    @Test func `a long life stays inside its bounds`() {
        var record = Record(maxEntries: 64, maxBytes: 300)
        for number in 0..<10_000 {
            append(&record, String(repeating: "x", count: number % 40), at: Int64(number))
            var bytes = 0
            var expected = record.first
            record.forEach(since: 0) { number, entry, value in
                #expect(
                    number == expected && entry.at == Int64(number) && value.count == number % 40)
                expected += 1
                bytes += value.count
                return true
            }
            #expect(bytes <= 300 && expected == number + 1 && record.next - record.first <= 64)
        }
    }
}
