// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI

/// One running copy of the scripted plugin. The host frees it, so a callback that comes too late is seen by
/// the address sanitizer.
final class ScriptedCopy {
    let plugin: ScriptedPlugin
    private let host: UnsafePointer<marbled_host_table>
    private let instance: OpaquePointer
    /// What the host gave for timers and effects, the last few.
    private var tokens: [UInt64] = [0, 1, .max]

    private static let values = [
        "1", "null", "\"a\"", "[1,{\"b\":2.50}]", "{\"é\":\"\\ud83d\\ude00\"}", " 1 \r", "", "{",
        "-0",
        "1e999", "\"\\u0000\"", "completed", "error 1",
    ].map { Array($0.utf8) }
    private static let effects = ["http", "store", "random", "wallClock", "other", "", "a b\"\n"]
        .map { Array($0.utf8) }
    private static let requests = [
        #"{"method":"GET","url":"http://a.example/1"}"#, #"{"get":"k"}"#,
        #"{"set":"k","value":[1]}"#,
        #"{"remove":"k"}"#, #"{"min":1,"max":6}"#, "{}", "null",
        #"{"method":"GET","url":"http://b.example/","stream":true}"#, "nothing",
        #"{"method":"GET","url":"http://c.example/"}"#,
        #"{"method":"GET","url":"http://d.example/"}"#,
    ].map { Array($0.utf8) }
    private static let delays: [Int64] = [0, 1, -1, 1_000_000, 50_000_000, .max, .min, 7]
    private static let label: StaticString = "order"

    init(
        of plugin: ScriptedPlugin, _ host: UnsafePointer<marbled_host_table>,
        _ instance: OpaquePointer
    ) {
        self.plugin = plugin
        self.host = host
        self.instance = instance
    }

    /// An input: is it taken?
    func take(_ error: inout marbled_bytes) -> Bool {
        work()
        guard plugin.order() % 16 == 15 else { return true }
        error = marbled_bytes(
            UnsafeRawBufferPointer(
                start: Self.label.utf8Start, count: Self.label.utf8CodeUnitCount))
        return false
    }

    /// Carries a few orders out.
    func work() {
        for _ in 0..<plugin.order() % 4 { carryOut(plugin.order()) }
    }

    private func carryOut(_ order: Int) {
        let host = host.pointee
        switch order % 9 {
        case 0, 1:
            let (output, event) = (UInt32(plugin.order() % 3), UInt32(plugin.order() % 4))
            give(Self.values) { host.emit(instance, output, event == 3 ? 0 : event, $0) }
        case 2:
            give(Self.effects) { effect in
                give(Self.requests) { request in
                    keep(host.perform(instance, effect, request, Self.answered, opaque))
                }
            }
        case 3:
            let due = host.now(instance).addingReportingOverflow(delay).partialValue
            keep(
                host.schedule(
                    instance, due, UInt32(plugin.order() % 8), labelStart, Self.due, opaque))
        case 4: _ = host.cancel(instance, token)
        case 5: _ = host.cancel_effect(instance, token)
        case 6:
            keep(
                host.schedule(
                    instance, host.after(instance, delay), 4, labelStart, Self.due, opaque))
        case 7: give(Self.values) { host.log(instance, UInt32(order) / 9, $0) }
        default:
            guard plugin.order() % 8 == 7 else { return }
            give(Self.values) { host.fail(instance, $0) }
        }
    }

    private static let due: marbled_work = { data in
        guard let data else { return }
        Unmanaged<ScriptedCopy>.fromOpaque(data).takeUnretainedValue().work()
    }

    private static let answered: marbled_answer = { data, _, _ in
        guard let data else { return }
        Unmanaged<ScriptedCopy>.fromOpaque(data).takeUnretainedValue().work()
    }

    private var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private var labelStart: UnsafePointer<CChar> {
        UnsafeRawPointer(Self.label.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    private var delay: Int64 { Self.delays[plugin.order() % Self.delays.count] }

    private var token: UInt64 { tokens[plugin.order() % tokens.count] }

    private func keep(_ token: UInt64) {
        tokens.append(token)
        if tokens.count > 8 { tokens.remove(at: 3) }
    }

    /// One of some texts, or bytes of the input's own.
    private func give(_ texts: [[UInt8]], _ body: (marbled_bytes) -> Void) {
        let choice = plugin.order()
        let bytes =
            choice % (texts.count + 1) == texts.count
            ? plugin.text(choice / 16) : texts[choice % (texts.count + 1)]
        bytes.withUnsafeBytes { body(marbled_bytes($0)) }
    }
}
