// SPDX-License-Identifier: Apache-2.0

/// Bytes that wait to be written, in one growing region that is used again and again.
///
/// Its bound is its owner's: a connection says how much waits, and whoever fills it decides when that
/// is too much.
struct OutputBuffer: ~Copyable {
    /// What an emptied buffer keeps; a backlog once grown large is given back.
    private static let kept = 64 * 1024

    private(set) var count = 0
    private var region = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    deinit {
        region.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    /// The bytes, valid until the buffer is changed.
    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: region[..<count])
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let needed = count + bytes.count
        if needed > region.count { grow(to: needed) }
        UnsafeMutableRawBufferPointer(rebasing: region[count..<needed]).copyMemory(from: bytes)
        count = needed
    }

    mutating func removeAll() {
        count = 0
        guard region.count > Self.kept else { return }
        region.deallocate()
        region = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    private mutating func grow(to needed: Int) {
        let grown = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(needed, region.count * 2, 4096), alignment: 16)
        grown.copyMemory(from: UnsafeRawBufferPointer(bytes))
        region.deallocate()
        region = grown
    }
}
