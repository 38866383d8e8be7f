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
        let prefix =
            isJournal
            ? "<\(Self.priority(event.level))>" : "\(Self.time()) \(event.level.rawValue): "
        var line = prefix + Self.oneLine(event.message.description) + "\n"
        line.withUTF8 { Self.write(UnsafeRawBufferPointer($0)) }
    }

    /// The text as one line that says nothing to a terminal: what a plugin logs must not look like two
    /// entries, nor like another's. Looked at by scalars, since CR and LF are one character together.
    package static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { endsLine($0) || picture($0) != nil }) else {
            return text
        }
        return text.unicodeScalars.split(whereSeparator: endsLine).map { line in
            line.reduce(into: "") { $0.unicodeScalars.append(picture($1) ?? $1) }
        }.joined(separator: " ⏎ ")
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    /// What stands for a control character that ends no line.
    private static func picture(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x09: " "
        case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: "\u{2421}"
        case 0x80...0x9F: "\u{FFFD}"
        default: nil
        }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // Somebody who shares the descriptor made it non-blocking. A log that nobody reads does not
                // stop the daemon for long.
                var entry = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                guard poll(&entry, 1, 100) != 0 else { return }
                continue
            }
            guard count > 0 else { return }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
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
