// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import MarbledDaemon

/// What holds each promise of the protocol and shows each kind of error: the wire scripts that name it, and
/// tests where lines alone cannot show it.
struct ProtocolTable {
    /// A script with the name that its file has.
    struct Script {
        let name: String
        let text: String
        let script: WireScript

        init(_ file: String, _ text: String) throws(WireScriptError) {
            name = String(file.dropLast(".wire".count))
            self.text = text
            script = try WireScriptReader.read(text)
        }
    }

    let scripts: [Script]
    let tests: [String: [SystemsRow.Test]]

    /// Scripts that are told of one kind of error; more would only fill the page.
    private static let mostScriptsOfAKind = 3

    /// By the names of promises and the words of kinds of error.
    var holders: [String: [ProtocolPage.Holder]] {
        var holders: [String: [ProtocolPage.Holder]] = [:]
        for script in scripts {
            for promise in script.script.promises {
                holders[promise, default: []].append(.script(script.name))
            }
        }
        for kind in ErrorKind.allCases {
            let names = scripts.filter { $0.text.contains("\"kind\":\"\(kind.rawValue)\"") }
                .prefix(Self.mostScriptsOfAKind).map(\.name)
            holders[kind.rawValue, default: []] += names.map { .script($0) }
        }
        for (name, tests) in tests {
            holders[name, default: []] += tests.map { .test($0.sentence) }
        }
        return holders
    }

    /// What is wrong with the table, given the tests that there are.
    func faults(listed: Set<SystemsRow.Test>) -> [String] {
        let holders = holders
        let promises = Set(Promise.allCases.map(\.rawValue))
        let kinds = Set(ErrorKind.allCases.map(\.rawValue))
        var faults: [String] = []
        for name in Promise.allCases.map(\.rawValue) + ErrorKind.allCases.map(\.rawValue)
        where holders[name, default: []].isEmpty {
            faults.append("\(name): no script and no test")
        }
        for script in scripts {
            for promise in script.script.promises where !promises.contains(promise) {
                faults.append("\(script.name).wire: there is no promise \(promise)")
            }
        }
        for (name, tests) in tests.sorted(by: { $0.key < $1.key }) {
            if !promises.contains(name), !kinds.contains(name) {
                faults.append("\(name) is no promise and no kind of error")
            }
            for test in tests where !listed.contains(test) {
                faults.append("\(name): \(test.target) has no test `\(test.sentence)`")
            }
        }
        return faults
    }

    /// What lines cannot show: who somebody is, what stands in files, and what happens to who does not read.
    static let tests: [String: [SystemsRow.Test]] = [
        "lineLimit": [
            here("a line without an end is told so at its limit, and nothing of it is kept")
        ],
        "slowClient": [
            here("who asks and does not read is told why and closed, and what it left is bounded"),
            here("who stops reading for too long is told why and closed"),
            here("a subscriber that stops reading costs the others no event"),
        ],
        "turns": [here("a connection has its messages in a turn, then the others have theirs")],
        "longRunsInSlices": [here("a long virtual run lets others in")],
        "cancelStops": [here("the run of a client that is gone stops between two items")],
        "kernelIdentity": [
            here("the kernel says who it is, and the configuration what that one may do")
        ],
        "levels": [here("a method above the caller's level is refused, and says what it needs")],
        "deniedSaysWhat": [
            here("a method above the caller's level is refused, and says what it needs")
        ],
        "connectionsPerUser": [here("who may do nothing is told so and turned away")],
        "socketFromTheStart": [here("the socket has its rights from the beginning")],
        "resultsGrow": [here("every method answers with the members it declares, and no other")],
        "reloadKeeps": [
            here("SIGHUP keeps instances and connections"),
            here("a wrong configuration is refused and changes nothing"),
        ],
        "oldCodeStays": [
            here("a new build is mapped beside the old one, and instances stay on theirs")
        ],
        "stopTells": [here("a signal ends it in order")],
        "internalError": [
            SystemsRow.Test(
                target: "JSONRPCTests", sentence: "a dropped reply answers internal error")
        ],
        "pluginFailed": [here("an instance whose plugin failed says so to who asks for it")],
        "denied": [here("who may do nothing is told so and turned away")],
    ]

    private static func here(_ sentence: String) -> SystemsRow.Test {
        SystemsRow.Test(target: "EndToEndTests", sentence: sentence)
    }
}
