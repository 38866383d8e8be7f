// SPDX-License-Identifier: Apache-2.0

public import Scheduling
public import Streams

/// What a feature has of the world: its timeline and its effects, and nothing else.
public struct FeatureContext {
    /// The instance's timeline. Time operators use it by themselves.
    public let scheduler: any Scheduler
    /// The one door to the outside.
    public let door: any EffectDoor

    /// A context on a timeline and a door; hosts and tests make it.
    public init(scheduler: any Scheduler, door: any EffectDoor) {
        self.scheduler = scheduler
        self.door = door
    }

    /// The instance's timeline as a Swift `Clock`, for tasks that sleep.
    public var clock: TimelineClock { scheduler.clock }

    /// Starts an async task on the instance's timeline; it is cancelled when the instance closes.
    ///
    /// ```swift
    /// context.task("greet") {
    ///     try await context.clock.sleep(for: .seconds(1))
    ///     let page = try await context.http.get(url).value
    ///     output.greeting.accept(page.body ?? "")
    /// }
    /// ```
    ///
    /// In virtual time it runs as exactly as a timer does. `Task {}` and `Task.sleep` leave the timeline;
    /// see `Scheduler.task(_:operation:)`.
    @discardableResult
    public func task<Success>(
        _ label: WorkLabel = "task", file: StaticString = #fileID, line: UInt = #line,
        operation: @escaping () async throws -> Success
    ) -> TimelineTask<Success> {
        scheduler.task(label, file: file, line: line, operation: operation)
    }

    /// HTTP requests.
    public var http: HTTPEffect { HTTPEffect(door: door) }

    /// The key-value store.
    public var store: StoreEffect { StoreEffect(door: door) }

    /// Random draws.
    public var random: RandomEffect { RandomEffect(door: door) }

    /// The time of day.
    public var wallClock: WallClockEffect { WallClockEffect(door: door) }

    /// Writes a line to the daemon's log.
    public func log(_ message: String, level: LogLevel = .info) {
        door.log(message, level: level)
    }
}

/// How serious a log line is.
public enum LogLevel: UInt32, Sendable {
    /// For whoever writes the feature.
    case debug = 0
    /// What went well.
    case info = 1
    /// What may matter.
    case warning = 2
    /// What failed.
    case error = 3
}

/// Carries effects out: the host in a plugin, stubs in a test. The feature cannot tell which.
public protocol EffectDoor: AnyObject {
    /// Asks the world something; `request` and the answers are JSON texts. Disposing gives it up.
    ///
    /// Answers come as arrivals on the timeline, never from inside this call.
    func perform(
        _ effect: Effect, request: [UInt8],
        answer: @escaping (Event<UnsafeRawBufferPointer>) -> Void
    ) -> any Disposable

    /// Writes a log line.
    func log(_ message: String, level: LogLevel)
}

/// An effect that failed: refused, timed out, not available.
public struct EffectError: Error, Equatable, Sendable, Codable, CustomStringConvertible {
    /// A stable word: `refused`, `timeout`, `reset`, `unavailable`, `badAnswer`, …
    public var kind: String
    /// What happened.
    public var message: String

    /// A failure of an effect.
    public init(kind: String, message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { "\(kind): \(message)" }
}

extension EffectError: PortValue {}

extension EffectDoor {
    /// Asks the world something that has one answer.
    public func ask<Answer>(
        _ effect: Effect, _ request: some PortValue,
        decode: @escaping (UnsafeRawBufferPointer) throws -> Answer
    ) -> Single<Answer> {
        Single.create { [self] answer in
            var text = JSONText()
            do {
                try request.encode(into: &text)
            } catch {
                answer(.failure(error))
                return Disposables.create()
            }
            return perform(effect, request: text.bytes) { event in
                switch event {
                case .next(let json):
                    do { answer(.success(try decode(json))) } catch { answer(.failure(error)) }
                case .error(let error): answer(.failure(error))
                case .completed:
                    let message = "\(effect.name) ended without an answer"
                    answer(.failure(EffectError(kind: "badAnswer", message: message)))
                }
            }
        }
    }
}
