// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import MarbledClient

/// The way of plain command lines around the parser, whose start costs more than the whole call.
///
/// A line is plain when it is a verb of every day with nothing but words and the options of all verbs:
/// `marblectl -o json get i1 round`. It is read here exactly as the parser would read it; anything
/// else, every mistake included, is left to the parser.
enum ShortPath {
    /// The command, or nil where the parser has to look.
    static func command(_ words: [String]) -> (any ParsableCommand)? {
        guard let line = PlainLine(words), let verb = line.words.first else { return nil }
        let options = GlobalOptions.of(line)
        let words = line.words.dropFirst()
        func word(_ index: Int) -> String? {
            words.count > index ? words[words.startIndex + index] : nil
        }
        switch (verb, words.count) {
        case ("ping", 0):
            var command = Ping()
            command.options = options
            return command
        case ("status", 0):
            var command = Status()
            command.options = options
            return command
        case ("ls", 0):
            var command = List()
            command.options = options
            return command
        case ("get", 1...2):
            var command = Get()
            command.options = options
            command.instance = word(0) ?? ""
            command.output = word(1)
            return command
        case ("send", 2...3):
            var command = Send()
            command.options = options
            command.instance = word(0) ?? ""
            command.input = word(1) ?? ""
            command.value = word(2)
            command.at = nil
            command.after = nil
            command.wait = nil
            return command
        case ("advance", 2):
            var command = Advance()
            command.options = options
            command.instance = word(0) ?? ""
            command.duration = word(1)
            command.to = nil
            command.before = nil
            command.limit = nil
            return command
        case ("now", 1):
            var command = Now()
            command.options = options
            command.instance = word(0) ?? ""
            return command
        case ("step", 1):
            var command = Step()
            command.options = options
            command.instance = word(0) ?? ""
            return command
        case ("call", 1...):
            var command = Call()
            command.options = options
            command.method = word(0) ?? ""
            command.params = Array(words.dropFirst())
            return command
        default: return nil
        }
    }
}

extension GlobalOptions {
    fileprivate static func of(_ line: PlainLine) -> GlobalOptions {
        var options = GlobalOptions()
        options.socket = line.socket
        options.output = line.output
        options.timeout = line.timeout
        options.spawn = false
        return options
    }
}
