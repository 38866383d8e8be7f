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
        _ effect: Effect, request: [UInt8], answer: @escaping (Event<UnsafeRawBufferPointer>) -> Void
    ) -> any Disposable {
        let pending = PendingEffect(scheduler, answer)
        // Kept by the host until the last answer or the cancellation; balanced in `finish`.
        let data = Unmanaged.passRetained(pending).toOpaque()
        var name = effect.name
        pending.token = name.withUTF8 { name in
            request.withUnsafeBufferPointer { request in
                scheduler.host.pointee.perform(
                    scheduler.instance, marbled_bytes(name), marbled_bytes(request),
                    { PendingEffect.answer($0, $1, $2) }, data)
            }
        }
        if pending.token == 0 { pending.finish() }
        return pending
    }

    func log(_ message: String, level: LogLevel) {
        scheduler.log(message, level: level)
    }
}

/// One effect that has not ended.
private final class PendingEffect: Disposable {
    var token: UInt64 = 0
    private let scheduler: HostScheduler
    private var handler: ((Event<UnsafeRawBufferPointer>) -> Void)?

    init(
        _ scheduler: HostScheduler, _ handler: @escaping (Event<UnsafeRawBufferPointer>) -> Void
    ) {
        self.scheduler = scheduler
        self.handler = handler
    }

    func dispose() {
        guard handler != nil else { return }
        _ = scheduler.host.pointee.cancel_effect(scheduler.instance, token)
        finish()
    }

    /// Lets go of what the host kept. Called once: with the last answer or the cancellation.
    func finish() {
        guard handler.take() != nil else { return }
        Unmanaged.passUnretained(self).release()
    }

    static func answer(_ data: UnsafeMutableRawPointer?, _ code: UInt32, _ value: marbled_bytes) {
        guard let data else { return }
        let pending = Unmanaged<PendingEffect>.fromOpaque(data).takeUnretainedValue()
        guard let handler = pending.handler else { return }
        pending.scheduler.enter {
            switch code {
            case EventCode.next: handler(.next(value.buffer))
            case EventCode.error:
                pending.finish()
                let error =
                    (try? EffectError.decode(value.buffer))
                    ?? EffectError(
                        kind: "badAnswer", message: String(decoding: value.buffer, as: UTF8.self))
                handler(.error(error))
            default:
                pending.finish()
                handler(.completed)
            }
        }
    }
}
