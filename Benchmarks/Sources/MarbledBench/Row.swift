// SPDX-License-Identifier: Apache-2.0

/// One line of the table: our figure, the other's, and what was hoped for.
struct Row {
    /// What is to be reached. A goal that is not reached is printed, never enforced.
    enum Goal {
        /// Ours divided by theirs is at least this: for rates.
        case ratioAtLeast(Double)
        /// Ours divided by theirs is at most this: for costs.
        case ratioAtMost(Double)
        /// Our figure alone, in its own unit, is at most this.
        case atMost(Double)
        /// Nothing was hoped for; the figure is there to be seen.
        case none
    }

    let name: String
    var unit = Unit.count
    /// Nil in a row that was skipped.
    var ours: Double?
    /// Nil where ours stands alone.
    var theirs: Double?
    /// Median of the rounds' ratios, which is not quite the ratio of the medians.
    var ratio: Double?
    var goal = Goal.none
    /// What theirs is, or why the row was skipped.
    var remark = ""

    /// A row that could not be measured here, with the reason.
    static func skipped(_ name: String, _ reason: String) -> Row {
        Row(name: name, remark: reason)
    }

    /// A row of two contenders that were measured in turns.
    static func pair(
        _ name: String, _ unit: Unit, _ pair: Pair, _ goal: Goal, against remark: String
    ) -> Row {
        Row(
            name: name, unit: unit, ours: pair.ours, theirs: pair.theirs, ratio: pair.ratio,
            goal: goal, remark: remark)
    }

    /// A row of our figure alone.
    static func alone(
        _ name: String, _ unit: Unit, _ ours: Double, _ goal: Goal, _ remark: String = ""
    ) -> Row {
        Row(name: name, unit: unit, ours: ours, goal: goal, remark: remark)
    }
}

extension Row {
    /// The table's columns.
    static let headings = ["what", "ours", "theirs", "ratio", "goal", "", "theirs is"]

    /// What stands in them.
    var cells: [String] {
        [
            name, ours.map(unit.text) ?? "-", theirs.map(unit.text) ?? "-",
            ratio.map { decimal($0, 2) } ?? "-", goalText, verdict, remark,
        ]
    }

    private var goalText: String {
        switch goal {
        case .ratioAtLeast(let bound): "ratio >= \(decimal(bound, 2))"
        case .ratioAtMost(let bound): "ratio <= \(decimal(bound, 2))"
        case .atMost(let bound): "<= \(unit.text(bound))"
        case .none: "-"
        }
    }

    private var verdict: String {
        guard let ours else { return "skipped" }
        let isMet: Bool
        switch goal {
        case .ratioAtLeast(let bound): isMet = (ratio ?? 0) >= bound
        case .ratioAtMost(let bound): isMet = (ratio ?? .infinity) <= bound
        case .atMost(let bound): isMet = ours <= bound
        case .none: return ""
        }
        return isMet ? "met" : "not met"
    }
}

/// What a figure counts.
enum Unit {
    case nanoseconds
    case microseconds
    case milliseconds
    case kilobytes
    case megabytes
    case perSecond
    case count

    /// A figure with its unit, for people.
    func text(_ value: Double) -> String {
        switch self {
        case .nanoseconds: "\(decimal(value, value < 100 ? 1 : 0)) ns"
        case .microseconds: "\(decimal(value, value < 100 ? 1 : 0)) µs"
        case .milliseconds: "\(decimal(value, value < 100 ? 2 : 0)) ms"
        case .kilobytes: "\(decimal(value, 1)) KB"
        case .megabytes: "\(decimal(value, 1)) MB"
        case .perSecond where value < 1e6: "\(decimal(value / 1e3, 1)) k/s"
        case .perSecond: "\(decimal(value / 1e6, 2)) M/s"
        case .count: decimal(value, 2)
        }
    }
}

/// `value` with so many places behind the point.
func decimal(_ value: Double, _ places: Int) -> String {
    guard value.isFinite else { return "\(value)" }
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = Int64((value.magnitude * scale).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % Int64(scale))
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(sign)\(scaled / Int64(scale)).\(zeros)\(fraction)"
}
