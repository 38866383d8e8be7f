// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
internal import Streams

/// The effect door of a plugin: hands requests to the host and answers back.
final class HostDoor: EffectDoor {
    private let scheduler: HostScheduler

    init(_ scheduler: HostScheduler) {
        self.scheduler = scheduler
    }

    func perform(
        _ effect: Effect, request: [UInt8],
        answer: @escaping (Event<UnsafeRawBufferPointer>) -> Void
    ) -> any Disposable {
        let pending = PendingEffect(scheduler, answer)
        pending.begin(effect, request)
        return pending
    }

    func log(_ message: String, level: LogLevel) {
        scheduler.log(message, level: level)
    }
}

/// One effect that has not ended. The host has its address and the timeline keeps it, until the last
/// answer, the cancellation or the end of the instance.
final class PendingEffect: Disposable {
    private let scheduler: HostScheduler
    private var token: UInt64 = 0
    private var handler: ((Event<UnsafeRawBufferPointer>) -> Void)?

    init(
        _ scheduler: HostScheduler, _ handler: @escaping (Event<UnsafeRawBufferPointer>) -> Void
    ) {
        self.scheduler = scheduler
        self.handler = handler
    }

    func begin(_ effect: Effect, _ request: [UInt8]) {
        guard !scheduler.isClosed else { return abandon() }
        scheduler.keep(self)
        var name = effect.name
        token = name.withUTF8 { name in
            request.withUnsafeBytes { request in
                scheduler.host.pointee.perform(
                    scheduler.instance, marbled_bytes(name), marbled_bytes(request),
                    { PendingEffect.answer($0, $1, $2) },
                    Unmanaged.passUnretained(self).toOpaque())
            }
        }
        // The instance is over: nobody will answer.
        if token == 0 { _ = finish() }
    }

    func dispose() {
        guard handler != nil else { return }
        _ = scheduler.host.pointee.cancel_effect(scheduler.instance, token)
        _ = finish()
    }

    /// Drops the handler: the instance is over and the host has forgotten the effect.
    func abandon() {
        handler = nil
    }

    /// Ends it, once, and returns whom to tell.
    private func finish() -> ((Event<UnsafeRawBufferPointer>) -> Void)? {
        scheduler.letGo(of: self)
        return handler.take()
    }

    private static func answer(
        _ data: UnsafeMutableRawPointer?, _ code: UInt32, _ value: marbled_bytes
    ) {
        guard let data else { return }
        let pending = Unmanaged<PendingEffect>.fromOpaque(data).takeUnretainedValue()
        pending.scheduler.enter { pending.take(code, value.buffer) }
    }

    private func take(_ code: UInt32, _ value: UnsafeRawBufferPointer) {
        switch code {
        case EventCode.next: handler?(.next(value))
        case EventCode.error: finish()?(.error(Self.error(value)))
        default: finish()?(.completed)
        }
    }

    private static func error(_ json: UnsafeRawBufferPointer) -> EffectError {
        if let error = try? EffectError.decode(json) { return error }
        return EffectError(kind: "badAnswer", message: String(decoding: json, as: UTF8.self))
    }
}
