// SPDX-License-Identifier: Apache-2.0

internal import CTaskHook
internal import Runtime
internal import Scheduling
internal import Testing

/// Fails a test whose feature starts a task that leaves the timeline, and names the line that did it.
///
/// `Task {}` and `Task.detached` run on Swift's pool, in real time and in any order: what they do is not
/// virtual, and a test of it passes or fails by luck. The watch looks on and changes nothing; it is in
/// place once the process has made a test scheduler or a harness.
enum EscapeWatch {
    /// Puts the watch in place, once per process.
    static let start: Void = marbled_observe_global_enqueues { EscapeWatch.jobLeaves() }

    private static func jobLeaves() {
        // A job that something outside any timeline enqueues is nobody's escape.
        guard CurrentScheduler.isInsideWork, let place = placeOfCreation() else { return }
        let text = """
            a task was started at \(place) that leaves the timeline: it runs in real time, on another \
            thread. Start it with context.task { }, or as a child in a task group or by async let.
            """
        TestFailure.report(text, #_sourceLocation)
    }

    /// Where the present call stack starts a task, or nil when it wakes one: a test that waits for its
    /// timeline is woken from inside the timeline's work, and that is no escape.
    private static func placeOfCreation() -> String? {
        guard let stack = try? Backtrace.capture(limit: 32) else { return nil }
        var hasher = Hasher()
        for frame in stack.frames.prefix(12) { hasher.combine("\(frame)") }
        let shape = hasher.finalize()
        // Names are looked for once per place in the program, and by one thread at a time: that takes a
        // good part of a second, and the library that does it was not made for two.
        return places.withLock { places in
            if let known = places[shape] { return known }
            let place = placeOfCreation(in: stack)
            places[shape] = .some(place)
            return place
        }
    }

    private static let places = Locked<[Int: String?]>([:])

    private static func placeOfCreation(in stack: Backtrace) -> String? {
        guard let frames = stack.symbolicated()?.frames.map(\.symbol) else { return nil }
        guard
            let creation = frames.lastIndex(where: { $0.map { startsTask($0.rawName) } ?? false })
        else { return nil }
        for case let symbol? in frames[(creation + 1)...]
        where !symbol.imageName.hasPrefix("libswift") {
            guard let location = symbol.sourceLocation, location.line > 0 else { continue }
            return "\(location.path.split(separator: "/").last ?? ""):\(location.line)"
        }
        return frames[(creation + 1)...].lazy.compactMap { $0?.name }.first ?? "an unknown place"
    }

    /// Whether a function is one that starts tasks. The runtime's own is not always found by name; the
    /// initializers of `Task` (in Swift's mangling `ScT`) stand in the test's own image.
    private static func startsTask(_ name: String) -> Bool {
        name.hasPrefix("swift_task_create")
            || name.hasPrefix("$sScT") && name.contains("operation")
    }
}
