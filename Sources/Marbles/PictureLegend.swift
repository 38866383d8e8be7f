// SPDX-License-Identifier: Apache-2.0

/// Which letter stands for which long value in one picture.
struct PictureLegend {
    /// Letter and value, in the order in which they were given out.
    private(set) var entries: [(letter: String, value: String)] = []
    private var letters: [String: String] = [:]
    private var taken: Set<String>
    private let widest: Int
    /// What is left to be given out: letters, and the numbers behind them.
    private var free = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[...]
    private var number = 1

    /// A legend whose letters are none of `names`, which may stand for themselves in the same picture.
    init(names: some Sequence<String>, widest: Int) {
        taken = Set(names.map(MarbleName.spelled))
        self.widest = widest
    }

    /// How `name` is spelled in a lane: as itself when it is short, else as its letter.
    mutating func spelling(of name: String) -> String {
        let itself = MarbleName.spelled(name)
        guard displayWidth(of: name) > widest || displayWidth(of: itself) > widest + 4 else {
            return itself
        }
        if let letter = letters[name] { return letter }
        let letter = nextLetter()
        taken.insert(letter)
        letters[name] = letter
        entries.append((letter, name))
        return letter
    }

    /// a…z, then A…Z, then 'v1', 'v2' and so on, without those that are names themselves.
    private mutating func nextLetter() -> String {
        while let letter = free.popFirst() {
            if !taken.contains(String(letter)) { return String(letter) }
        }
        while taken.contains("'v\(number)'") { number += 1 }
        return "'v\(number)'"
    }
}
