// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// The page of the protocol, printed from the declarations that the daemon runs by.
package struct ProtocolPage {
    /// What shows that a promise is kept, or that an error is said.
    package enum Holder: Sendable, Equatable {
        /// A wire script, by its name.
        case script(String)
        /// A test, by its sentence.
        case test(String)
    }

    /// Nil for a page without a column of them.
    private let holders: [String: [Holder]]?

    /// - Parameter holders: by the names of promises and the words of kinds of error; nil where the reader
    ///   has neither scripts nor tests at hand, as in the manual.
    package init(holders: [String: [Holder]]? = nil) {
        self.holders = holders
    }

    package var text: String {
        ([Self.head, promises, Self.levels] + [Self.methods, Self.notifications, errors])
            .joined(separator: "\n\n") + "\n\n\(Self.limits)\n"
    }

    private static let head = """
        # Protocol

        JSON-RPC 2.0 over a Unix stream socket, one JSON text per line.

        @Comment {
            This page is printed from the code; `MARBLED_WRITE_PAGES=1 swift test --filter ProtocolPageTests`
            writes it, and a test fails when it is not up to date.
        }

        ## Overview

        A client connects to the socket that `--socket` or `$MARBLED_SOCKET` names, else to
        `$XDG_RUNTIME_DIR/marbled.sock`, else to `/run/marbled/marbled.sock`, and writes lines. `socat` will do:

        ```
        {"jsonrpc":"2.0","id":1,"method":"instance.open","params":{"feature":"find-number","clock":"virtual"}}
        {"jsonrpc":"2.0","id":2,"method":"stream.subscribe","params":{"instance":"i1","output":"round"}}
        {"jsonrpc":"2.0","id":3,"method":"instance.send","params":{"instance":"i1","input":"checkNumber","value":1}}
        ```

        Times in messages are whole nanoseconds. Where a client gives a duration, a text such as `"300ms"` does as well.
        Cursors are opaque. `rpc.discover` answers with what stands below as an OpenRPC document.
        """

    // MARK: Parts

    private var promises: String {
        let rows = Promise.allCases.map {
            [Self.code($0.rawValue), $0.sentence] + held($0.rawValue)
        }
        let heads = ["promise", "what a client may rely on"]
        guard holders != nil else {
            return "## What is promised\n\n\(Self.table(heads, rows))"
        }
        return """
            ## What is promised

            Each promise is held by conversations on <doc:WireScripts>, and where lines cannot show it by a test of that name.

            \(Self.table(heads + ["held by"], rows))
            """
    }

    private static let levels = """
        ## Who may do what

        Who a client is, is asked of the kernel when it connects (`SO_PEERCRED` and `SO_PEERGROUPS`). Each method is
        `read`, `control` or `admin`; a level holds those before it. Root and the daemon's own user have `admin`, whatever
        the configuration says; that root has less is refused. Members of the group that the socket belongs to have
        `control`, and everybody else may do nothing, unless the configuration says more or less:

        ```yaml
        access:
          users: {ann: admin, 1001: none}
          groups: {marbled: read, operators: control}
          others: read
        ```

        What is said of a user counts before what is said of its groups; of its groups the one with most counts. Who may
        connect at all is up to the socket's mode and group (`mode`, `group`, or the socket unit). A reload applies new
        rules to connections that are open.
        """

    private static var methods: String {
        let sections = Methods.all.map { method in
            var lines = [
                "### \(method.name)", "", method.doc, "",
                "Level \(code(method.level.rawValue)). "
                    + (method.errors.isEmpty
                        ? "No errors of its own."
                        : "Errors: \(method.errors.map { code($0.rawValue) }.joined(separator: ", "))."),
            ]
            if !method.parameters.isEmpty {
                lines += ["", table(["parameter", "type", ""], method.parameters.map(row))]
            }
            let results = rows(method.result)
            if !results.isEmpty { lines += ["", table(["result", "type", ""], results)] }
            return lines.joined(separator: "\n")
        }
        return """
            ## Methods

            Any call can end with `invalidParams`, `denied` or `internalError`. A member with a question mark may be missing.

            \(sections.joined(separator: "\n\n"))
            """
    }

    private static var notifications: String {
        let sections = Results.notifications.map { notification in
            """
            ### \(notification.method)

            \(notification.doc)

            \(table(["parameter", "type", ""], rows(notification.params.schema.text)))
            """
        }
        return """
            ## What the daemon sends unasked

            \(sections.joined(separator: "\n\n"))
            """
    }

    private var errors: String {
        let rows = ErrorKind.allCases.map {
            [Self.code($0.rawValue), "\($0.code)", $0.summary] + held($0.rawValue)
        }
        let heads = ["kind", "code", "meaning"] + (holders == nil ? [] : ["shown by"])
        return "## Errors\n\n\(Self.table(heads, rows))"
    }

    private static var limits: String {
        """
        ## Limits

        Each stands in the configuration under `limits`, in `daemon.hello` with its value, and in `daemon.status` with how
        often it struck.

        \(table(["limit", "default", "what happens at it"], DaemonLimits.table.map { [code($0.name), "\($0.standard)", $0.doc] }))
        """
    }

    // MARK: Cells

    /// The last cell of a row, if there is one.
    private func held(_ name: String) -> [String] {
        guard let holders else { return [] }
        let links = (holders[name] ?? []).map {
            switch $0 {
            case .script(let name): "[\(name)](doc:WireScripts#\(name))"
            case .test(let sentence): sentence
            }
        }
        return [links.joined(separator: "<br>")]
    }

    private static func row(_ parameter: Parameter) -> [String] {
        [
            code(parameter.name.description + (parameter.isRequired ? "" : "?")),
            parameter.type.name.replacing("|", with: ", "), parameter.doc,
        ]
    }

    private static func rows(_ schema: String) -> [[String]] {
        guard let schema = try? JSONValue(parsing: schema) else { return [] }
        return SchemaWords(schema).members.map { [code($0.name), $0.type, $0.doc] }
    }

    private static func code(_ word: String) -> String { "`\(word)`" }

    private static func table(_ heads: [String], _ rows: [[String]]) -> String {
        ([heads, heads.map { _ in "---" }] + rows)
            .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }
}
