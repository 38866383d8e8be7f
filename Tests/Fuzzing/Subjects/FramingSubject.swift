// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// The frame decoder: however a stream is cut, its lines are those of the model.
///
/// An input is a limit, how many lines are taken at a time, the lengths of the pieces, and the stream.
enum FramingSubject {
    private static let limits = [1, 2, 3, 7, 16, 64, 1_000, 4_095, 4_096, 5_000]

    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        let limit = input.choose(limits)
        let most = input.choose([Int.max, 1, 2, 5])
        var cuts = (0..<1 + input.byte() % 8).map { _ in input.byte() }
        if cuts.allSatisfy({ $0 == 0 }) { cuts.append(64) }
        let model = FramingModel(input.rest, limit: limit)

        var decoder = FrameDecoder(limit: limit)
        var reader = Reader()
        var turn = 0
        while !input.rest.isEmpty {
            let piece = input.take(cuts[turn % cuts.count])
            turn += 1
            piece.withUnsafeBytes { decoder.append($0) }
            decoder.checkInvariants()
            try reader.take(most, from: &decoder)
            // What is pending, doubled at most; or what it began with.
            try require(
                decoder.capacity <= max(FrameDecoder.initialCapacity, 2 * (limit + bytes.count)),
                "\(decoder.capacity) bytes of memory for a limit of \(limit)")
        }
        try reader.take(.max, from: &decoder)

        try require(reader.lines == model.lines, "cut differently: \(reader.lines) \(model.lines)")
        try require(
            reader.hasFailed == model.isTooLong, "too long? the model says \(model.isTooLong)")
        try require(
            decoder.pendingCount == model.tail.count,
            "\(decoder.pendingCount) bytes wait, and \(model.tail.count) should")
        if decoder.pendingCount == 0 {
            try require(
                decoder.capacity <= FrameDecoder.retainedCapacity,
                "\(decoder.capacity) bytes of memory are kept for nothing")
        }
    }

    /// Takes lines until there are none, as the owner of a decoder does.
    private struct Reader {
        var lines: [[UInt8]] = []
        var hasFailed = false

        mutating func take(_ most: Int, from decoder: inout FrameDecoder) throws(FuzzFinding) {
            var left = most
            while left > 0 {
                left -= 1
                switch decoder.next() {
                case .frame(let frame):
                    try require(!hasFailed, "a line comes behind one that is too long")
                    lines.append(Array(frame.bytes))
                    touchPadding(frame)
                case .needsBytes: return
                case .lineTooLong:
                    hasFailed = true
                    return
                }
                decoder.checkInvariants()
            }
        }

        /// A validator reads so far; the address sanitizer sees whether it may.
        private func touchPadding(_ frame: Frame) {
            guard let start = frame.bytes.baseAddress else { return }
            let whole = UnsafeRawBufferPointer(
                start: start, count: frame.bytes.count + JSONValidator.padding)
            precondition(whole.reduce(0) { $0 | Int($1) } < 256)
        }
    }
}
