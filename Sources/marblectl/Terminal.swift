// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What there is to know of the terminal.
enum Terminal {
    /// NO_COLOR (no-color.org) and a terminal that can do nothing are respected.
    static var allowsColour: Bool {
        (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
    }

    static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Columns and rows of the terminal on the standard output.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), max(2, Int(size.ws_row)))
    }
}
