// SPDX-License-Identifier: Apache-2.0

/// The framing of lines, worked out the slow way from the whole stream.
struct FramingModel {
    /// The lines that come out, without their ends and without the empty ones.
    private(set) var lines: [[UInt8]] = []
    /// Whether the stream breaks off at a line that is too long.
    private(set) var isTooLong = false
    /// What stands behind the last line end.
    private(set) var tail: [UInt8] = []

    init(_ stream: some Sequence<UInt8>, limit: Int) {
        var line: [UInt8] = []
        for byte in stream {
            guard byte == 0x0A else {
                line.append(byte)
                continue
            }
            if line.last == 0x0D { line.removeLast() }
            if line.count > limit {
                isTooLong = true
                return
            }
            if !line.isEmpty { lines.append(line) }
            line = []
        }
        // A CR may be half of an end.
        isTooLong = line.count - (line.last == 0x0D ? 1 : 0) > limit
        tail = isTooLong ? [] : line
    }
}
