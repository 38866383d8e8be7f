// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package of its own, so that what the figures are compared with burdens nobody who builds marbled.
let package = Package(
    name: "marbled-benchmarks",
    dependencies: [
        .package(name: "marbled", path: ".."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    ],
    targets: [
        .target(name: "CBenchmark"),
        .executableTarget(
            name: "MarbledBench",
            dependencies: [
                "CBenchmark",
                .product(name: "Scheduling", package: "marbled"),
                .product(name: "Streams", package: "marbled"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
