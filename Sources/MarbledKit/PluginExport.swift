// SPDX-License-Identifier: Apache-2.0

public import CMarbledABI

/// The Swift side of the export: makes the C table of a plugin that offers `features`.
///
///     @c(marbled_plugin_v1)
///     public func plugin() -> UnsafePointer<marbled_plugin_table> { table }
///     nonisolated(unsafe) private let table = exportPlugin(
///         id: "find-number", version: "1.0.0", FindNumber.self)
///
/// The table is never freed; a plugin makes it once.
public func exportPlugin(
    id: String, version: String, _ features: any Feature.Type...
) -> UnsafePointer<marbled_plugin_table> {
    let export = PluginExport(id: id, version: version, features)
    // Never let go of: the boundary promises a table that lives as long as the library.
    return Unmanaged.passRetained(export).takeUnretainedValue().table
}

/// The C table of a plugin with all that it points to.
///
/// A library keeps its own for ever; a test keeps one for as long as it runs instances of it.
/// Loop-confined.
package final class PluginExport {
    private let storage: UnsafeMutablePointer<marbled_plugin_table>
    private let description: UnsafeMutableRawBufferPointer
    private let features: [String: any Feature.Type]
    private let errors = SentenceBuffer()

    package init(id: String, version: String, _ features: [any Feature.Type]) {
        self.features = Dictionary(
            features.map { ($0.name, $0) },
            uniquingKeysWith: { _, second in
                preconditionFailure("two features are named \(second.name)")
            })
        var text = JSONText()
        PluginDescription.write(id: id, version: version, features, into: &text)
        description = .allocate(byteCount: text.bytes.count, alignment: 1)
        description.copyBytes(from: text.bytes)
        storage = .allocate(capacity: 1)
        storage.initialize(
            to: marbled_plugin_table(
                size: UInt32(MemoryLayout<marbled_plugin_table>.size),
                abi_major: UInt16(MARBLED_ABI_MAJOR), abi_minor: UInt16(MARBLED_ABI_MINOR),
                data: nil,
                describe: {
                    marbled_bytes(UnsafeRawBufferPointer(PluginExport.from($0).description))
                },
                create: { table, host, instance, feature, options, error in
                    PluginExport.from(table).create(host, instance, feature, options, error)
                },
                send: { feature, input, value, error in
                    HostedFeature.from(feature).send(input, value, error)
                },
                destroy: { feature in
                    Unmanaged<HostedFeature>.fromOpaque(feature).takeRetainedValue().end()
                }))
        storage.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        storage.deinitialize(count: 1)
        storage.deallocate()
        description.deallocate()
    }

    /// What a host is given.
    package var table: UnsafePointer<marbled_plugin_table> { UnsafePointer(storage) }

    private static func from(_ table: UnsafePointer<marbled_plugin_table>) -> PluginExport {
        guard let data = table.pointee.data else {
            preconditionFailure("a plugin table lost its data")
        }
        return Unmanaged<PluginExport>.fromOpaque(data).takeUnretainedValue()
    }

    private func create(
        _ host: UnsafePointer<marbled_host_table>, _ instance: OpaquePointer,
        _ name: marbled_bytes, _ options: marbled_bytes,
        _ error: UnsafeMutablePointer<marbled_bytes>
    ) -> UnsafeMutableRawPointer? {
        let name = String(decoding: name.buffer, as: UTF8.self)
        guard let type = features[name] else {
            error.pointee = errors.hold("this plugin offers no feature \"\(name)\"")
            return nil
        }
        do {
            let hosted = try HostedFeature(
                type, HostScheduler(host: host, instance: instance), options.buffer)
            return Unmanaged.passRetained(hosted).toOpaque()
        } catch let failure {
            error.pointee = errors.hold("\(failure)")
            return nil
        }
    }
}

/// Holds the last sentence that was handed over the boundary, until the next.
final class SentenceBuffer {
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)

    func hold(_ sentence: String) -> marbled_bytes {
        bytes.deallocate()
        bytes = .allocate(byteCount: sentence.utf8.count, alignment: 1)
        bytes.copyBytes(from: sentence.utf8)
        return marbled_bytes(UnsafeRawBufferPointer(bytes))
    }

    deinit {
        bytes.deallocate()
    }
}
