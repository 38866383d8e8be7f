// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Measures family after family, prints one table, and writes the report.
///
/// A family that cannot be measured becomes a row that says why; nothing ends the program but a wrong
/// command line or a report that cannot be written.
@main
enum MarbledBench {
    private static let families: [(name: String, rows: @Sendable (Bench) throws -> [Row])] = [
        ("scheduler", SchedulerRows.measure),
        ("streams", StreamRows.measure),
        ("time operators", TimeOperatorRows.measure),
        ("tasks", TaskRows.measure),
        ("virtual day", VirtualDayRows.measure),
        ("calls", CallRows.measure),
        ("fan-out", FanOutRows.measure),
        ("fairness", FairnessRows.measure),
        ("footprint", FootprintRows.measure),
        ("command line", CommandRows.measure),
    ]

    private static let plots: [(name: String, make: @Sendable (Bench) throws -> Plot)] = [
        ("growth of the scheduler", GrowthPlots.scheduler),
        ("growth of a chain", StreamPlots.chain),
        ("growth of time operators", StreamPlots.timeOperators),
        ("growth with tasks", StreamPlots.tasks),
        ("growth with instances", GrowthPlots.instances),
        ("growth with subscribers", GrowthPlots.subscribers),
    ]

    static func main() {
        // A server that ends early is a row that says so, not the end of us.
        signal(SIGPIPE, SIG_IGN)
        do {
            let bench = try Bench(CommandLine.arguments)
            if bench.soakMinutes > 0 { return try soak(bench) }
            let rows = measure(bench)
            print(Table(headings: Row.headings, lines: rows.map(\.cells)).text)
            guard !bench.report.isEmpty else { return }
            try Report(rows: rows, plots: draw(bench)).write(to: bench.report)
            print("\nThe same with plots: \(bench.report)/report.md")
        } catch {
            tell("bench: \(error)")
            exit(1)
        }
    }

    private static func soak(_ bench: Bench) throws {
        tell("under load for \(decimal(bench.soakMinutes, 1)) minutes")
        let (rows, plot) = try Soak.run(bench, minutes: bench.soakMinutes)
        print(Table(headings: Row.headings, lines: rows.map(\.cells)).text)
        guard !bench.report.isEmpty else { return }
        try Report(rows: rows, plots: [plot]).write(to: bench.report, as: "soak.md")
        print("\nThe same with a plot: \(bench.report)/soak.md")
    }

    private static func measure(_ bench: Bench) -> [Row] {
        var rows: [Row] = []
        for family in families where bench.only.isEmpty || family.name.contains(bench.only) {
            tell("measuring: \(family.name)")
            do {
                rows += try family.rows(bench)
            } catch {
                rows.append(.skipped(family.name, "\(error)"))
            }
        }
        return rows
    }

    private static func draw(_ bench: Bench) -> [Plot] {
        var drawn: [Plot] = []
        for plot in plots where bench.only.isEmpty || plot.name.contains(bench.only) {
            tell("measuring: \(plot.name)")
            do { drawn.append(try plot.make(bench)) } catch { tell("skipped: \(error)") }
        }
        return drawn
    }

    /// Progress, for who waits; the table alone goes to standard output.
    private static func tell(_ line: String) {
        // What the table has said stands before it, also where both go to one file.
        fflush(nil)
        var line = line + "\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
