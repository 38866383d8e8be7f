// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

/// Encodes what streams say: each event once, however many subscribers it has.
final class StreamLines {
    private let epoch: String
    private var writer = JSONWriter()
    /// What the writer holds: which entry of which instance, by the number of its opening.
    private var order = -1
    private var number = -1
    private var output = -1
    /// The newest line as those keep it who hold it back: one copy for all of them.
    private var kept: [UInt8]?

    /// `epoch` tells the life of this daemon from every other.
    init(epoch: String) {
        self.epoch = epoch
    }

    /// The line from the subscription's name on. Valid until the next call.
    func tail(of event: OutputEvent) -> UnsafeRawBufferPointer {
        if order == event.instance.order, number == event.number, output == event.output {
            return writer.bytes
        }
        order = event.instance.order
        number = event.number
        output = event.output
        kept = nil
        write(event, to: &writer)
        return writer.bytes
    }

    /// One access to the writer for the whole line.
    private func write(_ event: OutputEvent, to writer: inout JSONWriter) {
        writer.removeAll()
        writer.append(#"","cursor":""#)
        append(cursor: event.number + 1, of: event.instance, to: &writer)
        writer.append(#"","at":"#)
        writer.append(event.at)
        writer.append(#","output":"#)
        writer.append(string: event.instance.feature.outputs[event.output].name)
        writer.append(#","event":""#)
        writer.append(event.event.name)
        writer.append("\"")
        if !event.value.isEmpty {
            writer.append(#","value":"#)
            writer.append(payload: event.value)
        }
        writer.append("}}\n")
    }

    /// The same, to be kept.
    func copy(of event: OutputEvent) -> [UInt8] {
        let tail = tail(of: event)
        if let kept { return kept }
        let copy = [UInt8](tail)
        kept = copy
        return copy
    }

    /// The cursor of somebody who has seen everything before entry `number`.
    func cursor(_ instance: Instance, _ number: Int) -> String {
        "\(opening(of: instance)):\(number)"
    }

    /// The entry that a cursor stands before, or nil when it belongs to another life or instance, be it one
    /// that had the same name.
    func number(of cursor: String, in instance: Instance) -> Int? {
        guard let colon = cursor.lastIndex(of: ":"),
            cursor[..<colon] == opening(of: instance),
            let number = Int(cursor[cursor.index(after: colon)...]), number >= 0
        else { return nil }
        return number
    }

    /// What tells this instance from every other: a name may be given again, an order is not.
    private func opening(of instance: Instance) -> String {
        "\(epoch).\(instance.order).\(instance.name)"
    }

    private func append(cursor number: Int, of instance: Instance, to writer: inout JSONWriter) {
        writer.append(bare: epoch)
        writer.append(".")
        writer.append(Int64(instance.order))
        writer.append(".")
        writer.append(bare: instance.name)
        writer.append(":")
        writer.append(Int64(number))
    }
}

extension JSONWriter {
    /// Appends text that needs no escapes, without quotes.
    mutating func append(bare text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }
}
