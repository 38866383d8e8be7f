// SPDX-License-Identifier: Apache-2.0

/// A reactive feature: typed input streams in, typed output streams out, timers and effects between.
///
/// One value per running instance. The host makes it, hands it its inputs once, and keeps it until the
/// instance closes; everything happens on the instance's own timeline.
public protocol Feature {
    /// What it listens to.
    associatedtype Input: Ports
    /// What it says.
    associatedtype Output: Ports
    /// What can be chosen when it is opened.
    associatedtype Options: FeatureOptions = NoOptions

    /// The name it is opened by, in lower case with hyphens.
    static var name: String { get }

    /// What it does, in one line.
    static var doc: String { get }

    /// The effects it needs.
    static var effects: [Effect] { get }

    /// Starts a copy. Throws when `options` make no sense together, with a sentence.
    init(_ context: FeatureContext, options: Options) throws

    /// Connects inputs to outputs. Called once, before any input comes.
    func transform(_ input: Input) -> Output
}

extension Feature {
    public static var effects: [Effect] { [] }
}

/// What can be chosen when a feature is opened: a struct whose defaults are those of `init()`.
public protocol FeatureOptions: Codable {
    /// The defaults.
    init()
}

extension FeatureOptions {
    /// The defaults with a change: `.with { $0.source = .http }`.
    public static func with(_ change: (inout Self) -> Void) -> Self {
        var options = Self()
        change(&options)
        return options
    }
}

/// The options of a feature that has none.
public struct NoOptions: FeatureOptions {
    /// No options.
    public init() {}
}

/// A door to the outside world, by name.
public struct Effect: Hashable, Sendable, ExpressibleByStringLiteral {
    /// Its name, as stubs and records spell it.
    public let name: String

    /// A custom effect that a host registers.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// HTTP requests.
    public static let http: Effect = "http"
    /// A key-value store that survives restarts.
    public static let store: Effect = "store"
    /// Random draws, seeded per instance.
    public static let random: Effect = "random"
    /// The time of day.
    public static let wallClock: Effect = "wallClock"
}
