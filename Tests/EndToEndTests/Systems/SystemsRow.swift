// SPDX-License-Identifier: Apache-2.0

/// A plugin, and everything that it promises.
struct System {
    /// The folder in `plugins`, and the library without `lib` and `.so`.
    let plugin: String
    /// What it is, as a heading.
    let title: String
    let rows: [SystemsRow]

    /// The target of its Swift tests.
    var testTarget: String { "\(plugin)Tests" }
}

/// One promise of a system, and what holds it in each of three forms.
struct SystemsRow {
    /// A Swift test: the target it is in and the sentence it is called.
    struct Test: Hashable {
        let target: String
        let sentence: String
    }

    /// The promise in a word or two.
    let name: String
    /// What must hold. Times are ticks of the virtual clock, which are milliseconds.
    let holds: String
    /// Sentences of tests of the system's own target.
    let tests: [String]
    /// Tests that stand in another target.
    let others: [Test]
    /// Scenario files of the plugin, without `.yaml`; each runs in process and over the socket.
    let scenarios: [String]
    /// Tests that ask a real daemon by hand.
    let socket: [String]
    /// Why no scenario says it.
    let reason: String

    /// A promise that scenarios hold.
    static func row(
        _ name: String, _ holds: String, tests: [String], others: [Test] = [],
        scenarios: [String], socket: [String] = []
    ) -> SystemsRow {
        SystemsRow(
            name: name, holds: holds, tests: tests, others: others, scenarios: scenarios,
            socket: socket, reason: "")
    }

    /// A promise that no data can say.
    static func row(
        _ name: String, _ holds: String, tests: [String] = [], others: [Test] = [],
        socket: [String] = [], because reason: String
    ) -> SystemsRow {
        SystemsRow(
            name: name, holds: holds, tests: tests, others: others, scenarios: [], socket: socket,
            reason: reason)
    }

    /// The tests by hand over the socket, which all stand beside this file.
    var socketTests: [Test] { socket.map { Test(target: "EndToEndTests", sentence: $0) } }
}
