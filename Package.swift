// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// What every Swift target of the house shares: the language at its strictest.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A plugin: the feature, which tests link like any other target, and the library that a daemon maps.
/// The library's one symbol stands in a target of its own, since a program has room for one such symbol
/// and the tests are one program.
func plugin(_ name: String) -> [Target] {
    [
        .target(
            name: name, dependencies: ["MarbledKit"], path: "plugins/\(name)/Sources",
            swiftSettings: strict),
        .target(
            name: "\(name)Plugin",
            dependencies: ["CMarbledABI", "MarbledKit", .target(name: name)],
            path: "plugins/\(name)/Export", swiftSettings: strict),
    ]
}

/// What libFuzzer is run on, and the inputs that are kept. Tests as a rule; for `make fuzz` a program, whose
/// `main` is libFuzzer's, which only a build under that sanitizer has.
let fuzzReaders: [Target.Dependency] = [
    "CMarbledABI", "JSONRPC", "MarbledClient", "MarbledHost", "Marbles", "Scenarios", "Scheduling",
    "YAML",
]
let fuzzing: [Target] =
    Context.environment["MARBLED_FUZZ"] == nil
    ? [
        .testTarget(
            name: "FuzzingTests", dependencies: fuzzReaders, path: "Tests/Fuzzing",
            exclude: ["Corpora", "Dictionaries", "Finds", "Program"], swiftSettings: strict)
    ]
    : [
        .target(
            name: "FuzzSubjects", dependencies: fuzzReaders, path: "Tests/Fuzzing/Subjects",
            swiftSettings: strict),
        .executableTarget(
            name: "marbled-fuzz", dependencies: ["FuzzSubjects"], path: "Tests/Fuzzing/Program",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]),
    ]

