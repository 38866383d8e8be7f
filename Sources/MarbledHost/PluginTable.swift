// SPDX-License-Identifier: Apache-2.0

package import CMarbledABI

/// A plugin's table, checked: its version is one this host speaks and every mandatory function is there.
///
/// The table lives as long as the process (a library is never unloaded), so this is a plain value.
package struct PluginTable {
    // Safety: borrowed for ever; see the boundary's header.
    let table: UnsafePointer<marbled_plugin_table>

    /// Checks a table that a library handed out. Throws the sentence to refuse it with.
    package init(_ table: UnsafePointer<marbled_plugin_table>?) throws(HostError) {
        guard let table else {
            throw .pluginRefused("marbled_plugin_v1 returned no table")
        }
        // Read field by field: a table may be shorter than its own header, and what lies past the given
        // size is not the table's.
        let words = UnsafeRawPointer(table)
        let size = Int(words.load(as: UInt32.self))
        let header = MemoryLayout<marbled_plugin_table>.offset(of: \.data) ?? 8
        guard size >= header else {
            throw .pluginRefused("its table has \(size) bytes, too few to say a version")
        }
        let major = Int(words.load(fromByteOffset: 4, as: UInt16.self))
        guard major == Int(MARBLED_ABI_MAJOR) else {
            throw .pluginRefused(
                """
                it was built for version \(major) of the boundary, and this daemon speaks version \
                \(MARBLED_ABI_MAJOR); build it again with this daemon's header
                """)
        }
        let mandatory = MemoryLayout<marbled_plugin_table>.size
        guard size >= mandatory else {
            throw .pluginRefused(
                """
                its table has \(size) bytes, and the mandatory part of version \
                \(MARBLED_ABI_MAJOR) has \(mandatory); build it again with this daemon's header
                """)
        }
        // The header promises these are not null; a plugin in C can break the promise, and a call
        // through null would end the daemon.
        let functions: [(String, Int?)] = [
            ("describe", MemoryLayout<marbled_plugin_table>.offset(of: \.describe)),
            ("create", MemoryLayout<marbled_plugin_table>.offset(of: \.create)),
            ("send", MemoryLayout<marbled_plugin_table>.offset(of: \.send)),
            ("destroy", MemoryLayout<marbled_plugin_table>.offset(of: \.destroy)),
        ]
        for (name, offset) in functions {
            guard let offset else { continue }
            guard words.load(fromByteOffset: offset, as: UInt.self) != 0 else {
                throw .pluginRefused("its table has no function \"\(name)\"")
            }
        }
        self.table = table
    }

    /// What the table says of itself: its bytes and the version it was built against.
    package var version: (size: Int, major: Int, minor: Int) {
        (Int(table.pointee.size), Int(table.pointee.abi_major), Int(table.pointee.abi_minor))
    }

    /// What the code says it is.
    func describe() -> UnsafeRawBufferPointer {
        table.pointee.describe(table).buffer
    }

    func create(
        _ instance: OpaquePointer, feature: String, options: [UInt8]
    ) -> Result<UnsafeMutableRawPointer, HostError> {
        var error = marbled_bytes(data: nil, size: 0)
        var feature = feature
        let created = feature.withUTF8 { feature in
            options.withUnsafeBytes { options in
                table.pointee.create(
                    table, HostTable.pointer, instance,
                    marbled_bytes(UnsafeRawBufferPointer(feature)), marbled_bytes(options), &error)
            }
        }
        if let created { return .success(created) }
        return .failure(.pluginRefused(error.sentence(or: "the plugin refused and said nothing")))
    }

    /// Delivers a value. Returns the plugin's sentence when it refuses it.
    @inline(__always)
    func send(
        _ feature: UnsafeMutableRawPointer, _ input: Int, _ value: UnsafeRawBufferPointer
    ) -> String? {
        var error = marbled_bytes(data: nil, size: 0)
        if table.pointee.send(feature, UInt32(input), marbled_bytes(value), &error) { return nil }
        return error.sentence(or: "the plugin refused the value and said nothing")
    }

    func destroy(_ feature: UnsafeMutableRawPointer) {
        table.pointee.destroy(feature)
    }
}

extension marbled_bytes {
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(data: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size: bytes.count)
    }

    var buffer: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size)
    }

    /// The text, held to a length that a log line can bear.
    func sentence(or other: String) -> String {
        size == 0 ? other : String(decoding: buffer.prefix(4_096), as: UTF8.self)
    }
}
