// SPDX-License-Identifier: Apache-2.0

import MarbledDaemon
import TestSupport
import Testing

/// The Python client: its own tests against the real daemon, and whether it is what the daemon says.
@Suite("The Python client")
struct PythonClientTests {
    private static let client = "\(Checkout.path)/Sources/python"

    /// Runs Python, of which no compiled files stay behind.
    private func python(
        _ arguments: [String], in folder: String, socket: String = ""
    ) throws -> (status: Int32, text: String) {
        let output = "\(folder)/python.out"
        let child = try Spawn.run(
            "/usr/bin/python3", ["-B"] + arguments,
            environment: ["PYTHONPATH": Self.client, "MARBLED_SOCKET": socket], output: output)
        return (try Spawn.wait(child, seconds: 120), Files.text(output))
    }

    @Test func `its own tests pass`() throws {
        let daemon = try DaemonProcess()
        let run = try python(
            ["-m", "unittest", "discover", "-s", "\(Checkout.path)/Tests/Python"],
            in: daemon.folder,
            socket: daemon.socket)
        #expect(run.status == 0, "\(run.text)")
        #expect(run.text.contains("\nOK\n"), "\(run.text)")
    }

    @Test func `it is generated from what the daemon says`() throws {
        let folder = TemporaryFolder()
        let description = "\(folder.path)/description.json"
        try Files.write(ConfinedDaemon.description, to: description)
        let program = "import sys; sys.stdin = open(sys.argv[1]); sys.path.insert(0, sys.argv[2]); "
        let run = try python(
            [
                "-c",
                program + "import generate, json; "
                    + "sys.stdout.write(generate.Generator().run(json.load(sys.stdin)))",
                description, Self.client,
            ], in: folder.path)
        try #require(run.status == 0, "\(run.text)")
        try GeneratedPage(
            "Sources/python/marbled/api.py", writtenBy: "Tests/Scripts/python-client.sh"
        ).expectUpToDate(run.text)
    }

    @Test func `its wheel holds the package, and the same one each time`() throws {
        let folder = TemporaryFolder()
        let run = try python(
            [
                "-c",
                """
                import hashlib, pathlib, sys, zipfile
                sys.path.insert(0, sys.argv[1])
                import pack
                wheels = []
                for _ in range(2):
                    name = pack.build_wheel(sys.argv[2])
                    path = pathlib.Path(sys.argv[2]) / name
                    wheels.append(path.read_bytes())
                assert wheels[0] == wheels[1]
                names = zipfile.ZipFile(path).namelist()
                assert "marbled/__init__.py" in names and "marbled/py.typed" in names, names
                sys.path.insert(0, str(path))
                del sys.modules["pack"]
                import marbled
                assert path.name in marbled.__file__, marbled.__file__
                print(name)
                """, Self.client, folder.path,
            ], in: folder.path)
        #expect(run.status == 0, "\(run.text)")
        #expect(run.text == "marbled-0.1.0-py3-none-any.whl\n")
    }
}