// Targets stand in the order data flows: a request comes in at the top and leaves at the bottom.
// Each may use only targets listed above it; ARCHITECTURE.md says why.
let package = Package(
    name: "marbled",
    products: [
        .executable(name: "marbled", targets: ["marbled"]),
        .executable(name: "marblectl", targets: ["marblectl"]),
        .library(name: "Scheduling", targets: ["Scheduling"]),
        .library(name: "Streams", targets: ["Streams"]),
        .library(name: "CMarbledABI", targets: ["CMarbledABI"]),
        .library(name: "MarbledKit", targets: ["MarbledKit"]),
        .library(name: "MarbledTesting", targets: ["MarbledTesting"]),
        .library(name: "MarbledStore", type: .dynamic, targets: ["MarbledStore"]),
        .library(name: "Bookmarks", type: .dynamic, targets: ["BookmarksPlugin"]),
        .library(name: "Counter", type: .dynamic, targets: ["Counter"]),
        .library(name: "FindNumber", type: .dynamic, targets: ["FindNumberPlugin"]),
        .library(name: "GitHubSearch", type: .dynamic, targets: ["GitHubSearchPlugin"]),
        .library(name: "MateList", type: .dynamic, targets: ["MateListPlugin"]),
        .library(name: "TabFeed", type: .dynamic, targets: ["TabFeedPlugin"]),
        .library(name: "BadPlugin", type: .dynamic, targets: ["BadPlugin"]),
        .library(name: "Asker", type: .dynamic, targets: ["Asker"]),
        .library(name: "OldMinor", type: .dynamic, targets: ["OldMinor"]),
        .library(name: "OtherStore", type: .dynamic, targets: ["OtherStore"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // System libraries and thin C shims.
        .systemLibrary(name: "CLibuv", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
        .systemLibrary(
            name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CLibYAML", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CPrefetch"),
        .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CThreadLocal"),
        .target(name: "CCurl"),
        .target(name: "CTaskHook"),
        .target(name: "CMarbledABI"),
        .target(name: "CMarbledStore"),
        .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CHeap"),

        // Time and streams: no kernel object anywhere.
        .target(
            name: "Scheduling", dependencies: ["CThreadLocal", "CPrefetch"],
            swiftSettings: strict),
        .target(name: "Streams", dependencies: ["Scheduling"], swiftSettings: strict),
        .target(name: "Marbles", dependencies: ["Scheduling"], swiftSettings: strict),

        // The kernel's edge and the wire.
        .target(name: "EventLoop", dependencies: ["CLibuv", "Scheduling"], swiftSettings: strict),
        .target(
            name: "JSONRPC", dependencies: ["CSimdJSON", "Scheduling"], swiftSettings: strict),
        .target(
            name: "HTTP", dependencies: ["CCurl", "EventLoop", "JSONRPC", "Scheduling"],
            swiftSettings: strict),

        .target(name: "YAML", dependencies: ["CLibYAML"], swiftSettings: strict),

        // Both sides of the plugin boundary.
        .target(
            name: "MarbledKit", dependencies: ["CMarbledABI", "Streams"], swiftSettings: strict),
        .target(
            name: "MarbledHost", dependencies: ["CMarbledABI", "Scheduling", "JSONRPC"],
            swiftSettings: strict),

        // What effects are carried out with. The database is a library of its own, which the store maps.
        .target(
            name: "MarbledStore",
            dependencies: [
                "CMarbledStore", "CSQLite",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .target(
            name: "Store", dependencies: ["CMarbledStore", "EventLoop", "MarbledHost", "JSONRPC"],
            swiftSettings: strict),

        // Tests as data: scenario files, and what a test author imports.
        .target(
            name: "Scenarios", dependencies: ["MarbledHost", "Marbles", "JSONRPC", "YAML"],
            swiftSettings: strict),
        .target(
            name: "MarbledTesting",
            dependencies: ["CTaskHook", "Marbles", "MarbledKit", "MarbledHost", "Scenarios"],
            swiftSettings: strict),

        // What a plugin's author is told of a plugin.
        .target(
            name: "PluginCheck", dependencies: ["CHeap", "MarbledHost", "JSONRPC", "Scheduling"],
            swiftSettings: strict),

        // What a program says of itself, as manual pages.
        .target(name: "Manual", dependencies: ["JSONRPC"], swiftSettings: strict),

        // Assembly: the daemon and the person's end of the socket.
        .target(
            name: "MarbledDaemon",
            dependencies: [
                "EventLoop", "HTTP", "MarbledHost", "Store", "Scenarios", "JSONRPC", "CSystemd",
                "YAML",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "marbled",
            dependencies: [
                "MarbledDaemon", "Manual", "PluginCheck", "JSONRPC",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(
            name: "MarbledClient", dependencies: ["JSONRPC", "Marbles", "Scheduling"],
            swiftSettings: strict),
        .executableTarget(
            name: "marblectl",
            dependencies: [
                "MarbledClient", "Manual",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict,
            // Half of a short command's life is the loading of libraries. The daemon is linked
            // dynamically: it shares its runtime with plugins.
            linkerSettings: [
                .unsafeFlags(["-static-stdlib"], .when(configuration: .release)),
                .linkedLibrary("_FoundationCollections", .when(configuration: .release)),
                .linkedLibrary("_FoundationCShims", .when(configuration: .release)),
                .linkedLibrary("swiftSynchronization", .when(configuration: .release)),
            ]),

        .target(
            name: "BadPlugin", dependencies: ["CMarbledABI"], path: "Tests/Plugins/BadPlugin"),
        .target(name: "Asker", dependencies: ["CMarbledABI"], path: "Tests/Plugins/Asker"),
        // Knows no header: it is what the first minor's header made of it, for ever.
        .target(name: "OldMinor", path: "Tests/Plugins/OldMinor"),
        .target(name: "OtherStore", path: "Tests/Plugins/OtherStore"),

        // The plugin in plain C.
        .target(
            name: "Counter", dependencies: ["CMarbledABI"], path: "plugins/Counter/Sources"),

        // What several test targets stand on; no other target may use it.
        .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict),

        // Tests mirror Sources; EndToEndTests uses the real daemon, socket and plugins.
        .testTarget(
            name: "SchedulingTests", dependencies: ["Scheduling", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StreamsTests", dependencies: ["Streams", "Marbles", "MarbledTesting"],
            exclude: ["Behaviours"],
            swiftSettings: strict),
        .testTarget(
            name: "AsyncAlgorithmsTests",
            dependencies: [
                "Scheduling", "Streams", "MarbledTesting",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "MarblesTests", dependencies: ["Marbles", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "EventLoopTests", dependencies: ["EventLoop", "Scheduling", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "YAMLTests", dependencies: ["YAML"], swiftSettings: strict),
        .testTarget(
            name: "JSONRPCTests", dependencies: ["JSONRPC", "TestSupport"], swiftSettings: strict),
        // A server that misbehaves to order, for whoever asks one.
        .target(
            name: "LoopbackServer", dependencies: ["Scheduling"], path: "Tests/LoopbackServer",
            swiftSettings: strict),
        .testTarget(
            name: "HTTPTests",
            dependencies: [
                "HTTP", "EventLoop", "JSONRPC", "Scheduling", "LoopbackServer", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "MarbledKitTests",
            dependencies: [
                "MarbledKit", "MarbledTesting", "Scheduling", "Streams", "FindNumber",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "MarbledHostTests",
            dependencies: [
                "MarbledHost", "MarbledKit", "MarbledTesting", "JSONRPC", "Scheduling", "Streams",
                "CMarbledABI", "FindNumber", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "MarbledTestingTests",
            dependencies: ["MarbledTesting", "MarbledKit", "Scheduling", "Streams"],
            swiftSettings: strict),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "Store", "MarbledHost", "EventLoop", "JSONRPC", "TestSupport",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ScenariosTests",
            dependencies: [
                "Scenarios", "MarbledTesting", "MarbledKit", "MarbledHost", "JSONRPC", "Scheduling",
                "Streams",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PluginCheckTests",
            dependencies: [
                "PluginCheck", "MarbledClient", "MarbledHost", "JSONRPC", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ManualTests", dependencies: ["Manual", "JSONRPC"], swiftSettings: strict),
        .testTarget(
            name: "MarbledDaemonTests",
            dependencies: ["MarbledDaemon", "MarbledHost", "JSONRPC", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "MarbledClientTests", dependencies: ["MarbledClient"], swiftSettings: strict),
        .testTarget(
            name: "CounterTests",
            dependencies: [
                "MarbledHost", "MarbledTesting", "Scenarios", "Scheduling", "JSONRPC",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "FindNumberTests", dependencies: ["FindNumber", "MarbledTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "GitHubSearchTests", dependencies: ["GitHubSearch", "MarbledTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "MateListTests", dependencies: ["MateList", "MarbledTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "TabFeedTests", dependencies: ["TabFeed", "MarbledTesting"],
            swiftSettings: strict),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "FindNumber", "MarbledKit", "MarbledHost", "MarbledTesting", "Scenarios",
                "Scheduling", "Streams", "JSONRPC", "TestSupport",
            ],
            swiftSettings: strict),
        // A view model as it is written for RxSwift, and compiled as apps are: it differs by its imports.
        .testTarget(name: "RxShapeTests", dependencies: ["Streams", "MarbledTesting"]),
        .testTarget(
            name: "BookmarksTests",
            dependencies: [
                "Bookmarks", "MarbledKit", "MarbledTesting", "MarbledHost", "Scenarios",
                "Scheduling", "Streams",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "MarbledHost", "MarbledTesting", "Scenarios", "Scheduling", "Streams", "JSONRPC",
                "MarbledDaemon", "MarbledClient", "LoopbackServer", "TestSupport",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
    ] + ["Bookmarks", "FindNumber", "GitHubSearch", "MateList", "TabFeed"].flatMap(plugin)
        + fuzzing,
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
