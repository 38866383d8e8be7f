// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import JSONRPC
import MarbledHost
import TestSupport
import Testing

@testable import Store

/// The two places that a store can be in.
enum StoreKind: CaseIterable, CustomTestStringConvertible {
    case memory
    case file

    var testDescription: String { self == .memory ? "in memory" : "on disk" }
}

/// One store for a test, asked and answered in one go.
final class StoreLab {
    private let place = TemporaryFolder()
    let folder: String
    private let loop: EventLoop
    private let memory: MemoryStore
    private(set) var file: SQLiteStore
    private var notes = Notes()
    private let kind: StoreKind
    private let limits: StoreLimits
    private let patience: Int32
    private let library: String

    init(
        _ kind: StoreKind = .file, limits: StoreLimits = StoreLimits(), patience: Int32 = 50,
        folder: String? = nil, library: String = StoreLibrary.path
    ) throws {
        self.kind = kind
        self.library = library
        self.limits = limits
        self.patience = patience
        self.folder = folder ?? place.path
        loop = try EventLoop()
        memory = MemoryStore(limits: limits)
        file = SQLiteStore(folder: self.folder, loop: loop)
        reopen()
    }

    deinit {
        file.close(patience: .seconds(20))
        loop.close()
    }

    var path: String { file.path }

    /// Ends the store in order and begins another on the same file.
    func reopen() {
        file.close(patience: .seconds(20))
        let notes = Notes()
        self.notes = notes
        file = SQLiteStore(
            folder: folder, library: library, loop: loop, limits: limits, patience: patience,
            log: { notes.lines.append("\($0): \($1)") })
    }

    /// What the store told the log.
    var lines: [String] { notes.lines }

    private final class Notes {
        var lines: [String] = []
    }

    /// What the store answers: JSON, or the kind of its refusal.
    func ask(_ request: JSONValue, plugin: String = "p") -> Said {
        switch kind {
        case .memory: return Said(memory.answer(request))
        case .file: return askAll([request], plugin: plugin)[0]
        }
    }

    /// Asks the store on disk without waiting in between; the answers in the order they came.
    func askAll(_ requests: [JSONValue], plugin: String = "p") -> [Said] {
        let answers = Answers()
        for request in requests {
            file.perform(request, plugin: plugin) { answers.said.append(Said($0)) }
        }
        turn { answers.said.count == requests.count }
        return answers.said
    }

    private final class Answers {
        var said: [Said] = []
    }

    /// Turns the loop until something holds.
    func turn(until condition: () -> Bool) {
        while !condition() { loop.turn() }
    }
}

/// An answer that tests compare: a value, or a kind of failure with its sentence aside.
struct Said: Equatable, CustomStringConvertible {
    var value: JSONValue?
    var kind: String?
    var message = ""

    init(_ answer: EffectAnswer) {
        switch answer {
        case .value(let text):
            value = text.withUnsafeBytes { try? JSONValue(parsing: $0) }
        case .failure(let kind, let message):
            self.kind = kind
            self.message = message
        case .error(let text):
            message = String(decoding: text, as: UTF8.self)
        case .part, .completed:
            kind = "several answers, where the store has one"
        }
    }

    private init(value: JSONValue?, kind: String?) {
        self.value = value
        self.kind = kind
    }

    static func json(_ value: JSONValue) -> Said { Said(value: value, kind: nil) }

    static func refused(_ kind: StoreFault.Kind) -> Said { Said(value: nil, kind: kind.rawValue) }

    static func == (left: Said, right: Said) -> Bool {
        left.value == right.value && left.kind == right.kind
    }

    var description: String { value?.text ?? "\(kind ?? ""): \(message)" }
}

extension Files {
    /// The permissions of a file or folder; none where there is none.
    static func mode(_ path: String) -> UInt32 {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
