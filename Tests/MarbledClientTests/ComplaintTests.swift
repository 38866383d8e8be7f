// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import Testing

@Suite struct `A complaint` {
    private static let path = SocketPath("/tmp/m.sock", .option)

    @Test(arguments: [
        (
            ClientError.cannotConnect([FailedAttempt(path, .absent)]),
            MarbledClient.ExitStatus.cannotConnect
        ),
        (.refused(RemoteError(["code": -32000, "message": "no"]), method: "x"), .refused),
        (.timeout("clock.run"), .timeout),
        (.closed(nil), .closed),
        (.notUnderstood("\"hello\""), .cannotConnect),
    ])
    func `maps every fault to its exit code`(error: ClientError, status: MarbledClient.ExitStatus) {
        #expect(Complaint(error).status == status)
    }

    @Test func `counts the exit codes as scripts know them`() {
        #expect(MarbledClient.ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test func `says which path was tried, why, and how to go on`() {
        let complaint = Complaint(ClientError.cannotConnect([FailedAttempt(Self.path, .absent)]))
        #expect(
            complaint.lines(.none) == [
                "marblectl: no daemon at /tmp/m.sock (from --socket): there is no such socket",
                "  Start one with `marbled --socket /tmp/m.sock`, or add --spawn for a private one.",
            ])
    }

    @Test func `offers the name that was meant`() {
        let error = RemoteError([
            "code": -32000, "message": "no plugin offers this feature",
            "data": [
                "kind": "unknownFeature", "pointer": "/feature", "suggestion": "find-number",
            ],
        ])
        #expect(error.sentence == "no plugin offers this feature")
        #expect(error.advice(for: "instance.open") == "Did you mean \"find-number\"?")
    }

    @Test func `shows where in a deep value the fault is, and what would be right`() {
        let error = RemoteError([
            "message": "an unknown key",
            "data": ["kind": "badValue", "pointer": "/stubs/0/repl", "expected": "reply"],
        ])
        #expect(error.sentence == "an unknown key at /stubs/0/repl; expected reply")
    }

    @Test func `knows a way on for each kind of error`() {
        for kind in ErrorKind.allCases {
            let error = RemoteError(["data": ["kind": .string(kind.rawValue)]])
            #expect(error.advice(for: "a.method") != nil, "\(kind)")
        }
    }

    @Test(arguments: [
        ("busy", "instance.open", "another name"), ("busy", "plugin.load", "plugin reload"),
        ("busy", "clock.run", "when the other call has ended"),
        ("badValue", "daemon.reload", "marbled --check"),
        ("pluginRefused", "instance.open", "marblectl describe"),
    ])
    func `advises on what was called`(_ kind: String, _ method: String, _ advice: String) {
        let error = RemoteError(["data": ["kind": .string(kind)]])
        #expect(error.advice(for: method)?.contains(advice) == true)
    }

    @Test func `survives an error object of another server`() {
        let error = RemoteError([:])
        #expect(error.sentence == "an error without a message")
        #expect(RemoteError(["data": ["kind": "brandNew"]]).advice(for: "a.method") == nil)
    }
}
