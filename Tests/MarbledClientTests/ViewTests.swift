// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import Testing

@Suite struct `What people see` {
    @Test func `of the daemon is a line for each fact`() {
        let lines = DaemonViews.status(
            [
                "version": "0.1.0", "pid": 7, "uptime": 192_000_000_000, "memory": 1024,
                "counters": ["accepted": 3],
            ], Look())
        #expect(
            lines == [
                "version   0.1.0", "pid       7", "uptime    3m 12s", "memory    1.0 KiB",
                "accepted  3",
            ])
    }

    @Test(
        arguments: [
            (["kind": "memory"], "in memory"), (["kind": "file", "file": "/s"], "/s"),
            (["kind": "file", "file": "/s", "problem": "/s is damaged"], "fails: /s is damaged"),
        ] as [(JSONValue, String)])
    func `of the store is where it is, or why not`(_ store: JSONValue, _ text: String) {
        #expect(DaemonViews.status(["store": store], Look()) == ["store  \(text)"])
    }

    @Test func `of clients is who is connected, and what each leaves unread`() {
        let lines = DaemonViews.clients(
            [
                "clients": [
                    [
                        "client": 1, "pid": 7, "uid": 0, "level": "admin", "age": 61_000_000_000,
                        "subscriptions": 2, "callsInFlight": 1, "unsentBytes": 2048,
                        "lostEvents": 5, "self": true,
                    ]
                ]
            ], Look())
        #expect(lines.count == 2)
        #expect(lines[1].hasPrefix("1 (this)"))
        #expect(lines[1].contains("2.0 KiB"))
        #expect(DaemonViews.clients(["clients": []], Look()) == ["nobody is connected"])
    }

    @Test(
        arguments: [
            ([:], ["nothing changed"]),
            (["changed": ["access", "log"]], ["changed: access, log"]),
            (["needRestart": ["limits"]], ["nothing changed", "after a restart: limits"]),
            (
                ["refusals": 2],
                ["nothing changed", "plugins refused: 2; see `marblectl plugin list`"]
            ),
        ] as [(JSONValue, [String])])
    func `of a reload is what changed, and what waits`(_ answer: JSONValue, _ lines: [String]) {
        #expect(DaemonViews.reloaded(answer, Look()) == lines)
    }

    @Test func `of a reloaded plugin is whether it is another build, and who stays behind`() {
        let plugin: JSONValue = [
            "id": "game", "version": "1.1", "library": "/g.so", "changed": true, "onOlderBuilds": 2,
        ]
        #expect(
            DaemonViews.plugin(plugin, Look())
                == ["game 1.1 from /g.so; 2 instances stay on older builds"])
        #expect(
            DaemonViews.plugin(["id": "game", "version": "1.1", "changed": false], Look())
                == ["game 1.1 is the build that is there already"])
    }

    @Test func `of plugins ends with those refused`() {
        let lines = DaemonViews.plugins(
            [
                "plugins": [
                    [
                        "id": "game", "version": "1.0", "library": "libGame.so", "loaded": true,
                        "features": ["find-number"],
                    ]
                ],
                "refusals": [["file": "bad.so", "reason": "no entry\npoint"]],
                "retired": ["tab-feed"],
            ], Look())
        #expect(
            lines == [
                "PLUGIN  VERSION  LOADED  FEATURES     LIBRARY",
                "game    1.0      yes     find-number  libGame.so",
                "retired tab-feed; `marblectl plugin load MANIFEST` brings it back",
                "refused bad.so: no entry\\npoint",
            ])
    }

    @Test(
        arguments: [
            (["type": "integer", "minimum": 1], "integer ≥ 1"),
            (["type": "integer", "minimum": 1, "maximum": 3], "integer 1…3"),
            (["type": "null"], "nothing"), (["enum": ["a", "b"]], #""a" | "b""#),
            (["type": "array", "items": ["type": "string"]], "[string]"),
            (["type": ["string", "null"]], "string | null"),
            (["type": "object", "properties": ["id": ["type": "integer"]]], "{id: integer}"),
            (["anyOf": [["type": "string"], ["type": "null"]]], "string | nothing"), ([:], "any"),
        ] as [(JSONValue, String)])
    func `of a type is a word or two`(schema: JSONValue, text: String) {
        #expect(FeatureViews.type(schema) == text)
    }

    @Test func `of a feature ends with something to try`() {
        let lines = FeatureViews.description(
            [
                "name": "game", "doc": "A game.", "plugin": "p", "version": "1",
                "inputs": [["name": "go", "doc": "Starts.", "schema": ["type": "null"]]],
                "outputs": [
                    ["name": "round", "kind": "state", "doc": "", "schema": ["type": "integer"]]
                ],
                "options": [
                    "schema": ["properties": ["min": ["type": "integer"]]],
                    "defaults": ["min": 1],
                ],
                "effects": ["http"],
            ], Look())
        #expect(
            lines == [
                "game 1, plugin p", "A game.", "", "INPUT  TYPE     ABOUT",
                "go     nothing  Starts.", "", "OUTPUT  KIND   TYPE     ABOUT",
                "round   state  integer", "", "OPTION  TYPE     DEFAULT  ABOUT",
                "min     integer  1", "", "asks the outside world for http", "",
                "try     marblectl open game --virtual", "        marblectl send i1 go",
            ])
    }

    @Test func `of an instance is what it is and what it waits for`() {
        let lines = InstanceViews.inspection(
            [
                "instance": "i1", "feature": "game", "clock": "virtual", "now": 10_000_000,
                "step": 0, "seed": 7, "state": "open", "running": false, "inputs": ["go"],
                "outputs": [
                    ["name": "round", "kind": "state", "value": 2, "at": 10_000_000],
                    ["name": "error", "kind": "event"],
                ],
                "pending": [["at": 60_000_000, "label": "delay"]], "pendingCount": 3,
                "effects": [["effect": "http", "request": ["url": "x"], "since": 2_000_000]],
                "holds": ["a test"],
            ], Look())
        #expect(
            lines == [
                "instance  i1", "feature   game", "clock     virtual", "now       10ms, step 0",
                "seed      7", "state     open", "inputs    go", "",
                "OUTPUT  KIND   SINCE  VALUE", "round   state   10ms  2", "error   event      -  -",
                "", " DUE  PENDING", "60ms  delay", "and 2 more", "",
                "WAITS FOR  SINCE  FOR  REQUEST",
                #"http         2ms  8ms  {"url":"x"}"#, "",
                "time is held by a test",
            ])
    }

    @Test func `of a closed instance is what was left undone`() {
        #expect(
            InstanceViews.closed(["pendingTimers": 0, "openEffects": 0, "unusedStubs": []])
                == ["closed; nothing was pending"])
        #expect(
            InstanceViews.closed(["pendingTimers": 2, "openEffects": 1, "unusedStubs": ["http"]])
                == [
                    "closed", "2 timers had not fired", "1 effect had no answer",
                    "a stub was never asked: http",
                ])
    }

    @Test(
        arguments: [
            (["now": 30_000_000, "ran": 7, "idle": true], "now 30ms, ran 7, idle"),
            (["now": 30_000_000, "ran": 7, "idle": false], "now 30ms, ran 7, more to do"),
            (
                ["now": 0, "ran": 0, "idle": false, "blockedBy": ["a task"]],
                "now 0s, ran 0, blocked by a task"
            ),
        ] as [(JSONValue, String)])
    func `of a driven clock is why it stopped`(answer: JSONValue, line: String) {
        #expect(ClockViews.moved(answer) == [line])
    }

    @Test func `of a cause is its effects, not itself`() {
        let lines = EventLines.caused(
            [
                ["at": 0, "kind": "input", "port": "go", "event": "next", "value": nil],
                ["at": 0, "kind": "effect", "port": "http", "event": "next", "value": "GET"],
                ["at": 5_000_000, "kind": "answer", "port": "http", "event": "error", "value": 7],
                [
                    "at": 6_000_000, "kind": "cancel", "port": "http", "event": "next",
                    "value": "PUT",
                ],
                ["at": 10_000_000, "kind": "output", "port": "round", "event": "next", "value": 2],
                ["at": 10_000_000, "kind": "output", "port": "end", "event": "completed"],
            ], Look())
        #expect(
            lines == [
                #"  0s  http   asked "GET""#, " 5ms  http   failed 7",
                #" 6ms  http   cancelled "PUT""#, "10ms  round  2", "10ms  end    completed",
            ])
        #expect(EventLines.caused([], Look()) == ["nothing was caused"])
    }

    @Test func `of the doctor is a line for each finding, with a way on`() {
        let findings = Doctor.hello(["protocol": 1, "version": "0.2.0"], ownVersion: "0.1.0")
        #expect(findings.map(\.isGood) == [true, false])
        #expect(
            findings.flatMap { $0.lines(Look()) } == [
                "ok       protocol: 1",
                "problem  version: the daemon is 0.2.0, marblectl is 0.1.0",
                "         Update marblectl, or put the newer one first in PATH: `type -a marblectl`.",
            ])
        let older = Doctor.hello(["protocol": 1, "version": "0.9.3"], ownVersion: "0.10.0")
        #expect(
            older.last?.advice
                == "Restart the daemon after an update: `systemctl restart marbled`.")
        let spoken = Doctor.hello(["protocol": 2, "version": "0.1.0"], ownVersion: "0.1.0")
        #expect(spoken.first?.advice == "Install marbled and marblectl from one release.")
        let stores: [JSONValue] = [
            [:], ["store": ["kind": "memory"]], ["store": ["kind": "file", "file": "/s"]],
            ["store": ["kind": "file", "file": "/s", "problem": "/s is damaged"]],
        ]
        #expect(
            stores.map { Doctor.store($0).flatMap { $0.lines(Look()) } } == [
                [],
                [
                    "ok       store: in memory, lost when the daemon ends; --state-directory names a place "
                        + "to keep it"
                ],
                ["ok       store: /s"],
                [
                    "problem  store: /s is damaged",
                    "         Once that is mended, the next request finds it so: no restart is needed.",
                ],
            ])
        let plugins = Doctor.plugins(["plugins": [], "refusals": [["file": "x", "reason": "y"]]])
        #expect(plugins.allSatisfy { !$0.isGood && $0.advice != nil })
        let retired = Doctor.plugins(["plugins": [["id": "a"]], "retired": ["b", "c"]])
        #expect(retired.flatMap { $0.lines(Look()) } == ["ok       plugins: a; retired: b, c"])
        #expect(Doctor.instances(["instances": [["instance": "i1", "state": "open"]]]).isGood)
        #expect(!Doctor.instances(["instances": [["instance": "i1", "state": "failed"]]]).isGood)
    }

    @Test(arguments: [
        (nil, nil, "Restart it: `systemctl restart marbled`."),
        // The service manager listens for a daemon that it starts.
        (1, "S", "Restart it: `systemctl restart marbled`."),
        (77, "T", "Let it go on: `kill -CONT 77`."),
        (
            77, "R",
            "A plugin may never return. Restart the daemon: `systemctl restart marbled`, or "
                + "`kill -KILL 77` and start it again."
        ),
    ])
    func `of a daemon that is silent is what to do with its process`(
        _ process: Int32?, _ state: Character?, _ advice: String
    ) {
        #expect(Doctor.silent(process: process, state: state).advice == advice)
    }

    @Test func `of a plugin's build is what differs from its manifest`() {
        func finding(_ code: JSONValue?, _ manifest: JSONValue?) -> Finding? {
            Doctor.build(
                of: "p", library: "/p.so", code: code, complaint: "cannot be loaded",
                manifest: manifest)
        }
        #expect(finding(["id": "p"], ["id": "p", "library": "p.so"]) == nil)
        #expect(finding(["id": "p"], nil) == nil)
        #expect(
            finding(["id": "p", "version": "2"], ["id": "p", "version": "1"])?.advice
                == "Write the manifest again: `marbled manifest /p.so --write`, then "
                + "`marblectl reload`.")
        #expect(finding(nil, ["id": "p"])?.text == "cannot be loaded")
    }
}

