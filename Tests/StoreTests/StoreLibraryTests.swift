// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import MarbledHost
import TestSupport
import Testing

@testable import Store

/// The library that keeps stores, as it should not be found.
@Suite("The store's library")
struct StoreLibraryTests {
    @Test func `it stands beside the program`() throws {
        let folder = StoreLibrary.path.dropLast("/libMarbledStore.so".count)
        #expect(StoreLibrary.path.hasSuffix("/libMarbledStore.so"))
        #expect(Files.exists(StoreLibrary.path))
        #expect(Files.exists(folder + "/marbled"))
    }

    /// What stands in the library's place, and what is said of it.
    enum Wrong: CaseIterable {
        case missing, noLibrary, plugin, ofAnotherBuild

        func put(at path: String) throws {
            let folder = StoreLibrary.path.dropLast("/libMarbledStore.so".count)
            switch self {
            case .missing: break
            case .noLibrary: try Files.write("no library", to: path)
            case .plugin: symlink(folder + "/libOldMinor.so", path)
            case .ofAnotherBuild: symlink(folder + "/libOtherStore.so", path)
            }
        }

        /// What is mapped stays mapped, for the length of the process.
        var isMapped: Bool { self == .plugin || self == .ofAnotherBuild }

        var words: String {
            switch self {
            case .missing: "No such file"
            case .noLibrary: "cannot be loaded"
            case .plugin: "exports no marbled_store_library"
            case .ofAnotherBuild: "has version 4711, and this daemon"
            }
        }
    }

    @Test(arguments: Wrong.allCases)
    func `a wrong one is named with what to do, and put right it is used`(_ wrong: Wrong) throws {
        let place = TemporaryFolder()
        let library = place.file("libMarbledStore.so")
        try wrong.put(at: library)
        let store = try StoreLab(library: library)
        for request: JSONValue in [["set": "a", "value": 1], ["get": "a"]] {
            let refusal = store.ask(request)
            #expect(refusal == .refused(.unavailable))
            #expect(refusal.message.hasPrefix("\(library), which keeps what features store"))
            #expect(refusal.message.contains(wrong.words), "\(refusal.message)")
            let advice = wrong.isMapped ? "start the daemon again" : "the next request tries again"
            #expect(refusal.message.hasSuffix("built with this daemon, and \(advice)"))
        }
        #expect(!Files.exists(store.path))
        #expect(store.lines.count == 1 && store.file.problem?.file == library)
        if wrong.isMapped { return }
        unlink(library)
        symlink(StoreLibrary.path, library)
        #expect(store.ask(["set": "a", "value": 1]) == .json(nil))
        #expect(store.ask(["get": "a"]) == .json(1))
        #expect(store.file.problem == nil)
    }
}
