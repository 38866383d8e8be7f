// SPDX-License-Identifier: Apache-2.0

import MarbledClient
import Testing

@Suite struct `The socket's path` {
    private func paths(_ option: String?, _ environment: [String: String]) -> [String] {
        SocketPath.candidates(option: option) { environment[$0] }.map(\.path)
    }

    @Test func `is the option's before all`() {
        #expect(paths("/a", ["MARBLED_SOCKET": "/b", "XDG_RUNTIME_DIR": "/c"]) == ["/a"])
    }

    @Test func `is the variable's next`() {
        #expect(paths(nil, ["MARBLED_SOCKET": "/b", "XDG_RUNTIME_DIR": "/c"]) == ["/b"])
    }

    @Test func `is the user's, then the system's`() {
        #expect(
            paths(nil, ["XDG_RUNTIME_DIR": "/c"]) == [
                "/c/marbled.sock", "/run/marbled/marbled.sock",
            ])
        #expect(paths(nil, [:]) == ["/run/marbled/marbled.sock"])
    }

    @Test func `takes an empty variable for none`() {
        #expect(
            paths(nil, ["MARBLED_SOCKET": "", "XDG_RUNTIME_DIR": ""])
                == ["/run/marbled/marbled.sock"])
    }

    @Test func `of the private daemon's program is the one beside this one`() throws {
        let there: Set = ["/opt/bin/marbled", "/usr/bin/marbled"]
        func find(_ own: String?, _ path: String?) throws -> String {
            try PrivateDaemon.executable(besides: own, path: path) { there.contains($0) }
        }
        #expect(try find("/opt/bin/marblectl", "/usr/bin") == "/opt/bin/marbled")
        #expect(try find("/home/bin/marblectl", "/bin:/usr/bin") == "/usr/bin/marbled")
        let complaint = #expect(throws: Complaint.self) { try find("/home/bin/marblectl", nil) }
        #expect(complaint?.status == .cannotConnect)
    }
}
