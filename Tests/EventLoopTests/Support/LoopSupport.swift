// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import EventLoop

/// Runs `body` with a loop of its own and closes the loop afterwards, which stops the program if
/// anything stays open.
func withLoop<Result>(_ body: (EventLoop) throws -> Result) throws -> Result {
    let loop = try EventLoop()
    defer { loop.close() }
    return try body(loop)
}

extension EventLoop {
    /// Turns until `condition` holds; a watchdog ends it, and the test fails.
    ///
    /// A condition that itself moves things on, such as a peer that reads, is asked without waiting.
    func turn(
        waiting: Bool = true, until condition: () -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var isLate = false
        let watchdog = LoopTimer(on: self) { isLate = true }
        watchdog.start(after: .seconds(30))
        defer { watchdog.close() }
        while !condition(), !isLate { turn(waiting: waiting) }
        #expect(!isLate, "what the test waits for did not happen", sourceLocation: sourceLocation)
    }
}

/// Keeps the thread busy, as a callback that computes does.
func compute(forNanoseconds duration: Int64) {
    let end = EventLoop.monotonicNanoseconds + duration
    while EventLoop.monotonicNanoseconds < end {}
}

/// The descriptors the process has open, each with what it refers to.
func openDescriptors() -> [String] {
    (0..<256).compactMap { descriptor in
        var target = [CChar](repeating: 0, count: 256)
        guard readlink("/proc/self/fd/\(descriptor)", &target, 255) > 0 else { return nil }
        return
            "\(descriptor): \(String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))"
    }
}

/// A thread that is not the loop's.
struct OtherThread {
    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
        final class Box {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, Unmanaged.passRetained(Box(body)).toOpaque())
        self.thread = thread
    }

    func join() {
        pthread_join(thread, nil)
    }
}
