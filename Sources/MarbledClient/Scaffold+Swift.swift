// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// A plugin in Swift.
extension Scaffold {
    var swiftFiles: [File] {
        [
            File(path: "Package.swift", text: package),
            File(path: "Sources/\(type)/\(type).swift", text: feature),
            File(path: "Sources/\(type)Plugin/Plugin.swift", text: export),
            File(path: "Tests/\(type)Tests/\(type)Tests.swift", text: test),
            File(path: "scenarios/late.yaml", text: scenario),
            File(path: "Makefile", text: makefile),
            File(path: "README.md", text: readme),
            File(path: ".gitignore", text: "/.build/\n/.swiftpm/\n/Package.resolved\n"),
        ]
    }

    private var dependency: String {
        switch origin {
        case .folder(let folder): ".package(name: \"marbled\", path: \"\(folder)\")"
        case .url(let url): ".package(url: \"\(url)\", from: \"\(MarbledVersion.current)\")"
        }
    }

    /// SwiftPM knows a package by the end of its address.
    private var identity: String {
        guard case .url(let url) = origin else { return "marbled" }
        let last = url.split(separator: "/").last.map(String.init) ?? "marbled"
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }

    private var package: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(name)",
            products: [
                // What the daemon maps.
                .library(name: "\(type)", type: .dynamic, targets: ["\(type)Plugin"])
            ],
            dependencies: [
                // Where marbled is: a folder (path:), or the repository (url:, from:). Edit it here.
                \(dependency)
            ],
            targets: [
                .target(
                    name: "\(type)",
                    dependencies: [.product(name: "MarbledKit", package: "\(identity)")]),
                // The one symbol stands apart, so that tests can link the feature.
                .target(
                    name: "\(type)Plugin",
                    dependencies: [
                        "\(type)",
                        .product(name: "CMarbledABI", package: "\(identity)"),
                        .product(name: "MarbledKit", package: "\(identity)"),
                    ]),
                .testTarget(
                    name: "\(type)Tests",
                    dependencies: [
                        "\(type)", .product(name: "MarbledTesting", package: "\(identity)"),
                    ]),
            ]
        )

        """
    }

    private var feature: String {
        """
        import MarbledKit
        import Streams

        /// Says what it hears once nothing more has come for a while.
        ///
        ///     heard   -a-b-------c---
        ///     said    -------b------c      quiet for 5
        ///     count   0------1------2
        public final class \(type): Feature {
            public struct Input: Ports {
                @In("What was heard.") public var heard: PublishRelay<String>

                public init() {}
            }

            public struct Output: Ports {
                @Out("What is said.") public var said: PublishRelay<String>
                @Out("How often something was said.") public var count = BehaviorRelay(value: 0)

                public init() {}
            }

            public struct Options: FeatureOptions {
                /// How long nothing may come before something is said, in milliseconds.
                public var quiet = 300

                public init() {}
            }

            public static let name = "\(name)"
            public static let doc = "Says what it hears once nothing more has come for a while."

            private let options: Options
            private let bag = DisposeBag()

            public init(_ context: FeatureContext, options: Options) throws {
                guard options.quiet >= 0 else {
                    throw OptionsError("quiet is \\(options.quiet); it is 0 or more milliseconds")
                }
                self.options = options
            }

            public func transform(_ input: Input) -> Output {
                let output = Output()
                // Time is the instance's own: an hour of it takes a test no time at all.
                let said = input.heard.debounce(.milliseconds(options.quiet)).share()
                said.bind(to: output.said).disposed(by: bag)
                said.map { _ in output.count.value &+ 1 }.bind(to: output.count).disposed(by: bag)
                return output
            }
        }

        /// Options that make no sense, in a sentence.
        struct OptionsError: Error, CustomStringConvertible {
            let description: String

            init(_ description: String) { self.description = description }
        }

        """
    }

    private var export: String {
        """
        import CMarbledABI
        import MarbledKit
        import \(type)

        // Safety: written once, before the first call; the table never changes and is never freed.
        nonisolated(unsafe) private let table = exportPlugin(
            id: "\(name)", version: "0.1.0", \(type).self)

        /// What the daemon asks this library for.
        @c(marbled_plugin_v1)
        public func plugin() -> UnsafePointer<marbled_plugin_table> { table }

        """
    }

    private var test: String {
        """
        import MarbledTesting
        import Streams
        import Testing
        import \(type)

        @Suite struct \(type)Tests {
            @Test func `only what was heard last is said`() throws {
                let feature = try Harness(\(type).self)
                feature.send("heard", "ma", at: 0)
                feature.send("heard", "marble", at: 100)
                feature.advance(to: 1_000)
                expectEvents(feature.events("said", as: String.self), [.next(400, "marble")])
                expectEvents(feature.events("count", as: Int.self), [.next(0, 0), .next(400, 1)])
                feature.finish()
            }

            @Test func `options that make no sense are refused`() {
                #expect(throws: (any Error).self) {
                    try Harness(\(type).self, options: .with { $0.quiet = -1 })
                }
            }

            @Test(arguments: ScenarioFile.all(in: "../../scenarios"))
            func `a scenario passes`(_ file: ScenarioFile) {
                file.run(\(type).self)
            }
        }

        """
    }

    private var scenario: String {
        """
        scenario: only what was heard last is said
        feature: \(name)
        options: {quiet: 50}
        inputs:
          heard: {0: ma, 20: marble}
        expect:
          said: {70: marble}
          count: {0: 0, 70: 1}

        """
    }

    private var makefile: String {
        """
        # The words of marbled's own Makefile. SWIFT_FLAGS is for what your machine needs.
        LIBRARY := .build/release/lib\(type).so
        SWIFT ?= swift
        MARBLED ?= \(program("marbled"))
        MARBLECTL ?= \(program("marblectl"))

        .PHONY: build test check run clean

        build:
        \t$(SWIFT) build -c release --product \(type) $(SWIFT_FLAGS)
        \t$(MARBLED) manifest $(LIBRARY) --write

        test:
        \t$(SWIFT) test $(SWIFT_FLAGS)

        check: build
        \t$(MARBLECTL) plugin check $(LIBRARY)

        # A daemon with this plugin, on the socket that SOCKET names.
        run: build
        \t$(MARBLED) --plugin-path .build/release --socket $(or $(SOCKET),/tmp/\(name).sock)

        clean:
        \trm -rf .build

        """
    }

    private var readme: String {
        """
        # \(name)

        Says what it hears once nothing more has come for a while. A plugin of marbled, in Swift.

        | input | value | does |
        |---|---|---|
        | `heard` | text | is said once nothing more has come for `quiet` milliseconds |

        | output | kind | first value |
        |---|---|---|
        | `said` | event | |
        | `count` | state | 0 |

        | option | default | |
        |---|---|---|
        | `quiet` | 300 | milliseconds |

        ```
        make          # the library and its manifest: .build/release/lib\(type).so
        make test     # its tests, in virtual time
        make check    # does it keep a plugin's promises?
        make run      # a daemon with it
        ```

        While the daemon runs: `marblectl --socket /tmp/\(name).sock test scenarios`.
        To install it, put the library and its `.plugin.json` into a folder that `marbled --plugin-path` names.

        """
    }
}
