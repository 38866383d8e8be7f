// SPDX-License-Identifier: Apache-2.0
internal import CSimdJSON

/// Why a text is not JSON.
package enum JSONFault: Error, Sendable, CaseIterable {
    case empty, utf8, string, number, depth, memory, syntax

    /// What was wrong and what would be right, in a sentence's part.
    package var sentence: String {
        switch self {
        case .empty: "there is no JSON value; one was expected"
        case .utf8: "the text is not UTF-8"
        case .string:
            "a string is not closed, has an unknown escape, or has a control character unescaped"
        case .number: "a number or a bare word is not written as JSON writes it"
        case .depth: "values are nested deeper than \(SJ_MAX_DEPTH) levels"
        case .memory: "there is no memory to read a text of this length"
        case .syntax: "the text breaks JSON's grammar"
        }
    }

    init?(_ fault: sj_fault) {
        switch fault {
        case SJ_OK: return nil
        case SJ_EMPTY: self = .empty
        case SJ_UTF8: self = .utf8
        case SJ_STRING: self = .string
        case SJ_NUMBER: self = .number
        case SJ_DEPTH: self = .depth
        case SJ_MEMORY: self = .memory
        default: self = .syntax
        }
    }
}

/// Judges whole JSON texts with simdjson and keeps its working memory between them.
///
/// Loop-confined. It keeps nothing of a text, so one validator can serve any number of decoders on
/// one thread. Memory is about 14 times the longest text, and given back after a text over 64 KiB.
package final class JSONValidator {
    /// Readable bytes that must follow a text given to `validate(padded:)`.
    package static let padding = Int(SJ_PADDING)

    private let parser: OpaquePointer

    package init() {
        guard let parser = sj_parser_make() else {
            preconditionFailure("no memory for a JSON parser")
        }
        self.parser = parser
    }

    deinit { sj_parser_free(parser) }

    /// Judges a text that has `padding` readable bytes behind it; nil is the good answer.
    package func validate(padded text: UnsafeRawBufferPointer) -> JSONFault? {
        JSONFault(sj_validate(parser, text.bytePointer, text.count))
    }

    /// Judges a text that stands anywhere, by way of a padded copy; nil is the good answer.
    package func validate(_ text: UnsafeRawBufferPointer) -> JSONFault? {
        JSONFault(sj_validate_copy(parser, text.bytePointer, text.count))
    }
}

extension UnsafeRawBufferPointer {
    /// The start as C's `uint8_t` pointer.
    fileprivate var bytePointer: UnsafePointer<UInt8>? {
        baseAddress?.assumingMemoryBound(to: UInt8.self)
    }
}
