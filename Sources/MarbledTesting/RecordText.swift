// SPDX-License-Identifier: Apache-2.0

package import MarbledHost
internal import Scheduling

/// An instance's record as lines that people read and tests compare: `tick kind port value`.
///
///     0 output round 1
///     10 input checkNumber 1
///     10 output round 2
///     10 cancel http {"url":"…"}
///     10.1 answer random 3          the first microstep after the input's
///     12+500ns output title "late"  between two ticks
package enum RecordText {
    package static func lines(
        _ instance: Instance, tick: Duration = .milliseconds(1)
    ) -> [String] {
        let tick = tick.wholeNanoseconds
        var lines: [String] = []
        instance.record.forEach(since: 0) { _, entry, value in
            let rest = entry.at % tick
            var line = "\(entry.at / tick)"
            if rest != 0 { line += "+\(rest)ns" }
            if entry.step != 0 { line += ".\(entry.step)" }
            line += " \(entry.kind.name) \(instance.portName(entry))"
            switch entry.event {
            case .next: line += " " + String(decoding: value, as: UTF8.self)
            case .error: line += " error " + String(decoding: value, as: UTF8.self)
            case .completed: line += " completed"
            }
            lines.append(line)
            return true
        }
        return lines
    }
}
