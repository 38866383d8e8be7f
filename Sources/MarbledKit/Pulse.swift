// SPDX-License-Identifier: Apache-2.0

/// A value of a state that counts each time it is set, also to what it was: a message, an error to show
/// once.
///
/// ```swift
/// struct State {
///     var isLoading = false
///     @Pulse var message: String?
/// }
/// reactor.pulse(\.$message)       // "saved", "saved": twice is twice
/// ```
///
/// Two pulses are equal when they hold equal values and were set equally often.
@propertyWrapper
public struct Pulse<Value> {
    /// The value. Setting it, or changing it in place, is a pulse.
    public var wrappedValue: Value {
        didSet { settings &+= 1 }
    }

    /// How often it was set after its first value.
    public private(set) var settings: UInt64 = 0

    /// A value that was not set yet.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// The pulse itself, for `pulse(\.$message)`.
    public var projectedValue: Pulse<Value> { self }
}

extension Pulse: Equatable where Value: Equatable {}

extension Pulse: Sendable where Value: Sendable {}
