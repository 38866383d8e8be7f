// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import Testing

/// Words that a real shell completes, asking a real daemon.
@Suite("Completion")
struct CompletionTests {
    /// What is typed before the tabulator, and what then stands there.
    private static let words = [
        // What the command line says of itself.
        ("marblectl insp", "marblectl inspect"),
        ("marblectl plugin ret", "marblectl plugin retire"),
        ("marblectl send game checkNumber 1 --aft", "marblectl send game checkNumber 1 --after"),
        ("marblectl ls -o jsonl --sp", "marblectl ls -o jsonl --spawn"),
        // What the daemon knows.
        ("marblectl describe find", "marblectl describe find-number"),
        ("marblectl inspect ga", "marblectl inspect game"),
        ("marblectl send game chec", "marblectl send game checkNumber"),
        ("marblectl watch game round tar", "marblectl watch game round target"),
        ("marblectl -o json get game bes", "marblectl -o json get game bestRecord"),
        ("marblectl run game --until curr", "marblectl run game --until currentRecord"),
        ("marblectl plugin reload coun", "marblectl plugin reload counter"),
        ("marblectl call instance.insp", "marblectl call instance.inspect"),
    ]

    private let daemon: DaemonProcess

    init() throws {
        daemon = try DaemonProcess(
            arguments: ["--state-directory", "none"],
            plugins: ["libFindNumber.so", "libCounter.so"])
        _ = try daemon.connect().call(
            "instance.open", ["feature": "find-number", "clock": "virtual", "name": "game"])
    }

    private func terminal(_ shell: Terminal.Shell, socket: String) throws -> Terminal {
        let script = "marblectl --generate-completion-script \(shell.rawValue)"
        let setup =
            switch shell {
            case .bash: "source <(\(script))"
            case .zsh:
                "autoload -Uz compinit; compinit -u; source <(\(script)); compdef _marblectl marblectl"
            case .fish: "\(script) | source"
            }
        return try Terminal(
            width: 120, shell: shell, setup: setup, environment: ["MARBLED_SOCKET": socket])
    }

    @Test(arguments: Terminal.Shell.allCases)
    func `a shell completes what the daemon knows`(_ shell: Terminal.Shell) throws {
        guard access(shell.path, X_OK) == 0 else { return }
        let terminal = try terminal(shell, socket: daemon.socket)
        _ = try terminal.waitForPrompt()
        for (typed, completed) in Self.words {
            try terminal.type(typed)
            try terminal.press("Tab")
            try terminal.wait(for: completed) { $0.last?.hasSuffix("$ \(completed)") == true }
            // Away with the line, and on to the next.
            try terminal.press("C-u")
            try terminal.wait(for: "empty line") { $0.last?.hasSuffix("$") == true }
        }
    }

    @Test(arguments: Terminal.Shell.allCases)
    func `without a daemon nothing is completed, and nothing is said`(
        _ shell: Terminal.Shell
    ) throws {
        guard access(shell.path, X_OK) == 0 else { return }
        let terminal = try terminal(shell, socket: "/nowhere")
        _ = try terminal.waitForPrompt()
        try terminal.type("marblectl plugin reload coun")
        try terminal.press("Tab")
        // What is typed next stands behind it: the shell waits for more.
        try terminal.type("x")
        let lines = try terminal.wait(for: "line") { $0.last?.hasSuffix("reload counx") == true }
        #expect(lines.count == 1)
    }

    @Test func `the options of a feature come with what holds, to be changed`() throws {
        let (_, text) = try Marblectl.run(
            [
                "---completion", "open", "--", "positional@1", "3", "0", "marblectl", "open",
                "find-number", "",
            ], in: daemon.folder, environment: ["MARBLED_SOCKET": daemon.socket])
        #expect(text.split(separator: "\n").contains("max=3"), "\(text)")
    }

    @Test func `the parameters of a method come with what there is`() throws {
        let (_, text) = try Marblectl.run(
            [
                "---completion", "call", "--", "positional@1", "3", "0", "marblectl", "call",
                "instance.read", "",
            ], in: daemon.folder, environment: ["MARBLED_SOCKET": daemon.socket])
        #expect(text.split(separator: "\n") == ["instance=game", "output="])
    }
}
