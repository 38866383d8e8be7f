// SPDX-License-Identifier: Apache-2.0

/// The id of a call as the client wrote it, so that the answer can echo it to the letter.
///
/// An id of up to 40 bytes lies in the value itself: an answer given at once allocates nothing. A
/// longer one is copied to the heap and freed with the reply.
struct ReplyID: ~Copyable {
    static let inlineCapacity = 40

    private var inline: [40 of UInt8]
    private let count: Int
    private let heap: UnsafeMutableRawPointer?

    init(_ id: UnsafeRawBufferPointer) {
        inline = .init(repeating: 0)
        count = id.count
        if id.count <= Self.inlineCapacity {
            heap = nil
            withUnsafeMutableBytes(of: &inline) { $0.copyMemory(from: id) }
        } else {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: id.count, alignment: 1)
            copy.copyMemory(from: id)
            heap = copy.baseAddress
        }
    }

    deinit { heap?.deallocate() }

    /// No id: nobody waits for an answer.
    var isAbsent: Bool { count == 0 }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let heap { return body(UnsafeRawBufferPointer(start: heap, count: count)) }
        return withUnsafeBytes(of: inline) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}
