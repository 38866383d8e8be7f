// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// One thing that a watcher reports.
///
///     {"output":"round","at":10000000,"event":"next","value":2,"cursor":"…"}
///     {"gap":12,"from":"…","to":"…"}
///     {"reset":true,"output":"round","cursor":"…"}
///     {"closed":"the instance was closed","output":"round"}
package enum WatchRecord: Equatable, Sendable {
    /// An output said something: the members of `stream.event` that mean something outside of it.
    case event(JSONValue)
    /// The server had to drop this many events.
    case gap(count: Int64, from: JSONValue, to: JSONValue)
    /// The cursor was too old: what follows starts anew with the states' values.
    case reset(output: String, cursor: String?)
    case closed(output: String?, reason: String)

    package var json: JSONValue {
        switch self {
        case .event(let event): return event
        case .gap(let count, let from, let to):
            return ["gap": .int(count), "from": from, "to": to]
        case .reset(let output, let cursor):
            var record: JSONValue = ["reset": true, "output": .string(output)]
            record["cursor"] = cursor.map { .string($0) }
            return record
        case .closed(let output, let reason):
            var record: JSONValue = ["closed": .string(reason)]
            record["output"] = output.map { .string($0) }
            return record
        }
    }

    /// One line of words, for people who read a pipe.
    package var line: String {
        guard case .event(let event) = self else { return remark ?? "" }
        let cells = EventLines.cells(event)
        return "\(cells.at)  \(cells.port)  \(cells.text)".printable
    }

    /// In words, for the line below a picture; nil for events, which the picture shows.
    package var remark: String? {
        switch self {
        case .event: nil
        case .gap(let count, _, _): "\(Quantity.count(Int(count), "event")) lost: read faster"
        case .reset: "some events are gone; the values shown are the newest"
        case .closed(_, let reason): "closed: \(reason)".printable
        }
    }
}
