// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import Testing

/// The client as a person sees it: in a terminal, with keys.
@Suite("marblectl in a terminal")
struct TerminalTests {
    private let daemon: DaemonProcess

    init() throws {
        daemon = try DaemonProcess(
            arguments: ["--state-directory", "none"],
            plugins: ["libFindNumber.so", "libCounter.so"])
    }

    private func terminal(width: Int = 80, height: Int = 24) throws -> Terminal {
        try Terminal(
            width: width, height: height, environment: ["MARBLED_SOCKET": daemon.socket])
    }

    private func openGame(_ client: WireClient) throws {
        _ = try client.call(
            "instance.open",
            ["feature": "find-number", "clock": "virtual", "name": "game", "seed": 1])
    }

    /// A virtual instance that is never done.
    private func openEndless() throws -> WireClient {
        let client = try daemon.connect()
        _ = try client.call(
            "instance.open",
            [
                "feature": "counter", "clock": "virtual", "name": "endless",
                "options": ["every_ms": 1, "limit": 9_007_199_254_740_991],
            ])
        _ = try client.call(
            "instance.send", ["instance": "endless", "input": "tick", "value": "start"])
        return client
    }

    // MARK: Tables, colours, errors

    @Test func `tables stand on a terminal and JSON in a pipe`() throws {
        let terminal = try terminal()
        #expect(
            try terminal.run("marblectl open find-number --virtual --name game") == [
                "game", "target         1", "round          1", "bestRecord     0",
                "currentRecord  0",
            ])
        #expect(
            try terminal.run("marblectl ls") == [
                "INSTANCE  FEATURE      CLOCK    NOW  STATE",
                "game      find-number  virtual   0s  open",
            ])
        #expect(try terminal.run("marblectl ls -o jsonl | wc -l") == ["1"])
        #expect(
            try terminal.run("marblectl get game -o json") == [
                "{", #"  "target": 1,"#, #"  "round": 1,"#, #"  "bestRecord": 0,"#,
                #"  "currentRecord": 0"#, "}",
            ])
        #expect(try terminal.run("marblectl open counter --virtual --name c | cat") == ["c"])
    }

    @Test(arguments: [
        ("", true), ("NO_COLOR=1", false), ("NO_COLOR=", true), ("TERM=dumb", false),
    ])
    func `colours are there unless somebody objects`(
        _ setting: String, _ isColoured: Bool
    ) throws {
        let terminal = try terminal()
        _ = try terminal.run("\(setting) marblectl features")
        #expect(try terminal.colours().contains("\u{1B}[1mFEATURE") == isColoured)
        _ = try terminal.run("\(setting) marblectl close nobody")
        #expect(try terminal.colours().contains("\u{1B}[31mmarblectl:") == isColoured)
    }

    @Test(arguments: [
        (
            "marblectl sned game",
            ["marblectl: there is no verb \"sned\"", "  Did you mean \"send\"?", "3"]
        ),
        (
            "marblectl plugin lst",
            ["marblectl: there is no verb \"lst\"", "  Did you mean \"list\"?", "3"]
        ),
        (
            "marblectl help nothing",
            ["marblectl: there is no verb \"nothing\"", "  `marblectl help` lists the verbs.", "3"]
        ),
        (
            "marblectl --socket '' ls",
            [
                "marblectl: --socket names no path",
                "  Leave it out, or name the socket; is a variable empty?", "3",
            ]
        ),
        (
            "marblectl test nofile",
            [
                "marblectl: nofile cannot be read: No such file or directory",
                "  Check the path: it is taken from the folder that you are in.", "3",
            ]
        ),
        (
            "marblectl open find-number max=many",
            [
                "marblectl: /options/max is not an integer",
                "  `marblectl describe FEATURE` shows the options.", "1",
            ]
        ),
        (
            "marblectl open find-nunber",
            [
                "marblectl: no plugin offers a feature \"find-nunber\"",
                "  Did you mean \"find-number\"?",
                "1",
            ]
        ),
        (
            "marblectl get nobody round",
            [
                "marblectl: there is no instance \"nobody\"",
                "  `marblectl ls` lists what is open.", "1",
            ]
        ),
        (
            "marblectl --socket /nowhere ls",
            [
                "marblectl: no daemon at /nowhere (from --socket): there is no such socket",
                "  Start one with `marbled --socket /nowhere`, or add --spawn for a private one.",
                "2",
            ]
        ),
        (
            "marblectl --socket /etc/passwd ls",
            [
                "marblectl: no daemon at /etc/passwd (from --socket): what stands there is no socket",
                "  Name another path with --socket; `marbled --check` prints the daemon's.", "2",
            ]
        ),
        (
            "marblectl advance game 300",
            ["marblectl: the duration 300 has no unit", "  Write 300ms, 300s or 300ns.", "3"]
        ),
        (
            "marblectl ls > /dev/full",
            [
                "marblectl: the output could not be written: No space left on device",
                "  What is there is not whole; make room, or write somewhere else.", "3",
            ]
        ),
    ])
    func `a mistake is told with what to do next`(_ line: String, _ expected: [String]) throws {
        #expect(try terminal(width: 120).run("\(line); echo $?") == expected)
    }

    // MARK: Watching

    @Test func `lanes grow while they are watched, and Ctrl-C leaves them standing`() throws {
        let client = try daemon.connect()
        try openGame(client)
        let terminal = try terminal()
        try terminal.start("clear; marblectl watch game")
        try terminal.wait(
            forScreen: """
                tick=1ms       0
                target         1
                round          1
                bestRecord     0
                currentRecord  0
                error          ─
                """)
        _ = try client.call(
            "instance.send",
            ["instance": "game", "input": "checkNumber", "value": 1, "at": 3_000_000])
        _ = try client.call("clock.advance", ["instance": "game", "by": 5_000_000])
        let drawn = try terminal.wait(for: "second round") {
            $0.count == 6 && $0[2].hasPrefix("round          1──2")
        }
        try terminal.press("C-c")
        let left = try terminal.waitForPrompt()
        #expect(left.count(where: { $0.hasPrefix("tick=1ms") }) == 1)
        #expect(left.starts(with: drawn.prefix(1)))
        #expect(try terminal.run("echo $status") == ["130"])
    }

    @Test func `a terminal made narrower, then wider, shows each lane once`() throws {
        let client = try daemon.connect()
        try openGame(client)
        let terminal = try terminal(width: 100)
        try terminal.start("clear; marblectl watch game round")
        try terminal.wait(for: "lane") { $0.first?.hasPrefix("tick=1ms") == true }
        for time in 1...60 {
            _ = try client.call(
                "instance.send",
                ["instance": "game", "input": "checkNumber", "value": .int(Int64(time % 3 + 1))])
            _ = try client.call("clock.advance", ["instance": "game", "by": 1_000_000])
        }
        func isWhole(_ lines: [String], _ width: Int) -> Bool {
            lines.count == 2 && lines[0].hasPrefix("tick=1ms") && lines[1].hasPrefix("round ")
                && lines[1].count > width - 12 && lines[1].count <= width
        }
        try terminal.wait(for: "lane") { isWhole($0, 75) }
        for width in [40, 90, 30, 60] {
            try terminal.resize(width: width, height: 10)
            try terminal.wait(for: "lane of \(width) columns") { lines in
                isWhole(lines, min(width, 75))
            }
        }
    }

    @Test func `a terminal that can do nothing gets one line for each event`() throws {
        try openGame(try daemon.connect())
        let terminal = try terminal()
        #expect(
            try terminal.run("TERM=dumb marblectl watch game --count 4") == [
                "0s  target  1", "0s  round  1", "0s  bestRecord  0", "0s  currentRecord  0",
            ])
    }

    @Test(arguments: ["", "trap '' PIPE;"])
    func `a reader that has seen enough ends the watch, without a word`(_ setting: String) throws {
        try openGame(try daemon.connect())
        let terminal = try terminal(width: 200)
        let lines = try terminal.run(
            "(\(setting) marblectl watch game round -o jsonl; echo $? > $HOME/status) | head -1; "
                + "cat $HOME/status")
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""output":"round","event":"next","value":1}"#) == true)
        #expect(lines.last == "141")
    }

    @Test func `a watch outlives its daemon, and shows the instance that is opened anew`() throws {
        try openGame(try daemon.connect())
        let terminal = try terminal()
        try terminal.start("clear; marblectl watch game round target")
        let before = """
            tick=1ms  0
            round     1
            target    1
            """
        try terminal.wait(forScreen: before)
        daemon.send(signal: SIGKILL)
        #expect(try daemon.waitForEnd() == -SIGKILL)
        try terminal.wait(
            forScreen: before + "\n\nthe connection is lost; looking for the daemon…")
        try daemon.restart(arguments: ["--state-directory", "none"])
        try terminal.wait(
            forScreen: before
                + "\n\nthe daemon is back without game; waiting for it to be opened…")
        let client = try daemon.connect()
        try openGame(client)
        _ = try client.call(
            "instance.send",
            ["instance": "game", "input": "checkNumber", "value": 1, "at": 2_000_000])
        _ = try client.call("clock.advance", ["instance": "game", "by": 2_000_000])
        try terminal.wait(for: "second round") { lines in
            lines.contains { $0.hasPrefix("round     1─2") || $0.hasPrefix("round     2") }
        }
        try terminal.press("C-c")
        _ = try terminal.waitForPrompt()
    }

    // MARK: Long runs

    @Test func `a long run tells where it stands, and Ctrl-C ends it in the daemon too`() throws {
        let client = try openEndless()
        let terminal = try terminal()
        try terminal.start("clear; marblectl advance endless 100000h")
        let lines = try terminal.wait(forText: ", the clock is at ")
        #expect(lines.count == 1 && lines[0].hasPrefix("advance endless: "))
        try terminal.press("C-c")
        #expect(try terminal.waitForPrompt().allSatisfy { !$0.contains("clock is at") })
        #expect(try terminal.run("echo $status") == ["130"])
        let list = try client.call("instance.list")
        #expect(list["instances"]?[0]?["running"]?.bool != true, "\(list)")
    }

    @Test func `a run that is given up after its time ends in the daemon too`() throws {
        let client = try openEndless()
        let terminal = try terminal()
        #expect(
            try terminal.run(
                "marblectl advance endless 100000h --timeout 1200ms 2>&1 | cat; "
                    + "echo ${PIPESTATUS[0]}") == [
                    "marblectl: no answer to clock.advance in the time allowed",
                    "  Allow more with --timeout, or ask `marblectl status` what the daemon does.",
                    "4",
                ])
        let list = try client.call("instance.list")
        #expect(list["instances"]?[0]?["running"]?.bool != true, "\(list)")
    }

    @Test func `a run is not shown to move on a terminal that can do nothing`() throws {
        let client = try openEndless()
        let terminal = try terminal()
        #expect(
            try terminal.run("TERM=dumb marblectl advance endless 100000h --timeout 1200ms").count
                == 2)
        _ = client
    }

    // MARK: Playing

    @Test func `the game is played by hand`() throws {
        let terminal = try terminal()
        try terminal.start("clear; marblectl play find-number min=1 max=1")
        let prompt = "Your guess (1-1, q quits):"
        try terminal.wait(forScreen: "round 1, record 0, best 0. \(prompt)")
        try terminal.enter("seven")
        try terminal.wait(for: "second prompt") { $0.count == 3 && $0[2].hasSuffix(prompt) }
        try terminal.enter("7")
        try terminal.wait(for: "third prompt") { $0.count == 5 && $0[4].hasSuffix(prompt) }
        try terminal.enter("1")
        let lines = try terminal.wait(for: "second round") {
            $0.last == "round 2, record 1, best 1. \(prompt)"
        }
        #expect(
            lines == [
                "round 1, record 0, best 0. \(prompt) seven", "\"seven\" is no number.",
                "round 1, record 0, best 0. \(prompt) 7", "The number is from 1 to 1.",
                "round 1, record 0, best 0. \(prompt) 1", "1 is right!",
                "round 2, record 1, best 1. \(prompt)",
            ])
        try terminal.enter("q")
        _ = try terminal.waitForPrompt()
        #expect(try daemon.connect().call("instance.list")["instances"]?.array?.isEmpty == true)
    }
}
