// SPDX-License-Identifier: Apache-2.0

/// The dynamic symbols of an ELF library of 64 bits, little-endian: what Linux loads on the machines that
/// Swift runs on. System V ABI, chapters 4 and 5.
enum LibrarySymbols {
    private static let dynamicSymbols: UInt32 = 11
    private static let sectionBytes: UInt64 = 64
    private static let symbolBytes: UInt64 = 24

    /// The names that the library takes from others, sorted; nil where these bytes are no such library.
    static func undefined(in bytes: [UInt8]) -> [String]? {
        bytes.withUnsafeBytes { undefined(in: $0) }
    }

    private static func undefined(in bytes: UnsafeRawBufferPointer) -> [String]? {
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            let sections: UInt64 = read(bytes, 40), let count: UInt16 = read(bytes, 60)
        else { return nil }
        for index in 0..<UInt64(count) {
            guard let section = place(sections, index, sectionBytes),
                let kind: UInt32 = read(bytes, section &+ 4)
            else { return nil }
            guard kind == dynamicSymbols else { continue }
            guard let table: UInt64 = read(bytes, section &+ 24),
                let size: UInt64 = read(bytes, section &+ 32),
                let link: UInt32 = read(bytes, section &+ 40),
                let names = place(sections, UInt64(link), sectionBytes),
                let texts: UInt64 = read(bytes, names &+ 24)
            else { return nil }
            return symbols(bytes, table: table, count: size / symbolBytes, texts: texts)
        }
        return nil
    }

    private static func symbols(
        _ bytes: UnsafeRawBufferPointer, table: UInt64, count: UInt64, texts: UInt64
    ) -> [String]? {
        var found: [String] = []
        // The first entry stands for no symbol.
        for index in 1..<max(count, 1) {
            guard let symbol = place(table, index, symbolBytes),
                let name: UInt32 = read(bytes, symbol), let home: UInt16 = read(bytes, symbol &+ 6)
            else { return nil }
            guard home == 0 else { continue }
            let (start, overflow) = texts.addingReportingOverflow(UInt64(name))
            guard !overflow, start < UInt64(bytes.count) else { return nil }
            let text = bytes[Int(start)...].prefix { $0 != 0 }
            found.append(String(decoding: text, as: UTF8.self))
        }
        return found.sorted()
    }

    private static func place(_ start: UInt64, _ index: UInt64, _ size: UInt64) -> UInt64? {
        let (offset, tooFar) = index.multipliedReportingOverflow(by: size)
        let (place, overflow) = start.addingReportingOverflow(offset)
        return tooFar || overflow ? nil : place
    }

    /// A number at an offset that the file gave, or nil where that lies outside.
    private static func read<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer, _ offset: UInt64
    ) -> Number? {
        let size = UInt64(MemoryLayout<Number>.size)
        guard UInt64(bytes.count) >= size, offset <= UInt64(bytes.count) - size else { return nil }
        return Number(
            littleEndian: bytes.loadUnaligned(fromByteOffset: Int(offset), as: Number.self))
    }
}
