// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
internal import MarbledHost

/// A plugin that does what the bytes of an input say, whenever it is called: it speaks, asks, waits, takes
/// back, fails, with numbers and texts that a plugin should never use among them.
///
/// Owns its table, so it must outlive the host that it is given to.
final class ScriptedPlugin {
    let pointer: UnsafeMutablePointer<marbled_plugin_table>
    /// What is left of the orders, for all copies.
    private(set) var orders: FuzzInput
    /// Copies between `create` and `destroy`.
    private(set) var copies = 0

    private static let description: StaticString = """
        {"id":"scripted","version":"1.0.0","abi":{"major":1,"minor":0},"features":[{"name":"script",\
        "doc":"","inputs":[{"name":"a","doc":"","schema":true},{"name":"b c","doc":"","schema":true}],\
        "outputs":[{"name":"state","kind":"state","doc":"","schema":true},{"name":"said","kind":"event",\
        "doc":"","schema":true}],"options":{"schema":{"type":"object"},"defaults":{}},\
        "effects":["http","store","random","wallClock"]}]}
        """

    init(orders: FuzzInput) {
        self.orders = orders
        pointer = .allocate(capacity: 1)
        pointer.initialize(
            to: marbled_plugin_table(
                size: UInt32(MemoryLayout<marbled_plugin_table>.size), abi_major: 1, abi_minor: 0,
                data: nil,
                describe: { _ in
                    marbled_bytes(
                        UnsafeRawBufferPointer(
                            start: ScriptedPlugin.description.utf8Start,
                            count: ScriptedPlugin.description.utf8CodeUnitCount))
                },
                create: { table, host, instance, _, _, _ in
                    guard let data = table.pointee.data else { return nil }
                    let plugin = Unmanaged<ScriptedPlugin>.fromOpaque(data).takeUnretainedValue()
                    let copy = ScriptedCopy(of: plugin, host, instance)
                    plugin.copies += 1
                    copy.work()
                    return Unmanaged.passRetained(copy).toOpaque()
                },
                send: { feature, _, _, error in
                    let copy = Unmanaged<ScriptedCopy>.fromOpaque(feature).takeUnretainedValue()
                    return copy.take(&error.pointee)
                },
                destroy: { feature in
                    let copy = Unmanaged<ScriptedCopy>.fromOpaque(feature).takeRetainedValue()
                    copy.plugin.copies -= 1
                }))
        pointer.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { pointer.deallocate() }

    func order() -> Int { orders.byte() }

    func text(_ count: Int) -> [UInt8] { Array(orders.take(count)) }
}

extension marbled_bytes {
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(data: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size: bytes.count)
    }
}
