// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scheduling

extension Methods {
    /// Answers `instance.send`: at once where the instance has its turn and no instant is given, which is the way of
    /// nearly every call.
    static func send(
        _ call: borrowing FrontCall, _ reply: consuming Reply
    ) throws(RPCError) {
        let instance = try instance(call)
        let input = try inputNumber(try call.params.required("input"), of: instance)
        let value = call.params.raw("value")?.bytes ?? nullText
        let schema = instance.feature.inputs[input].schema
        do throws(HostError) { try schema.check(value, pointer: "/value") } catch {
            throw RPCError(error)
        }
        let at = call.params.optional("at")
        let after = call.params.optional("after")
        if let at, after != nil {
            throw at.refused(expected: "either \"at\" or \"after\", not both")
        }
        let collects = try call.params.optional("collect")?.bool() ?? false
        let context = call.context
        guard at == nil, after == nil, !instance.isBusy else {
            let due = try at?.duration()
            let delay = try after?.duration()
            let copy = [UInt8](value)
            return inTurn(instance, call.context, reply) { kept throws(RPCError) in
                let instant =
                    due.map(Instant.init(nanoseconds:))
                    ?? delay.map { instance.clock.arrivalInstant().advanced(byNanoseconds: $0) }
                let since = instance.record.next
                do throws(HostError) { try instance.send(input, copying: copy, at: instant) } catch
                {
                    throw RPCError(error)
                }
                context.drainSubscriptions(beforeAnswer: true)
                if let reply = kept.take() { sent(instance, collects ? since : nil, reply) }
            }
        }
        let since = collects ? instance.record.next : nil
        do throws(HostError) { try instance.send(input, value) } catch { throw RPCError(error) }
        context.drainSubscriptions(beforeAnswer: true)
        sent(instance, since, reply)
    }

    private static func inputNumber(
        _ name: borrowing Argument, of instance: Instance
    ) throws(RPCError) -> Int {
        if let bytes = try name.plainStringBytes(),
            let number = instance.feature.inputNumber(bytes)
        {
            return number
        }
        let name = try name.string()
        do throws(HostError) {
            return try instance.feature.inputNumber(name)
        } catch {
            throw RPCError(error)
        }
    }

    private static func sent(_ instance: Instance, _ since: Int?, _ reply: consuming Reply) {
        reply.succeed { writer in
            writer.object { writer in
                writer.member("now", instance.clock.now.nanoseconds)
                if let since { writeEvents(instance, since: since, to: &writer) }
            }
        }
    }

    private static let nullWord: StaticString = "null"
    private static var nullText: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: nullWord.utf8Start, count: nullWord.utf8CodeUnitCount)
    }
}
