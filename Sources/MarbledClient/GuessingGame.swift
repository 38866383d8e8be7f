// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// A player's view of find-number: what to ask, and what to say when something happened.
///
/// The target is never shown: it is what the player guesses.
package struct GuessingGame {
    private var round: Int64 = 1
    private var best: Int64 = 0
    private var current: Int64 = 0
    private let range: ClosedRange<Int64>?
    /// A guess was sent, or a game started, and the daemon has yet to say what came of it.
    package private(set) var isWaiting = false
    private var guess: Int64?
    private var said: [String] = []

    /// - Parameter options: what the feature's options are, for the bounds of a guess.
    package init(options: JSONValue?) {
        if let low = options?["min"]?.int, let high = options?["max"]?.int, low <= high {
            range = low...high
        } else {
            range = nil
        }
    }

    package var prompt: String {
        let bounds = range.map { "\($0.lowerBound)-\($0.upperBound), " } ?? ""
        return "round \(round), record \(current), best \(best). Your guess (\(bounds)q quits): "
    }

    /// What a line that the player typed means.
    package enum Entry: Equatable {
        case guess(Int64), quit, nothing
        case mistake(String)
    }

    package func entry(_ line: String) -> Entry {
        let word = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        switch word.lowercased() {
        case "": return .nothing
        case "q", "quit", "exit": return .quit
        default: break
        }
        guard let number = Int64(word) else {
            return .mistake("\"\(word.printable)\" is no number.")
        }
        guard let range, !range.contains(number) else { return .guess(number) }
        return .mistake("The number is from \(range.lowerBound) to \(range.upperBound).")
    }

    package mutating func started() { isWaiting = true }

    package mutating func guessed(_ number: Int64) {
        guess = number
        isWaiting = true
    }

    /// Takes the parameters of a `stream.event`.
    package mutating func take(_ event: JSONValue) {
        let number = event["value"]?.int
        switch event["output"]?.string {
        case "round": round = number ?? round
        case "bestRecord": best = number ?? best
        case "currentRecord":
            current = number ?? current
            guard let guess else { break }
            if current > 0 {
                said.append("\(guess) is right!")
            } else {
                said.append("\(guess) is wrong: back to round 1.")
                // Nothing is asked for after a wrong guess; the number stays.
                isWaiting = false
            }
            self.guess = nil
        case "target": isWaiting = false
        case "error":
            let reason = event["value"]?.shown ?? "for an unknown reason"
            said.append("No new number (\(reason.printable)): the old one stays.")
            isWaiting = false
        default: break
        }
    }

    /// The number did not come in time.
    package mutating func gaveUp() {
        said.append("No new number has come yet; the old one stays until it does.")
        isWaiting = false
        guess = nil
    }

    /// What there is to tell since the last time.
    package mutating func takeNews() -> [String] {
        defer { said = [] }
        return said
    }
}
