// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Marbles
internal import Scheduling

/// One line of a record file, read from left to right. Words are set apart by single or many blanks.
struct RecordLine {
    let number: Int
    private let bytes: [UInt8]
    private var position = 0
    private let validator: JSONValidator

    init(_ bytes: [UInt8], number: Int, _ validator: JSONValidator) {
        self.validator = validator
        // A file that went through another system may end its lines in CR LF.
        self.bytes = bytes.last == 0x0D ? bytes.dropLast() : bytes
        self.number = number
        skipBlanks()
    }

    /// The place of the next word, for errors.
    var mark: Int { position }
    var isEmpty: Bool { position == bytes.count }
    /// Whether the word `end` is next.
    var isAtEnd: Bool { word.elementsEqual("end".utf8) }
    var isComment: Bool { peek == UInt8(ascii: "#") }
    var beginsWithDigit: Bool {
        peek.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x09 { position += 1 }
    }

    /// The next word without stepping over it.
    private var word: ArraySlice<UInt8> {
        bytes[position...].prefix { $0 != 0x20 && $0 != 0x09 }
    }

    private mutating func step(over word: ArraySlice<UInt8>) {
        position = word.endIndex
        skipBlanks()
    }

    // MARK: Words

    /// Steps over this very word if it is next.
    mutating func take(word wanted: StaticString) -> Bool {
        let word = word
        let matches = wanted.withUTF8Buffer { $0.elementsEqual(word) }
        if matches { step(over: word) }
        return matches
    }

    /// One of `words`.
    mutating func choice(_ words: [String]) throws(RecordError) -> String {
        let word = word
        let text = String(decoding: word, as: UTF8.self)
        guard words.contains(text) else {
            let hint = NearestName.find(text, among: words).map { "; did you mean \($0)?" } ?? ""
            throw error("one of \(words.joined(separator: ", ")) stands here\(hint)")
        }
        step(over: word)
        return text
    }

    /// A name: a plain word, or a JSON string.
    mutating func name(_ what: String) throws(RecordError) -> String {
        guard peek == UInt8(ascii: "\"") else {
            let word = word
            guard !word.isEmpty, word.allSatisfy(RecordFile.isWordByte) else {
                throw error("\(what) stands here: a plain word, or a JSON string")
            }
            step(over: word)
            return String(decoding: word, as: UTF8.self)
        }
        var end = position + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < bytes.count else { throw error("this string is not closed") }
        let text = bytes[position...end]
        guard let name = text.withUnsafeBytes({ try? JSONValue(parsing: $0) })?.string else {
            throw error("this is no JSON string")
        }
        step(over: text)
        return name
    }

    mutating func integer<Number: FixedWidthInteger>(
        _ what: String, _ type: Number.Type
    ) throws(RecordError) -> Number {
        let word = word
        guard let first = word.first, first != UInt8(ascii: "+"),
            let number = Number(String(decoding: word, as: UTF8.self))
        else { throw error("\(what) stands here, a whole number") }
        step(over: word)
        return number
    }

    mutating func duration(_ what: String) throws(RecordError) -> Int64 {
        let word = word
        guard let duration = Self.nanoseconds(word) else {
            throw error("\(what) stands here, a duration such as 20ms or 1500ns")
        }
        step(over: word)
        return duration
    }

    /// An instant and its microstep: `10ms`, `10ms.2`.
    mutating func instant() throws(RecordError) -> (at: Instant, step: UInt32) {
        let word = word
        var time = word
        var step: UInt32 = 0
        if let point = word.lastIndex(of: UInt8(ascii: ".")), point > word.startIndex,
            RecordFile.isLetter(bytes[point - 1])
        {
            time = word[..<point]
            let digits = String(decoding: word[(point + 1)...], as: UTF8.self)
            guard let number = UInt32(digits), !digits.hasPrefix("+") else {
                throw error("a microstep is a whole number, as in 10ms.2")
            }
            step = number
        }
        guard let nanoseconds = Self.nanoseconds(time) else {
            throw error("a time stands here, such as 10ms, 1.5s or 10ms.2")
        }
        self.step(over: word)
        return (Instant(nanoseconds: nanoseconds), step)
    }

    private static func nanoseconds(_ word: ArraySlice<UInt8>) -> Int64? {
        DurationText.duration(of: String(decoding: word, as: UTF8.self))?.wholeNanoseconds
    }

    // MARK: JSON

    /// The rest of the line, JSON; as it stands.
    mutating func json() throws(RecordError) -> String {
        if let fault = bytes[position...].withUnsafeBytes({ validator.validate($0) }) {
            throw error("JSON stands here: \(fault.sentence)")
        }
        var end = bytes.count
        // What was judged has white space around it at most, of any kind that JSON knows.
        while end > position, bytes[end - 1] <= 0x20 { end -= 1 }
        defer { position = bytes.count }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    /// The rest of the line, JSON; as a tree.
    mutating func value() throws(RecordError) -> JSONValue {
        let place = mark
        let text = try json()
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw self.error("JSON stands here: \(error.sentence)", at: place)
        }
    }

    /// The rest of the line: JSON, `error` and JSON, or `completed`.
    mutating func said() throws(RecordError) -> (Record.Event, String) {
        if take(word: "completed") { return (.completed, "") }
        let event: Record.Event = take(word: "error") ? .error : .next
        return (event, try json())
    }

    // MARK: Errors

    /// Throws when something is left.
    func finish() throws(RecordError) {
        guard isEmpty else { throw error("nothing more stands in this line") }
    }

    /// An error at the next word, or at a place that was marked.
    func error(_ message: String, at mark: Int? = nil) -> RecordError {
        let before = String(decoding: bytes[..<(mark ?? position)], as: UTF8.self)
        return RecordError(message, line: number, column: before.count + 1)
    }
}

extension RecordFile {
    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
