// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The table and the plots as files.
struct Report {
    let rows: [Row]
    let plots: [Plot]

    /// Writes the page and the pictures it shows into `folder`.
    func write(to folder: String, as page: String = "report.md") throws {
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
            throw BenchError("\(folder) cannot be made: \(String(cString: strerror(errno)))")
        }
        try Self.write(markdown, to: "\(folder)/\(page)")
        for plot in plots { try Self.write(plot.svg, to: "\(folder)/\(plot.file).svg") }
    }

    private var markdown: String {
        var parts = [
            "# Benchmarks",
            "Ratios of ours to theirs, measured in one run, in turns; medians.",
            Table(headings: Row.headings, lines: rows.map(\.cells)).markdown,
        ]
        for plot in plots {
            parts += ["## \(plot.title)", "![\(plot.title)](\(plot.file).svg)", plot.table]
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "we") else {
            throw BenchError("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        let status = fputs(text, file)
        guard fclose(file) == 0, status >= 0 else { throw BenchError("\(path) is incomplete") }
    }
}
