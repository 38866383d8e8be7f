// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledClient

/// JSON text: what is accepted prints and reads back as itself, and its slices are JSON too.
enum JSONSubject {
    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        let validator = JSONValidator()
        let fault = bytes.withUnsafeBytes { validator.validate($0) }
        let value = bytes.withUnsafeBytes { try? JSONValue(parsing: $0) }
        try require(
            bytes.padded { validator.validate(padded: $0) } == fault,
            "judged differently with padding of its own")
        try checkTyped(String(decoding: bytes, as: UTF8.self))
        guard fault == nil else {
            return try require(value == nil, "it is no JSON, and it was read")
        }
        // Slices keep what a tree cannot say, such as numbers beyond doubles.
        let slices = bytes.withUnsafeBytes { bytes in
            Result { () throws(FuzzFinding) in
                try checkSlices(RawJSON(validated: bytes), in: bytes, validator)
            }
        }
        try slices.get()
        guard let value else { return }
        try checkText(value.text, of: value)
        let pretty = bytes.isEmpty ? "" : value.prettyText
        try require((try? JSONValue(parsing: pretty)) == value, "printed prettily as \(pretty)")
    }

    static func checkText(_ text: String, of value: JSONValue) throws(FuzzFinding) {
        let again = try? JSONValue(parsing: text)
        try require(again == value, "printed as \(text)")
        try requireSame(again?.text ?? "", text, "printed twice")
        try require(!text.utf8.contains(0x0A), "a line end in a line: \(text)")
    }

    private static func checkSlices(
        _ value: RawJSON, in text: UnsafeRawBufferPointer, _ validator: JSONValidator
    ) throws(FuzzFinding) {
        guard let start = text.baseAddress, let here = value.bytes.baseAddress else {
            throw FuzzFinding("a slice without an address")
        }
        let offset = here - start
        try require(
            offset >= 0 && offset + value.bytes.count <= text.count, "a slice leaves its text")
        // Judging every slice of a deep text again would take the square of its length.
        if value.bytes.count < 256 {
            try require(validator.validate(value.bytes) == nil, "a slice is no JSON")
        }
        if let string = value.rawString {
            try require(
                value.string == string.string && string.string.utf8.count <= value.bytes.count,
                "a string read in two ways")
        }
        for element in value.elements { try checkSlices(element, in: text, validator) }
        for member in value.members { try checkSlices(member.value, in: text, validator) }
    }

    /// JSON as people type it.
    private static func checkTyped(_ text: String) throws(FuzzFinding) {
        guard let typed = try? FlowText.parse(text) else { return }
        try require(typed.isFinite, "typed beyond what JSON can say")
        try checkText(typed.text, of: typed)
    }
}

extension [UInt8] {
    /// These bytes with room behind them, which has no meaning.
    fileprivate func padded<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        (self + [UInt8](repeating: 0x22, count: JSONValidator.padding)).withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
    }
}
