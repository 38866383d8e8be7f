// SPDX-License-Identifier: Apache-2.0

internal import MarbledHost
internal import Scheduling

/// Takes the record of an instance as facts, some at a time: that of a long life is more than a turn's work.
///
/// What is taken is the record as it was when this was made, whatever the instance does meanwhile.
struct FactTaking {
    private let instance: Instance
    private let record: Record
    /// The number of the entry that is taken next.
    private var next: Int
    private var asks: [Int: (number: Int, at: Int64)] = [:]

    init(_ instance: Instance) {
        self.instance = instance
        record = instance.record
        next = record.first
    }

    /// How many facts are left.
    var left: Int { record.next - next }

    /// Hands the next facts to `body`, in order, at most `count` of them.
    mutating func take(_ count: Int, _ body: (RecordFile.Fact) -> Void) {
        let end = next + min(count, left)
        let record = record
        record.forEach(in: next..<end) { body(fact($0, $1, $2)) }
        next = end
    }

    private mutating func fact(
        _ number: Int, _ entry: Record.Entry, _ value: UnsafeRawBufferPointer
    ) -> RecordFile.Fact {
        let json = String(decoding: value, as: UTF8.self)
        let port = instance.portName(entry)
        let what: RecordFile.What
        switch entry.kind {
        case .input: what = .input(port: port, json: json)
        case .output: what = .output(port: port, event: entry.event, json: json)
        case .jump:
            what = .jump(over: Instant(nanoseconds: Int64(json) ?? entry.at))
        case .effect:
            asks[number] = (asks.count + 1, entry.at)
            what = .ask(number: asks.count, effect: port, json: json)
        case .answer:
            let ask = asks[number - Int(entry.cause)]
            what = .answer(
                RecordFile.Answer(
                    ask: ask?.number ?? 0, effect: port,
                    latency: ask.map { entry.at &- $0.at } ?? 0, event: entry.event,
                    hasMore: entry.hasMore, json: json))
        case .cancel:
            what = .cancel(ask: asks[number - Int(entry.cause)]?.number ?? 0, effect: port)
        }
        return RecordFile.Fact(
            at: Instant(nanoseconds: entry.at), step: entry.step, late: entry.late, what: what)
    }
}
