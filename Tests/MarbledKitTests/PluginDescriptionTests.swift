// SPDX-License-Identifier: Apache-2.0

import CMarbledABI
import MarbledKit
import Streams
import Testing

@Suite struct PluginDescriptionTests {
    @Test func `a plugin describes itself in the order of its declarations`() {
        let export = PluginExport(
            id: "every-port", version: "1.2.3", [EveryPort.self, NoPorts.self])
        let bytes = export.table.pointee.describe(export.table)
        let text = String(
            decoding: UnsafeRawBufferPointer(start: bytes.data, count: bytes.size), as: UTF8.self)
        #expect(
            text == #"""
                {"id":"every-port","version":"1.2.3","abi":{"major":1,"minor":0},"features":[{"name":"every-port","doc":"Has a port of every kind.","inputs":[{"name":"zebra","doc":"No value.","schema":{"type":"null"}},{"name":"apple","doc":"A number.","schema":{"type":"integer"}}],"outputs":[{"name":"state","kind":"state","doc":"A relay.","schema":{"type":"integer"}},{"name":"event","kind":"event","doc":"A relay.","schema":{"type":"string"}},{"name":"bell","kind":"event","doc":"No value.","schema":{"type":"null"}},{"name":"driver","kind":"state","doc":"A driver.","schema":{"type":"string"}},{"name":"signal","kind":"event","doc":"A signal.","schema":{"type":"boolean"}},{"name":"stream","kind":"event","doc":"An observable.","schema":{"type":"number"}}],"options":{"schema":{"type":"object","properties":{"size":{"type":"integer"},"title":{"anyOf":[{"type":"string"},{"type":"null"}]},"nested":{"type":"object","properties":{"on":{"type":"boolean"}},"required":["on"],"additionalProperties":false}},"required":[],"additionalProperties":false},"defaults":{"nested":{"on":true},"size":3}},"effects":["http","custom"]},{"name":"no-ports","doc":"Has none.","inputs":[],"outputs":[],"options":{"schema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"defaults":{}},"effects":[]}]}
                """#)
    }

    @Test func `the table says its size and version`() {
        let table = PluginExport(id: "x", version: "1", [NoPorts.self])
        #expect(table.table.pointee.size == UInt32(MemoryLayout<marbled_plugin_table>.size))
        #expect(table.table.pointee.abi_major == 1 && table.table.pointee.abi_minor == 0)
    }
}

/// A feature with a port of every kind.
struct EveryPort: Feature {
    struct Input: Ports {
        @In("No value.") var zebra: PublishRelay<Void>
        @In("A number.") var apple: PublishRelay<Int>
    }

    struct Output: Ports {
        @Out("A relay.") var state = BehaviorRelay(value: 1)
        @Out("A relay.") var event: PublishRelay<String>
        @Out("No value.") var bell: PublishRelay<Void>
        @Out("A driver.") var driver: Driver<String>
        @Out("A signal.") var signal: Signal<Bool>
        @Out("An observable.") var stream: Observable<Double>
    }

    struct Options: FeatureOptions, Equatable {
        struct Nested: Codable, Equatable {
            var on = true
        }

        var size = 3
        var title: String?
        var nested = Nested()
    }

    static let name = "every-port"
    static let doc = "Has a port of every kind."
    static let effects: [Effect] = [.http, "custom"]

    private let context: FeatureContext
    private let options: Options
    private let bag = DisposeBag()

    init(_ context: FeatureContext, options: Options) {
        self.context = context
        self.options = options
    }

    func transform(_ input: Input) -> Output {
        var output = Output()
        let relay = BehaviorRelay(value: options.title ?? "none")
        output.driver = relay.asDriver()
        output.signal = input.zebra.map { true }.asSignal(onErrorJustReturn: false)
        output.stream = input.apple.map { number in
            if number < 0 { throw PortValueError("below zero") }
            return number == 0 ? .nan : Double(number) / 2
        }
        input.apple.map { $0 * options.size }.bind(to: output.state).disposed(by: bag)
        let text = input.apple.map { "\($0)" }
        text.bind(to: output.event).disposed(by: bag)
        text.bind(to: relay).disposed(by: bag)
        input.zebra.bind(to: output.bell).disposed(by: bag)
        return output
    }
}

/// A feature that neither listens nor speaks.
struct NoPorts: Feature {
    struct Input: Ports {}
    struct Output: Ports {}

    static let name = "no-ports"
    static let doc = "Has none."

    init(_ context: FeatureContext, options: NoOptions) {}

    func transform(_ input: Input) -> Output { Output() }
}
