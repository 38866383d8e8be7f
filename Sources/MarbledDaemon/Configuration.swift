// SPDX-License-Identifier: Apache-2.0

internal import HTTP
package import Logging
package import MarbledHost

/// What the daemon is told: defaults, then the file, then the environment, then flags.
///
/// Each layer is a `Settings`, in which everything may be missing; `Configuration` is all of them laid over
/// each other.
package struct Configuration: Equatable {
    /// The clock of an instance that is opened without saying which.
    package enum DefaultClock: String, CaseIterable {
        case real
        case virtual
    }

    /// Where to listen, unless a socket is inherited.
    package var socket: String
    /// Who may connect: the rights of the socket's file.
    package var mode: UInt32 = 0o600
    /// The group the socket's file belongs to, or nil for the process's own.
    package var group: String?
    /// Folders that are searched for plugins, first match first.
    package var pluginPath: [String] = []
    package var clock = DefaultClock.real
    /// Where what plugins store is kept, or nil where it is kept in memory.
    package var stateDirectory: String?
    package var logLevel = Logger.Level.info
    /// What users and groups may do.
    package var access = AccessSettings()
    package var limits = DaemonLimits()
    /// A file of certificates of authorities that HTTP trusts beside the system's, or nil.
    package var authorities: String?
    /// What of HTTP requests and answers is not shown.
    package var redaction = Redaction()
    /// The environment, in which proxies are looked for.
    package var environment: [String: String] = [:]
    /// The file that was read, to be read again on SIGHUP.
    package var file: String?
    /// What the configuration was made of, to be made again.
    package var sources = Sources()
    /// Whether the system's service manager runs us: foreign writers of plugins are then refused.
    package var isSystemService = false
    /// A descriptor to write `READY` to once the socket listens.
    package var readyDescriptor: Int32?
    /// Whose other end belongs to whoever started the daemon, which ends when that closes.
    package var lifelineDescriptor: Int32?

    /// What a configuration is made of.
    package struct Sources: Equatable {
        package var flags = Settings()
        package var file: String?
        package var executableFolder: String?
    }

    package init(socket: String) {
        self.socket = socket
    }
}

extension Configuration {
    /// What the HTTP client is told.
    var http: HTTPClient.Settings {
        var settings = HTTPClient.Settings()
        settings.limits = limits.http
        settings.authorities = authorities
        settings.environment = environment
        settings.secretFields = redaction.headers
        return settings
    }
}

/// One layer of configuration: what it says, and nothing about the rest.
package struct Settings: Equatable {
    package var socket: String?
    package var mode: UInt32?
    package var group: String?
    package var pluginPath: [String]?
    package var clock: Configuration.DefaultClock?
    /// A folder, or the word "none".
    package var stateDirectory: String?
    package var logLevel: Logger.Level?
    package var access = AccessSettings()
    package var limits: [String: Int] = [:]
    package var authorities: String?
    /// Names whose values are not shown, beside those that never are: of headers, in queries, in JSON.
    package var secretHeaders: Set<String> = []
    package var secretQueryNames: Set<String> = []
    package var secretMembers: Set<String> = []

    package init() {}

    /// This layer over `lower`.
    package func over(_ lower: Settings) -> Settings {
        var result = lower
        result.socket = socket ?? lower.socket
        result.mode = mode ?? lower.mode
        result.group = group ?? lower.group
        result.pluginPath = pluginPath ?? lower.pluginPath
        result.clock = clock ?? lower.clock
        result.stateDirectory = stateDirectory ?? lower.stateDirectory
        result.logLevel = logLevel ?? lower.logLevel
        result.access = access.over(lower.access)
        result.limits.merge(limits) { _, new in new }
        result.authorities = authorities ?? lower.authorities
        result.secretHeaders.formUnion(secretHeaders)
        result.secretQueryNames.formUnion(secretQueryNames)
        result.secretMembers.formUnion(secretMembers)
        return result
    }

    /// Applies the layer to the defaults.
    func apply(to configuration: inout Configuration) throws(ConfigurationError) {
        if let socket { configuration.socket = socket }
        if let mode { configuration.mode = mode }
        if let group { configuration.group = group }
        if let pluginPath { configuration.pluginPath = pluginPath }
        if let clock { configuration.clock = clock }
        if let stateDirectory {
            let folder = try Self.stateDirectory(stateDirectory, "the state directory")
            configuration.stateDirectory = folder == "none" ? nil : folder
        }
        if let logLevel { configuration.logLevel = logLevel }
        configuration.access = access.over(configuration.access)
        if let authorities { configuration.authorities = authorities }
        configuration.redaction.headers.formUnion(secretHeaders.map { $0.lowercased() })
        configuration.redaction.queryNames.formUnion(secretQueryNames.map { $0.lowercased() })
        configuration.redaction.members.formUnion(secretMembers.map { $0.lowercased() })
        for (name, value) in limits.sorted(by: { $0.key < $1.key }) {
            try configuration.limits.set(name, to: value)
        }
    }
}

/// A setting that cannot be: where it stands, what it is, and what would be right.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
