// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// Events of a record, of `collect` or of a subscription, one a line:
///
///     10ms  round  2
///     10ms  http   asked {"url":"…"}
package enum EventLines {
    /// One event in words: what it came from, and what it says.
    package static func cells(_ event: JSONValue) -> (at: String, port: String, text: String) {
        let port = (event["port"] ?? event["output"])?.shown ?? "-"
        let value = event["value"]?.text ?? ""
        let text: String =
            switch (event["kind"]?.string, event["event"]?.string) {
            case ("effect", _): "asked \(value)"
            case ("cancel", _): "cancelled \(value)"
            case ("answer", "error"): "failed \(value)"
            case ("answer", _): "answered \(value)"
            case ("input", _): "in \(value)"
            case ("jump", _): "jumped over work due at \(Quantity.time(event["value"]))"
            case (_, "error"): "failed \(value)"
            case (_, "completed"): "completed"
            case (_, _): value
            }
        // A microstep other than the first stands behind its instant: 10ms.1.
        let step = event["step"]?.int.flatMap { $0 > 0 ? ".\($0)" : nil } ?? ""
        return (Quantity.time(event["at"]) + step, port, text)
    }

    /// The lines of a list of events.
    package static func lines(_ events: [JSONValue], _ look: Look, placeholder: String) -> [String]
    {
        var table = Table(">", "", "")
        for event in events {
            let cells = cells(event)
            table.add(cells.at, cells.port, cells.text)
        }
        return table.lines(look, placeholder: placeholder)
    }

    /// What an input caused: its own record is no news to whoever sent it.
    package static func caused(_ events: [JSONValue], _ look: Look) -> [String] {
        let news = events.filter { $0["kind"]?.string != "input" }
        return lines(news, look, placeholder: "nothing was caused")
    }

    /// The answer to `stub.calls`.
    package static func calls(_ answer: JSONValue, _ look: Look) -> [String] {
        var table = Table(">AT", "EFFECT", "STUB", "REQUEST")
        for call in answer["calls"]?.array ?? [] {
            table.add(
                Quantity.time(call["at"]), call["effect"]?.shown ?? "-",
                call["stub"]?.int.map(String.init) ?? "-", call["request"]?.shown ?? "")
        }
        return table.lines(look, placeholder: "nothing was asked")
    }
}
