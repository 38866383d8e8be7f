// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
internal import Marbles
internal import Scheduling

/// The lanes of a watched instance, as a terminal shows them.
///
/// The picture of a real instance moves on between events; that of a virtual one stands until its
/// clock is driven.
package struct WatchPicture {
    private var picture: LivePicture
    /// Whether it moves on between events.
    package let isReal: Bool
    /// The instance's time less the machine's.
    private var offset: Int64
    private var remark: String?

    /// - Parameters:
    ///   - inspection: the answer to `instance.inspect`.
    ///   - outputs: the lanes; none for all.
    ///   - tick: the length of a column; nil for what suits the clock.
    package init(
        _ inspection: JSONValue, outputs: [String], tick: Duration?, now: Int64, ink: Ink
    ) {
        isReal = inspection["clock"]?.string != "virtual"
        let all = (inspection["outputs"]?.array ?? []).compactMap { $0["name"]?.string }
        picture = LivePicture(
            lanes: outputs.isEmpty ? all : outputs,
            tick: tick ?? (isReal ? .milliseconds(100) : .milliseconds(1)),
            style: PictureStyle(signs: .unicode, palette: ink.isOn ? .ansi : .plain))
        let instant = inspection["now"]?.int ?? 0
        offset = instant - now
        picture.advance(to: Instant(nanoseconds: instant))
    }

    package mutating func take(_ record: WatchRecord, now: Int64) {
        remark = record.remark ?? remark
        guard case .event(let event) = record, let at = event["at"]?.int else { return }
        // What has come proves that it is that late already; a clock may have been stepped.
        if isReal { offset = max(offset, at - now) }
        let marble: MarbleEvent =
            switch event["event"]?.string {
            case "error": .error
            case "completed": .completed
            default: .next(event["value"]?.shown ?? "•")
            }
        picture.add(
            marble, lane: event["output"]?.string ?? "?", at: Instant(nanoseconds: at))
        if case .error = marble { remark = "failed: \(event["value"]?.shown ?? "")".printable }
    }

    /// Says something about the connection; nil takes it back.
    package mutating func say(_ text: String?) { remark = text }

    /// The lines at this moment, no wider than `width`.
    package mutating func lines(width: Int, now: Int64) -> [String] {
        if isReal { picture.advance(to: Instant(nanoseconds: now + offset)) }
        let lines = picture.lines(width: width)
        return remark.map { lines + ["", $0.clipped(to: width)] } ?? lines
    }
}
