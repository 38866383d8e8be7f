// SPDX-License-Identifier: Apache-2.0

/// How much is measured, and where things lie.
struct Bench {
    /// Under a minute in all, to see that everything works.
    var isShort = false
    /// The folder of the daemon, its command line and its plugin, built for release.
    var programs = ""
    /// The folder of the C baselines and the ticker.
    var baselines = ""
    /// A folder for sockets, empty and short of name.
    var scratch = ""
    /// Where the report goes.
    var report = ""
    /// How long the daemon is kept under load instead of measuring; zero for measuring.
    var soakMinutes = 0.0
    /// Only families whose name contains this.
    var only = ""

    /// How often each contender of a pair has its turn.
    var rounds: Int { isShort ? 3 : 9 }
    /// How long a turn over a socket takes.
    var turnMilliseconds: Int { isShort ? 100 : 300 }

    /// `full`, or `short` in the short form.
    func count(_ full: Int, short: Int) -> Int { isShort ? short : full }

    /// Reads the command line; see `Benchmarks/run`.
    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments.dropFirst())
        while !rest.isEmpty {
            let name = rest.removeFirst()
            guard name != "--short" else {
                isShort = true
                continue
            }
            guard !rest.isEmpty else { throw BenchError("\(name) takes a value") }
            let value = rest.removeFirst()
            switch name {
            case "--programs": programs = value
            case "--baselines": baselines = value
            case "--scratch": scratch = value
            case "--report": report = value
            case "--only": only = value
            case "--soak":
                guard let minutes = Double(value), minutes > 0 else {
                    throw BenchError("--soak takes minutes, such as 40")
                }
                soakMinutes = minutes
            default: throw BenchError("\(name) is not an option")
            }
        }
    }
}

/// What keeps a row from being measured: a sentence.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
