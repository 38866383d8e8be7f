// SPDX-License-Identifier: Apache-2.0

import MarbledDaemon
import Testing

/// Where what plugins store is kept: who says so, and who is heard first.
@Suite struct StateDirectoryTests {
    private func directory(
        flag: String? = nil, _ environment: [String: String] = [:]
    ) throws -> String? {
        var flags = Settings()
        flags.stateDirectory = flag
        return try Configuration.load(
            flags: flags, file: nil, environment: environment, executableFolder: nil
        ).stateDirectory
    }

    @Test(
        arguments: [
            ([:], nil),
            (["HOME": "/home/ann"], "/home/ann/.local/state/marbled"),
            (["HOME": "home"], nil),
            (["HOME": "/home/ann", "XDG_STATE_HOME": "/x"], "/x/marbled"),
            (["HOME": "/home/ann", "XDG_STATE_HOME": "x"], "/home/ann/.local/state/marbled"),
            (["HOME": "/home/ann", "XDG_STATE_HOME": ""], "/home/ann/.local/state/marbled"),
            (["XDG_STATE_HOME": "/x", "STATE_DIRECTORY": "/var/lib/marbled"], "/var/lib/marbled"),
            (["STATE_DIRECTORY": "/var/lib/marbled:/var/lib/other"], "/var/lib/marbled"),
            (["STATE_DIRECTORY": "/s", "MARBLED_STATE_DIRECTORY": "/m"], "/m"),
            (["STATE_DIRECTORY": "/s", "MARBLED_STATE_DIRECTORY": "none"], nil),
        ] as [([String: String], String?)])
    func `the nearest who says a folder is heard`(
        _ environment: [String: String], _ expected: String?
    ) throws {
        #expect(try directory(environment) == expected)
        #expect(try directory(flag: "/flag", environment) == "/flag")
        #expect(try directory(flag: "none", environment) == nil)
    }

    @Test func `a file says it too, below the environment`() throws {
        let file = try Settings(yaml: "state-directory: /file", name: "f")
        #expect(file.stateDirectory == "/file")
        let environment = try Settings(environment: ["MARBLED_STATE_DIRECTORY": "/e"])
        #expect(environment.over(file).stateDirectory == "/e")
        #expect(Settings().over(file).stateDirectory == "/file")
    }

    @Test(arguments: ["", "state", "./state", "None"])
    func `a folder that depends on where the daemon was started is refused`(_ text: String) {
        let error = #expect(throws: ConfigurationError.self) { try directory(flag: text) }
        #expect(error?.description.contains("absolute path") == true)
    }
}
