// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import MarbledHost

/// The daemon's log. Its level changes while it is used, so everybody holds this, and nobody a copy of
/// the logger.
final class DaemonLog {
    private var logger: Logger

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// What is less serious is not written.
    var level: Logger.Level {
        get { logger.logLevel }
        set { logger.logLevel = newValue }
    }

    func write(_ level: Logger.Level, _ line: String) {
        logger.log(level: level, "\(line)")
    }

    func note(_ level: HostLogLevel, _ line: String) { write(level.loggerLevel, line) }
}

extension HostLogLevel {
    var loggerLevel: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}
