// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How a cost grows with a size, or what becomes of it over time: lines on logarithmic axes, of which time
/// is none, drawn as SVG.
struct Plot {
    /// One line.
    struct Series {
        let name: String
        /// Sizes and costs, both above zero, smallest size first.
        var points: [(size: Double, cost: Double)]
    }

    /// The file's name, without its ending.
    let file: String
    let title: String
    let sizes: String
    let costs: String
    let series: [Series]
    /// Whether sizes are times, which pass evenly.
    var isOverTime = false

    private static let width = 640.0
    private static let height = 400.0
    private static let margin = (left: 80.0, top: 50.0, right: 170.0, bottom: 60.0)
    private static let colors = ["#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2"]

    /// The figures behind the picture, as Markdown.
    var table: String {
        let lines = series.flatMap { series in
            series.points.map { [series.name, decimal($0.size, 0), decimal($0.cost, 1)] }
        }
        return Table(headings: ["line", sizes, costs], lines: lines).markdown
    }

    /// The picture.
    var svg: String {
        let across = Axis(series.flatMap(\.points).map(\.size), isEven: isOverTime)
        let up = Axis(series.flatMap(\.points).map(\.cost))
        let plotWidth = Self.width - Self.margin.left - Self.margin.right
        let plotHeight = Self.height - Self.margin.top - Self.margin.bottom
        func x(_ size: Double) -> Double { Self.margin.left + across.place(of: size) * plotWidth }
        func y(_ cost: Double) -> Double {
            Self.margin.top + (1 - up.place(of: cost)) * plotHeight
        }
        let bottom = Self.height - Self.margin.bottom
        let right = Self.width - Self.margin.right
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \
            \(Int(Self.height))" font-family="sans-serif" font-size="12">
            """,
            #"<rect width="100%" height="100%" fill="white"/>"#,
            text(title, x: Self.margin.left, y: 28, anchor: "start", size: 16),
            text(sizes, x: (Self.margin.left + right) / 2, y: Self.height - 18, anchor: "middle"),
            text(costs, x: 12, y: Self.margin.top - 10, anchor: "start"),
        ]
        for size in across.marks {
            lines.append(rule(x(size), Self.margin.top, x(size), bottom))
            lines.append(text(Axis.label(size), x: x(size), y: bottom + 18, anchor: "middle"))
        }
        for cost in up.marks {
            lines.append(rule(Self.margin.left, y(cost), right, y(cost)))
            let label = Axis.label(cost)
            lines.append(text(label, x: Self.margin.left - 8, y: y(cost) + 4, anchor: "end"))
        }
        for (number, line) in series.enumerated() {
            let color = Self.colors[number % Self.colors.count]
            let path = line.points.map { "\(decimal(x($0.size), 1)),\(decimal(y($0.cost), 1))" }
            lines.append(
                """
                <polyline points="\(path.joined(separator: " "))" fill="none" stroke="\(color)" \
                stroke-width="2"/>
                """)
            for point in isOverTime ? [] : line.points {
                lines.append(
                    """
                    <circle cx="\(decimal(x(point.size), 1))" cy="\(decimal(y(point.cost), 1))" \
                    r="3.5" fill="\(color)"/>
                    """)
            }
            if let last = line.points.last {
                let (right, middle) = (x(last.size) + 8, y(last.cost) + 4)
                lines.append(text(line.name, x: right, y: middle, anchor: "start", color: color))
            }
        }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    private func text(
        _ text: String, x: Double, y: Double, anchor: String, size: Int = 12, color: String = "#333"
    ) -> String {
        """
        <text x="\(decimal(x, 1))" y="\(decimal(y, 1))" text-anchor="\(anchor)" \
        font-size="\(size)" fill="\(color)">\(text)</text>
        """
    }

    private func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        """
        <line x1="\(decimal(x1, 1))" y1="\(decimal(y1, 1))" x2="\(decimal(x2, 1))" \
        y2="\(decimal(y2, 1))" stroke="#ddd"/>
        """
    }

    /// A logarithmic axis of whole decades, or an even one from zero.
    private struct Axis {
        private let isEven: Bool
        private let low: Double
        private let high: Double

        init(_ values: [Double], isEven: Bool = false) {
            self.isEven = isEven
            guard !isEven else {
                low = 0
                high = max(values.max() ?? 1, 0.1)
                return
            }
            low = log10(values.min() ?? 1).rounded(.down)
            high = max(log10(values.max() ?? 10).rounded(.up), low + 1)
        }

        func place(of value: Double) -> Double {
            ((isEven ? value : log10(value)) - low) / (high - low)
        }

        /// Where lines are drawn: at decades, or at quarters.
        var marks: [Double] {
            isEven
                ? (0...4).map { high * Double($0) / 4 }
                : (Int(low)...Int(high)).map { pow(10, Double($0)) }
        }

        static func label(_ value: Double) -> String {
            switch value {
            case 1e6...: "\(decimal(value / 1e6, 0)) M"
            case 1e3...: "\(decimal(value / 1e3, 0)) k"
            case 1...: decimal(value, 0)
            default: decimal(value, 1)
            }
        }
    }
}
