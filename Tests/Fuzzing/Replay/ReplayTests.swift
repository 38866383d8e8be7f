// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The inputs that are kept, without a fuzzer: seeds, and what was once found.
@Suite("Fuzzing") struct ReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func files(_ kind: String, _ subject: String) throws -> [URL] {
        let folder = folder.appending(path: "\(kind)/\(subject)")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).sorted { $0.path < $1.path }
    }

    @Test(arguments: FuzzSubject.all)
    func `what is promised holds for every input that is kept`(_ subject: FuzzSubject) throws {
        let seeds = try Self.files("Corpora", subject.name)
        #expect(!seeds.isEmpty)
        for file in try seeds + Self.files("Finds", subject.name) {
            let bytes = try [UInt8](Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.path)") { try subject.check(bytes) }
        }
    }

    @Test(arguments: ["Corpora", "Finds"])
    func `no input is left of a subject that is gone`(_ kind: String) throws {
        for folder in try Self.files(kind, "") {
            #expect(FuzzSubject.named(folder.lastPathComponent) != nil, "\(folder.path)")
        }
    }
}

extension FuzzSubject: CustomTestStringConvertible {
    var testDescription: String { name }
}
