// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MarbledClient

/// Lines from the keyboard, from a pipe, or given beforehand.
final class Typist {
    private var given: [String]?
    private var bytes: [UInt8] = []
    private var isOver = false

    init(_ lines: [String]?) { given = lines }

    /// Whether the terminal has shown the line while it was typed.
    var isEchoed: Bool { given == nil && isatty(STDIN_FILENO) == 1 }

    /// The next line without its end; nil after the last one. Meanwhile what the daemon says is heard.
    func line(
        while client: Client, hears hear: (ServerNotification) throws -> Void
    ) throws -> String? {
        if given != nil {
            return given?.isEmpty == false ? given?.removeFirst() : nil
        }
        while true {
            while let notification = client.takeNotification() { try hear(notification) }
            if let end = bytes.firstIndex(of: 0x0A) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            if isOver {
                defer { bytes = [] }
                return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            }
            var entries = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, -1) > 0 else {
                isOver = errno != EINTR
                continue
            }
            if entries[1].revents != 0 { try client.receive() }
            if entries[0].revents != 0 { readMore() }
        }
    }

    /// A keyboard that cannot be read (closed, or its terminal is gone) is at its end.
    private func readMore() {
        var room = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &room, room.count)
        if count > 0 {
            bytes += room[..<count]
        } else {
            isOver = count == 0 || (errno != EINTR && errno != EAGAIN)
        }
    }
}
