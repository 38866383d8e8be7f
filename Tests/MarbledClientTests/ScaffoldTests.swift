// SPDX-License-Identifier: Apache-2.0

import MarbledClient
import Testing

@Suite struct ScaffoldTests {
    private static func make(
        _ name: String, _ language: Scaffold.Language = .swift,
        _ origin: Scaffold.Origin = .folder("/src/marbled")
    ) throws -> Scaffold {
        try Scaffold(name: name, language: language, origin: origin)
    }

    @Test(arguments: [
        ("TrafficLight", "traffic-light"), ("traffic_light", "traffic-light"),
        ("traffic light", "traffic-light"), ("-a-", "a"), ("a--b", "a-b"), ("Straße", "stra-e"),
        ("9lives", "lives"), ("HTTPProbe", "httpprobe"), ("a/../b", "a-b"),
    ])
    func `a name that cannot be one is refused, and a right one is offered`(
        _ name: String, _ right: String
    ) throws {
        let complaint = #expect(throws: Complaint.self) { try Self.make(name) }
        #expect(complaint?.status == .usage)
        #expect(complaint?.advice == "\"\(right)\" would be one.")
        _ = try Self.make(right)
    }

    @Test(arguments: ["", "-", "9", "ß", String(repeating: "a", count: 65)])
    func `a name of which nothing is left is refused all the same`(_ name: String) {
        #expect(throws: Complaint.self) { try Self.make(name) }
    }

    @Test(arguments: ["streams", "plugin", "marbled-kit"])
    func `a name that the package needs is refused`(_ name: String) {
        let complaint = #expect(throws: Complaint.self) { try Self.make(name) }
        #expect(complaint?.advice == "\"my-\(name)\" would be free.")
    }

    @Test func `a folder that would break the package's files is refused`() {
        for folder in ["/a\"b", "/a\\b", "/a\nb", "/a$b"] {
            #expect(throws: Complaint.self) { try Self.make("a", .swift, .folder(folder)) }
        }
    }

    @Test(arguments: Scaffold.Language.allCases)
    func `a package has all that its README promises, and says its name everywhere`(
        _ language: Scaffold.Language
    ) throws {
        let scaffold = try Self.make("traffic-light", language)
        #expect(scaffold.type == "TrafficLight")
        let files = scaffold.files
        #expect(files.contains { $0.path == "README.md" && $0.text.hasPrefix("# traffic-light\n") })
        #expect(files.contains { $0.path == ".gitignore" })
        #expect(
            files.contains {
                $0.path.hasSuffix(".yaml") && $0.text.contains("feature: traffic-light\n")
            })
        let makefile = try #require(files.first { $0.path == "Makefile" }?.text)
        for verb in ["build", "test", "check", "run", "clean"] {
            #expect(makefile.contains("\n\(verb):"), "\(verb)")
        }
        #expect(makefile.contains("libTrafficLight.so"))
        #expect(files.allSatisfy { !$0.text.contains("NAME") && $0.text.hasSuffix("\n") })
        #expect(Set(files.map(\.path)).count == files.count)
    }

    @Test func `a repository is taken at this version, under the name at the end of its address`()
        throws
    {
        let scaffold = try Self.make("a", .swift, .url("https://git.example/team/marbles.git"))
        let package = try #require(scaffold.files.first { $0.path == "Package.swift" }?.text)
        #expect(
            package.contains(
                ".package(url: \"https://git.example/team/marbles.git\", from: \"0.1.0\")"))
        #expect(package.contains("package: \"marbles\""))
    }

    @Test func `a plugin in C cannot be made from an address`() {
        #expect(throws: Complaint.self) {
            try Self.make("a", .c, .url("https://git.example/marbled"))
        }
    }

    @Test func `the checkout is the nearest folder that holds the package`() {
        let there: Set = [
            "/src/marbled/Package.swift", "/src/marbled/Sources/CMarbledABI/include/marbled.h",
            "/usr/include/marbled.h",
        ]
        func home(_ executable: String, _ language: Scaffold.Language) -> String? {
            Scaffold.home(of: executable, for: language) { there.contains($0) }
        }
        #expect(home("/src/marbled/.build/debug/marblectl", .swift) == "/src/marbled")
        #expect(home("/src/marbled/.build/debug/marblectl", .c) == "/src/marbled")
        #expect(home("/usr/lib/marbled/marblectl", .c) == "/usr")
        #expect(home("/usr/lib/marbled/marblectl", .swift) == nil)
        #expect(home("/opt/marblectl", .c) == nil)
    }
}
