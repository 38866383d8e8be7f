// SPDX-License-Identifier: Apache-2.0

/// `Documentation/Marbled.docc/WireScripts.md`: the scripts, each under its name.
struct WireScriptsPage {
    let scripts: [ProtocolTable.Script]

    var text: String {
        """
        # Wire scripts

        The rules of the protocol as conversations: lines that are sent, and the lines that must come.

        @Comment {
            This page is printed from `Tests/Wire`; `MARBLED_WRITE_PAGES=1 swift test --filter ProtocolPageTests`
            writes it, and a test fails when it is not up to date.
        }

        ## Overview

        Each script is held in process with a daemon on the test's own thread, and against a daemon on a real socket.
        `marblectl wire FILE` holds one against yours, or one that you wrote.

        `# …` at the top is the rule that a script holds, `promise` what it shows of <doc:Protocol>, and `limits` what the
        daemon is configured with. A line begins with the name of a client, where there is more than one.

        | word | meaning |
        | --- | --- |
        | `> TEXT` | sends a line |
        | `< TEXT` | the next line that comes |
        | `half TEXT` | sends the text and no line end |
        | `raw TEXT` | sends bytes; `\\n`, `\\r`, `\\t`, `\\\\` and `\\xNN` are escapes |
        | `end` | sends nothing more, and still reads |
        | `close` | hangs up |
        | `closed` | the daemon hangs up, and nothing came before that |

        `{any}` in an expected line is any one JSON value, or any part of a string; `{...}` is anything; every other `{name}`
        is a value that has to be the same wherever the name stands. When a script is over, nothing may have come that it
        does not tell of.

        \(scripts.map(Self.section).joined(separator: "\n\n"))

        """
    }

    private static func section(_ script: ProtocolTable.Script) -> String {
        """
        ## \(script.name)

        ```
        \(script.text.hasSuffix("\n") ? String(script.text.dropLast()) : script.text)
        ```
        """
    }
}