@Suite struct `The guessing game` {
    private func event(_ output: String, _ value: JSONValue) -> JSONValue {
        ["output": .string(output), "event": "next", "value": value]
    }

    private var game: GuessingGame {
        var game = GuessingGame(options: ["min": 1, "max": 3])
        for (output, value) in [
            ("target", 1), ("round", 1), ("bestRecord", 0), ("currentRecord", 0),
        ] {
            game.take(event(output, .int(Int64(value))))
        }
        return game
    }

    @Test func `says nothing of what was before the first guess`() {
        var game = game
        #expect(game.takeNews() == [])
        #expect(game.prompt == "round 1, record 0, best 0. Your guess (1-3, q quits): ")
    }

    @Test func `waits for the next number after a right guess`() {
        var game = game
        game.guessed(1)
        for (output, value) in [("round", 2), ("currentRecord", 1), ("bestRecord", 1)] {
            game.take(event(output, .int(Int64(value))))
        }
        #expect(game.isWaiting)
        game.take(event("target", 2))
        #expect(!game.isWaiting)
        #expect(game.takeNews() == ["1 is right!"])
        #expect(game.prompt == "round 2, record 1, best 1. Your guess (1-3, q quits): ")
    }

    @Test func `waits for nothing after a wrong one`() {
        var game = game
        game.guessed(3)
        game.take(event("round", 1))
        game.take(event("currentRecord", 0))
        #expect(!game.isWaiting)
        #expect(game.takeNews() == ["3 is wrong: back to round 1."])
    }

    @Test func `goes on when the number service fails`() {
        var game = game
        game.started()
        game.take(event("error", "networkError"))
        #expect(!game.isWaiting)
        #expect(game.takeNews() == ["No new number (networkError): the old one stays."])
    }

    @Test(arguments: [
        ("2", GuessingGame.Entry.guess(2)), (" 3 ", .guess(3)), ("q", .quit), ("QUIT", .quit),
        ("", .nothing), ("two", .mistake("\"two\" is no number.")),
        ("9", .mistake("The number is from 1 to 3.")),
    ])
    func `reads what is typed`(line: String, entry: GuessingGame.Entry) {
        #expect(game.entry(line) == entry)
    }
}
