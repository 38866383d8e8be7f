// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What there is to know of the terminal.
enum Terminal {
    /// The environment that marblectl looks at, for the manual page.
    static let variables: [(name: String, meaning: String)] = [
        ("MARBLED_SOCKET", "The daemon's socket, where --socket does not name one."),
        ("XDG_RUNTIME_DIR", "Where the user's own daemon is looked for: `marbled.sock` in it."),
        ("NO_COLOR", "Where it is set and not empty, nothing is coloured."),
        ("TERM", "A terminal that is `dumb` gets neither colours nor pictures that move."),
        ("TMPDIR", "Where the private daemon of --spawn has its socket; else /tmp."),
        ("PATH", "Where that daemon is looked for, when it is not beside marblectl."),
    ]

    /// Whether it can do no more than print one line after the other.
    static var isDumb: Bool { variable("TERM") == "dumb" }

    /// NO_COLOR (no-color.org) and a terminal that can do nothing are respected.
    static var allowsColour: Bool {
        (variable("NO_COLOR") ?? "").isEmpty && !isDumb
    }

    /// Whoever was started without standard input, output or error would give the next socket their
    /// number, and talk to it. What is opened in their place is at its end, and cannot be written to.
    static func holdStandardDescriptors() {
        for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free, which is this one.
            _ = open("/dev/null", O_RDONLY)
        }
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
