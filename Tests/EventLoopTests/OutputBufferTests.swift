// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EventLoop

@Suite struct OutputBufferTests {
    @Test func `bytes come out as they went in, however the buffer grew`() {
        var buffer = OutputBuffer()
        var expected: [UInt8] = []
        for size in [1, 0, 4095, 4096, 1, 100_000, 3] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ size) }
            bytes.withUnsafeBytes { buffer.append($0) }
            expected += bytes
            #expect(buffer.count == expected.count)
        }
        #expect(Array(buffer.bytes) == expected)
        buffer.removeAll()
        #expect(buffer.isEmpty && buffer.bytes.isEmpty)
        [1, 2].withUnsafeBytes { buffer.append($0) }
        #expect(buffer.count == 16)
    }
}
