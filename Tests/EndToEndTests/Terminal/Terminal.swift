// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A terminal of a size of its own with a shell in it, for programs that want to be looked at.
///
/// tmux draws it, on a socket of its own, and is spoken to in its control mode: it tells when something
/// was written, and the screen is read again only then. So every wait is for what a person would see.
final class Terminal {
    private let place = TemporaryFolder()
    private var folder: String { place.path }
    private let child: Child
    private let pipe: Pipe
    private var unread: [UInt8] = []
    /// How many commands the shell has been given.
    private var commands = 0

    /// Long enough for a machine that does much else.
    private static let patience: Int32 = 60

    /// A shell without anybody's habits, whose prompt is the number of the command and a dollar sign.
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        var path: String { "/usr/bin/\(rawValue)" }

        fileprivate func words(_ folder: String) -> String {
            switch self {
            case .bash: "\(path) --noprofile --rcfile \(folder)/bash.rc"
            case .zsh: "env ZDOTDIR=\(folder) \(path) -d"
            case .fish: "\(path) --no-config --init-command 'source \(folder)/fish.rc'"
            }
        }

        fileprivate var prompt: (file: String, text: String) {
            switch self {
            case .bash: ("bash.rc", "PS1='\\#$ '")
            case .zsh: (".zshrc", "n=0; setopt promptsubst; precmd() { n=$((n + 1)) }; PS1='$n$ '")
            case .fish:
                (
                    "fish.rc",
                    "set -g n 0; function fish_prompt; set n (math $n + 1); printf '%s$ ' $n; end"
                )
            }
        }
    }

    /// - Parameters:
    ///   - setup: what the shell reads before it asks for the first line.
    ///   - environment: what the shell finds, beside PATH and the folders of libraries.
    init(
        width: Int = 80, height: Int = 24, shell: Shell = .bash, setup: String = "",
        environment: [String: String] = [:]
    ) throws {
        let folder = place.path
        try Files.write(
            "\(shell.prompt.text)\n\(setup)\n", to: "\(folder)/\(shell.prompt.file)")
        pipe = try Pipe()
        try Files.write(
            """
            set -g default-terminal screen-256color
            set -g status off
            set -g escape-time 0
            """ + "\n", to: "\(folder)/tmux.conf")
        var variables = Products.libraries
        variables["PATH"] = "\(Products.folder):/usr/bin:/bin"
        variables["HOME"] = folder
        variables["LC_ALL"] = "C.UTF-8"
        variables["HISTFILE"] = ""
        variables.merge(environment) { _, new in new }
        let words = [
            "-u", "-S", "\(folder)/s", "-f", "\(folder)/tmux.conf", "-C", "new-session",
            "-x", "\(width)", "-y", "\(height)", shell.words(folder),
        ].map { "'\($0.replacing("'", with: #"'\''"#))'" }.joined(separator: " ")
        child = try Spawn.run(
            "/bin/bash",
            ["-c", "exec tmux \(words) <&\(Spawn.givenDescriptor) >&\(Spawn.givenDescriptor)"],
            environment: variables, output: "\(folder)/tmux.log", giving: [pipe.writer])
        pipe.closeWriter()
        // The first answer is that to the words above.
        _ = try answer()
        // From now on the size is what is said here, whatever tmux thinks of its client's.
        try resize(width: width, height: height)
    }

    deinit {
        _ = try? tell("kill-server")
        _ = try? Spawn.wait(child)
    }

    // MARK: What a person does

    func type(_ text: String) throws {
        let quoted = text.replacing("'", with: #"'\''"#)
        _ = try tell("send-keys -l -- '\(quoted)'")
    }

    /// Presses keys by the names that tmux has for them: `Enter`, `Tab`, `C-c`.
    func press(_ keys: String) throws { _ = try tell("send-keys \(keys)") }

    func resize(width: Int, height: Int) throws {
        _ = try tell("resize-window -x \(width) -y \(height)")
    }

    /// Types a line for the program that runs.
    func enter(_ line: String) throws {
        try type(line)
        try press("Enter")
    }

    /// Types a line for the shell, and does not wait for what comes of it.
    func start(_ line: String) throws {
        try enter(line)
        commands += 1
    }

    /// Types a line, waits for the next prompt, and gives what stands between the two.
    func run(_ line: String) throws -> [String] {
        // The echo of the line goes with what was there before it; how that ended is kept.
        try start("status=$?; clear; \(line)")
        return try waitForPrompt()
    }

    // MARK: What a person sees

    /// The lines of the screen, without what is empty at their ends and below them.
    func screen() throws -> [String] {
        var lines = try tell("capture-pane -p")
        while lines.last?.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
        return lines.map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The same with the colours, as the sequences that make them.
    func colours() throws -> String { try tell("capture-pane -p -e").joined(separator: "\n") }

    /// Waits until the screen is as wanted, and gives it.
    @discardableResult
    func wait(for what: String, until isThere: ([String]) -> Bool) throws -> [String] {
        let end = Self.now + Self.patience
        while true {
            let lines = try screen()
            if isThere(lines) { return lines }
            guard try waitForOutput(until: end) else {
                throw Failure("no \(what) on the screen:\n\(lines.joined(separator: "\n"))")
            }
        }
    }

    /// Waits until the screen is exactly this.
    func wait(forScreen text: String) throws {
        let wanted = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        try wait(for: "screen like this:\n\(text)\nbut this") { $0 == wanted }
    }

    /// Waits until some line holds the text.
    @discardableResult
    func wait(forText text: String) throws -> [String] {
        try wait(for: "\"\(text)\"") { $0.contains { $0.contains(text) } }
    }

    /// Waits until the shell waits, and gives the lines above its prompt.
    func waitForPrompt() throws -> [String] {
        let prompt = "\(commands + 1)$"
        return try wait(for: "prompt \(prompt)") { $0.last == prompt }.dropLast()
    }

    // MARK: Control mode

    private static var now: Int32 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int32(time.tv_sec)
    }

    /// Carries out a command of tmux and gives its lines.
    private func tell(_ command: String) throws -> [String] {
        let text = Array((command + "\n").utf8)
        guard send(pipe.reader, text, text.count, Int32(MSG_NOSIGNAL)) == text.count else {
            throw Failure("tmux is gone: \(Files.text("\(folder)/tmux.log"))")
        }
        return try answer()
    }

    /// The lines between `%begin` and `%end`.
    private func answer() throws -> [String] {
        let end = Self.now + Self.patience
        var lines: [String]?
        while let line = try nextLine(until: end) {
            if line.hasPrefix("%begin ") {
                lines = []
            } else if line.hasPrefix("%end ") {
                return lines ?? []
            } else if line.hasPrefix("%error ") {
                throw Failure("tmux: \((lines ?? []).joined(separator: "\n"))")
            } else {
                lines?.append(line)
            }
        }
        throw Failure("tmux does not answer: \(Files.text("\(folder)/tmux.log"))")
    }

    /// Waits until something was written since the last command; false when nothing came in time.
    private func waitForOutput(until end: Int32) throws -> Bool {
        while let line = try nextLine(until: end) {
            // A window that was made larger or smaller is drawn anew as well.
            if line.hasPrefix("%output ") || line.hasPrefix("%layout-change ") { return true }
        }
        return false
    }

    /// The next line of control mode; nil when none came in time.
    private func nextLine(until end: Int32) throws -> String? {
        while true {
            if let stop = unread.firstIndex(of: 0x0A) {
                defer { unread.removeFirst(stop + 1) }
                return String(decoding: unread[..<stop], as: UTF8.self)
            }
            let rest = end - Self.now
            guard rest > 0, Wait.readable(pipe.reader, seconds: rest) else { return nil }
            var room = [UInt8](repeating: 0, count: 16_384)
            let count = read(pipe.reader, &room, room.count)
            guard count > 0 else {
                throw Failure("tmux ended: \(Files.text("\(folder)/tmux.log"))")
            }
            unread += room[..<count]
        }
    }
}
