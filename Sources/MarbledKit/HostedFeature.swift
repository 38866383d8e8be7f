// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
internal import Streams

/// One running copy of a feature behind the boundary: its ports, connected.
///
/// Made by `create`, kept by the host until `destroy`. Loop-confined.
final class HostedFeature {
    private let scheduler: HostScheduler
    private let errors = SentenceBuffer()
    private var inputs: [(UnsafeRawBufferPointer) throws -> Void] = []
    private var outputs: [any Disposable] = []
    private var feature: (any Feature)?

    init(
        _ type: any Feature.Type, _ scheduler: HostScheduler, _ options: UnsafeRawBufferPointer
    ) throws {
        self.scheduler = scheduler
        do {
            try scheduler.enter { try start(type, options) }
        } catch {
            end()
            throw error
        }
    }

    static func from(_ data: UnsafeMutableRawPointer) -> HostedFeature {
        Unmanaged<HostedFeature>.fromOpaque(data).takeUnretainedValue()
    }

    private func start<Kind: Feature>(
        _ type: Kind.Type, _ options: UnsafeRawBufferPointer
    ) throws {
        let context = FeatureContext(scheduler: scheduler, door: HostDoor(scheduler))
        let feature = try Kind(context, options: try OptionsReader.read(options))
        self.feature = feature
        let input = Kind.Input()
        inputs = input.ports((any InputPort).self).map(\.port.deliver)
        let output = feature.transform(input)
        let host = scheduler.host
        let instance = scheduler.instance
        for (number, (name, port)) in output.ports((any OutputPort).self).enumerated() {
            let encoder = OutputEncoder { event, value in
                host.pointee.emit(instance, UInt32(number), event, marbled_bytes(value))
            }
            guard let connection = port.connect(encoder) else {
                throw PortValueError("transform did not set the output \"\(name)\"")
            }
            outputs.append(connection)
        }
    }

    func send(
        _ input: UInt32, _ value: marbled_bytes, _ error: UnsafeMutablePointer<marbled_bytes>
    ) -> Bool {
        guard input < inputs.count else {
            error.pointee = errors.hold("there is no input number \(input)")
            return false
        }
        do {
            try scheduler.enter { try inputs[Int(input)](value.buffer) }
            return true
        } catch let failure {
            error.pointee = errors.hold("\(failure)")
            return false
        }
    }

    /// Gives everything up, outputs first: what the feature says while it goes away is not heard.
    func end() {
        scheduler.enter {
            for output in outputs { output.dispose() }
            outputs = []
            inputs = []
            (feature as? any Reactor)?.core.stop()
            feature = nil
            scheduler.close()
        }
    }
}
