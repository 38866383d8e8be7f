// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import TestSupport

/// Two clients that do everything right, beside those that do not: one sends, and the other hears every
/// event that this causes.
final class Neighbours {
    let sender: WireClient
    private let listener: WireClient
    private let daemon: DaemonProcess
    private let memoryBefore: Int64

    init(_ daemon: DaemonProcess) throws {
        self.daemon = daemon
        sender = try daemon.connect()
        listener = try daemon.connect()
        _ = try sender.call(
            "instance.open",
            ["feature": "find-number", "clock": "virtual", "name": "neighbour", "seed": 3])
        _ = try listener.call(
            "stream.subscribe", ["instance": "neighbour", "output": "round"])
        memoryBefore = try sender.call("daemon.status")["memory"]?.int ?? 0
        _ = try listener.message()
    }

    /// A value is sent, answered, and heard; so many times.
    func beat(_ times: Int = 1) throws {
        for _ in 0..<times {
            _ = try sender.call(
                "instance.send", ["instance": "neighbour", "input": "checkNumber", "value": 9])
            let event = try listener.message()
            guard event["method"] == "stream.event", event["params"]?["output"] == "round" else {
                throw Failure("another message came: \(event.text)")
            }
        }
    }

    /// What the daemon says of itself.
    func status() throws -> JSONValue { try sender.call("daemon.status") }

    /// How often a limit struck.
    func strikes(_ limit: String) throws -> Int64 {
        try status()["limits"]?[limit]?.int ?? 0
    }

    /// What the daemon says of its newest client.
    func newestClient() throws -> JSONValue {
        try sender.call("daemon.clients")["clients"]?.array?.last ?? [:]
    }

    /// Goes on with its own affairs until something is so; who never sees it fails at the test's own end.
    func beat(until isSo: () throws -> Bool) throws {
        for _ in 0..<200_000 {
            if try isSo() { return }
            try beat()
        }
        throw Failure("it did not come about")
    }

    /// How much the daemon has grown, where memory tells something.
    func growth() throws -> Int64 {
        guard !Sanitizer.isOn else { return 0 }
        return (try status()["memory"]?.int ?? .max) - memoryBefore
    }
}
