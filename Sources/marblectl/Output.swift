// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A descriptor that text goes to, at once and whole.
struct Output {
    let descriptor: Int32

    // Safety: written and read on the only thread.
    /// Why the standard output did not take everything; 0 where it did.
    nonisolated(unsafe) private(set) static var fault: Int32 = 0

    static let standard = Output(descriptor: STDOUT_FILENO)
    static let error = Output(descriptor: STDERR_FILENO)

    var isTerminal: Bool { isatty(descriptor) == 1 }

    func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN {
                    // Somebody who shares the descriptor made it non-blocking.
                    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&entry, 1, -1)
                    continue
                }
                if count < 0, errno == EPIPE { Self.readerIsGone() }
                guard count > 0 else {
                    // The first reason counts; a stream of complaints about complaints helps nobody.
                    if descriptor == STDOUT_FILENO, Self.fault == 0 { Self.fault = errno }
                    return
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Ends as every program in a pipe does whose reader has seen enough, also where whoever started
    /// this one has the signal ignored.
    static func readerIsGone() -> Never {
        PrivateDaemons.stop()
        Signals.die(of: SIGPIPE)
    }

    func write(lines: [String]) {
        guard !lines.isEmpty else { return }
        write(lines.joined(separator: "\n") + "\n")
    }
}
