// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI

/// The codes of `MARBLED_NEXT`, `MARBLED_ERROR` and `MARBLED_COMPLETED` in the type the tables use.
enum EventCode {
    static let next = UInt32(MARBLED_NEXT)
    static let error = UInt32(MARBLED_ERROR)
    static let completed = UInt32(MARBLED_COMPLETED)
}

extension marbled_bytes {
    /// Borrows UTF-8 text for the length of a call.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.init(UnsafeRawBufferPointer(text))
    }

    /// Borrows bytes for the length of a call.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(
            data: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size: bytes.count)
    }

    /// The bytes, borrowed from whoever made this.
    var buffer: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: data, count: size)
    }
}
