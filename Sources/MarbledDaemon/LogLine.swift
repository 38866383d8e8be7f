// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import Logging

/// Writes log lines to standard error: with the journal's priorities under systemd, else with a time.
package struct LogLine: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    private let isJournal: Bool

    package init(level: Logger.Level, isJournal: Bool) {
        logLevel = level
        self.isJournal = isJournal
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let text = event.message.description
        // One line each: what a plugin logs must not look like two entries.
        let line = text.contains("\n") ? text.split(separator: "\n").joined(separator: " ⏎ ") : text
        let prefix =
            isJournal
            ? "<\(Self.priority(event.level))>" : "\(Self.time()) \(event.level.rawValue): "
        var out = prefix + line + "\n"
        out.withUTF8 { bytes in
            _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }

    /// The priorities of syslog, which the journal reads off the line's beginning.
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    private static func time() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        var seconds = now.tv_sec
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let milliseconds = String(now.tv_nsec / 1_000_000 + 1_000).dropFirst()
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(milliseconds)"
    }
}
