// SPDX-License-Identifier: Apache-2.0

public import Streams

/// The inputs or the outputs of a feature: a struct whose properties are marked `@In` or `@Out`.
///
/// A port's name is the property's, its schema the type's; both are written once.
public protocol Ports {
    /// Fresh ports that nothing is connected to.
    init()
}

/// An input: a relay that the host sends decoded values to.
///
///     @In("Asks for a new number.") var gameStart: PublishRelay<Void>
///     @In("A guess.")               var checkNumber: PublishRelay<Int>
@propertyWrapper
public struct In<Relay>: InputPort {
    /// The relay that the feature listens to.
    public let wrappedValue: Relay
    let doc: String
    let schema: Schema
    let deliver: (UnsafeRawBufferPointer) throws -> Void

    /// An input that carries no value, only that it happened. `doc` is one line for people.
    public init(_ doc: String) where Relay == PublishRelay<Void> {
        let relay = PublishRelay<Void>()
        wrappedValue = relay
        self.doc = doc
        schema = .null
        deliver = { _ in relay.accept(()) }
    }

    /// An input of values. `doc` is one line for people.
    @inlinable
    public init<Value: PortValue>(_ doc: String) where Relay == PublishRelay<Value> {
        let relay = PublishRelay<Value>()
        self.init(relay, doc, Value.schema) { relay.accept(try Value.decode($0)) }
    }

    @usableFromInline
    init(
        _ relay: Relay, _ doc: String, _ schema: Schema,
        _ deliver: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) {
        wrappedValue = relay
        self.doc = doc
        self.schema = schema
        self.deliver = deliver
    }
}

/// An output: a state (always has a value) or a stream of events.
///
///     @Out("The number to find.")   var target = BehaviorRelay(value: 1)       a state
///     @Out("What went wrong.")      var error: PublishRelay<GameError>         events
///     @Out("What the screen says.") var title: Driver<String>                  a state, set in transform
@propertyWrapper
public struct Out<Stream>: OutputPort {
    let doc: String
    let kind: PortKind
    let schema: Schema
    private var stream: Stream?
    private let connector: (Stream, OutputEncoder) -> any Disposable

    /// The stream; set it in `transform` where the declaration does not.
    public var wrappedValue: Stream {
        get {
            guard let stream else {
                preconditionFailure(
                    "an @Out of type \(Stream.self) is read before transform set it")
            }
            return stream
        }
        set { stream = newValue }
    }

    @usableFromInline
    init(
        _ stream: Stream?, _ doc: String, _ kind: PortKind, _ schema: Schema,
        _ connector: @escaping (Stream, OutputEncoder) -> any Disposable
    ) {
        self.stream = stream
        self.doc = doc
        self.kind = kind
        self.schema = schema
        self.connector = connector
    }

    func connect(_ encoder: OutputEncoder) -> (any Disposable)? {
        stream.map { connector($0, encoder) }
    }
}

extension Out {
    /// A state with its first value.
    @inlinable
    public init<Value: PortValue>(
        wrappedValue: BehaviorRelay<Value>, _ doc: String
    ) where Stream == BehaviorRelay<Value> {
        self.init(wrappedValue, doc, .state, Value.schema) { $1.connect($0.asObservable()) }
    }

    /// Events.
    @inlinable
    public init<Value: PortValue>(_ doc: String) where Stream == PublishRelay<Value> {
        self.init(PublishRelay(), doc, .event, Value.schema) { $1.connect($0.asObservable()) }
    }

    /// Events without a value.
    public init(_ doc: String) where Stream == PublishRelay<Void> {
        self.init(PublishRelay(), doc, .event, .null) { $1.connect($0.asObservable()) }
    }

    /// A state that `transform` sets.
    @inlinable
    public init<Value: PortValue>(_ doc: String) where Stream == Driver<Value> {
        self.init(nil, doc, .state, Value.schema) { $1.connect($0.asObservable()) }
    }

    /// Events that `transform` sets.
    @inlinable
    public init<Value: PortValue>(_ doc: String) where Stream == Signal<Value> {
        self.init(nil, doc, .event, Value.schema) { $1.connect($0.asObservable()) }
    }

    /// Events, and perhaps an end, that `transform` sets.
    @inlinable
    public init<Value: PortValue>(_ doc: String) where Stream == Observable<Value> {
        self.init(nil, doc, .event, Value.schema) { $1.connect($0) }
    }
}

/// Whether an output always has a value.
public enum PortKind: String, Sendable {
    /// Always has a value; a newcomer is given it.
    case state
    /// Happens.
    case event
}

/// An input with its type hidden.
protocol InputPort {
    var doc: String { get }
    var schema: Schema { get }
    var deliver: (UnsafeRawBufferPointer) throws -> Void { get }
}

/// An output with its type hidden.
protocol OutputPort {
    var doc: String { get }
    var kind: PortKind { get }
    var schema: Schema { get }
    func connect(_ encoder: OutputEncoder) -> (any Disposable)?
}

extension Ports {
    /// The ports of type `Port`, in the order they are declared, with their names.
    func ports<Port>(_ type: Port.Type) -> [(name: String, port: Port)] {
        Mirror(reflecting: self).children.compactMap { child in
            guard let port = child.value as? Port, let label = child.label else { return nil }
            // A wrapped property is stored under its name with an underscore.
            return (label.hasPrefix("_") ? String(label.dropFirst()) : label, port)
        }
    }
}

/// Encodes what one output says and hands the bytes on.
///
/// One buffer per output, used again for every event; what takes the bytes copies them.
public final class OutputEncoder {
    // Safety: unchecked exclusivity. Each is read or written in one go; the room is out of its place
    // while other code runs.
    @exclusivity(unchecked) private var room = JSONText()
    /// Set by an error or a completion: a value that has no JSON form ends an output whose stream goes on.
    @exclusivity(unchecked) private var hasEnded = false
    private let emit: (UInt32, UnsafeRawBufferPointer) -> Void

    init(emit: @escaping (UInt32, UnsafeRawBufferPointer) -> Void) {
        self.emit = emit
    }

    /// Connects a stream of values.
    @inlinable
    public func connect<Value: PortValue>(_ stream: Observable<Value>) -> any Disposable {
        stream.subscribe(
            onNext: { self.next($0) }, onError: { self.error($0) },
            onCompleted: { self.completed() })
    }

    /// Connects a stream of mere happenings.
    public func connect(_ stream: Observable<Void>) -> any Disposable {
        stream.subscribe(
            onNext: { self.next(Bool?.none) }, onError: { self.error($0) },
            onCompleted: { self.completed() })
    }

    @usableFromInline
    func next(_ value: some PortValue) {
        guard !hasEnded else { return }
        var text = takeText()
        do {
            try value.encode(into: &text)
        } catch {
            return self.error(error)
        }
        send(EventCode.next, text)
    }

    @usableFromInline
    func error(_ error: any Error) {
        guard !hasEnded else { return }
        hasEnded = true
        var text = takeText()
        text.append(quoting: "\(error)")
        send(EventCode.error, text)
    }

    @usableFromInline
    func completed() {
        guard !hasEnded else { return }
        hasEnded = true
        emit(EventCode.completed, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// An empty text in the room that is used again. A value that is encoded while this one is being
    /// sent finds none, and makes its own.
    private func takeText() -> JSONText {
        var text = exchange(&room, with: JSONText())
        text.removeAll()
        return text
    }

    private func send(_ event: UInt32, _ text: consuming JSONText) {
        text.bytes.withUnsafeBytes { emit(event, $0) }
        room = text
    }
}
