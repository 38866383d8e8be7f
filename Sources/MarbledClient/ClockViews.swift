// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// What the clock verbs answer, for people.
package enum ClockViews {
    /// The answer to `clock.advance`, `clock.step` and `clock.run`: where time is, and why it stopped.
    package static func moved(_ answer: JSONValue) -> [String] {
        let ran = answer["ran"]?.int.map { ", ran \($0)" } ?? ""
        let blocked = (answer["blockedBy"]?.array ?? []).map(\.shown)
        let why: String =
            if !blocked.isEmpty {
                ", blocked by \(blocked.joined(separator: ", "))"
            } else if let limit = answer["limit"]?.string {
                ", stopped at \(limit)"
            } else if answer["idle"]?.bool == true {
                ", idle"
            } else {
                ", more to do"
            }
        return ["now \(Quantity.time(answer["now"]))\(ran)\(why)".printable]
    }

    /// The answers to `clock.now` and `clock.next`.
    package static func now(_ now: JSONValue, next: JSONValue?) -> [String] {
        let step = now["step"]?.int.map { ", step \($0)" } ?? ""
        let line = "now \(Quantity.time(now["now"]))\(step)"
        guard let next else { return [line] }
        guard let at = next["at"]?.int else { return [line, "next nothing"] }
        let label = next["label"]?.string.map { " \($0)" } ?? ""
        return [line, "next \(Quantity.time(at))\(label)".printable]
    }
}
