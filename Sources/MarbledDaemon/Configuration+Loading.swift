// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import JSONRPC
package import Logging
internal import YAML

extension Configuration {
    /// The file that is read when none is named and it is there.
    package static let systemFile = "/etc/marbled/marbled.yaml"

    /// Lays flags over the environment over the file over the defaults.
    ///
    /// - Parameters:
    ///   - file: the file that `--config` names.
    ///   - executableFolder: where this program is, for the plugins built beside it.
    package static func load(
        flags: Settings, file: String?, environment: [String: String], executableFolder: String?
    ) throws(ConfigurationError) -> Configuration {
        var configuration = Configuration(socket: defaultSocket(environment))
        configuration.isSystemService = environment["MARBLED_SYSTEM"] == "1"
        configuration.environment = environment
        configuration.sources = Sources(
            flags: flags, file: file, executableFolder: executableFolder)
        configuration.pluginPath = defaultPluginPath(executableFolder)
        configuration.stateDirectory = defaultStateDirectory(environment)
        var layer = Settings()
        if let named = file ?? Settings.said("MARBLED_CONFIG", environment) {
            layer = try Settings(file: named)
            configuration.file = named
        } else if Glibc.access(systemFile, F_OK) == 0 {
            layer = try Settings(file: systemFile)
            configuration.file = systemFile
        }
        layer = try flags.over(Settings(environment: environment).over(layer))
        try layer.apply(to: &configuration)
        try configuration.resolve()
        return configuration
    }

    /// What the same flags, the same environment and the file as it is now say.
    func again() throws(ConfigurationError) -> Configuration {
        var fresh = try Self.load(
            flags: sources.flags, file: sources.file, environment: environment,
            executableFolder: sources.executableFolder)
        fresh.readyDescriptor = readyDescriptor
        fresh.lifelineDescriptor = lifelineDescriptor
        return fresh
    }

    /// `$XDG_RUNTIME_DIR/marbled.sock`, else `/run/marbled/marbled.sock`.
    package static func defaultSocket(_ environment: [String: String]) -> String {
        if let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty {
            return "\(folder)/marbled.sock"
        }
        return "/run/marbled/marbled.sock"
    }

    /// What the service manager made (`$STATE_DIRECTORY`), else `$XDG_STATE_HOME/marbled`, which is
    /// `~/.local/state/marbled` unless said otherwise; nil without a home.
    package static func defaultStateDirectory(_ environment: [String: String]) -> String? {
        // The service manager may have made several; relative paths count as not set.
        func folder(_ name: String) -> String? {
            environment[name]?.split(separator: ":").first.map(String.init)
                .flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        if let made = folder("STATE_DIRECTORY") { return made }
        if let state = folder("XDG_STATE_HOME") { return "\(state)/marbled" }
        return folder("HOME").map { "\($0)/.local/state/marbled" }
    }

    /// Beside the program (a checkout), then where it is installed.
    static func defaultPluginPath(_ executableFolder: String?) -> [String] {
        var path: [String] = []
        if let folder = executableFolder {
            path = [folder, "\(folder)/../lib/marbled/plugins"]
        }
        for installed in ["/usr/local/lib/marbled/plugins", "/usr/lib/marbled/plugins"]
        where !path.contains(installed) { path.append(installed) }
        return path
    }
}

extension Settings {
    /// What the environment says.
    package init(environment: [String: String]) throws(ConfigurationError) {
        func said(_ name: String) -> String? { Self.said(name, environment) }
        socket = said("MARBLED_SOCKET")
        group = said("MARBLED_GROUP")
        pluginPath = said("MARBLED_PLUGIN_PATH").map(Self.folders)
        stateDirectory = said("MARBLED_STATE_DIRECTORY")
        if let text = said("MARBLED_MODE") { mode = try Self.mode(text, "MARBLED_MODE") }
        if let text = said("MARBLED_CLOCK") { clock = try Self.clock(text, "MARBLED_CLOCK") }
        if let text = said("MARBLED_HTTP_AUTHORITIES") {
            authorities = try Self.readable(text, "MARBLED_HTTP_AUTHORITIES")
        }
        if let text = said("MARBLED_LOG") { logLevel = try Self.level(text, "MARBLED_LOG") }
    }

    /// A variable, where it says something: an empty one counts as not set.
    fileprivate static func said(_ name: String, _ environment: [String: String]) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What a file says. Every error names the file and the line.
    package init(file: String) throws(ConfigurationError) {
        try self.init(yaml: try Self.contents(of: file), name: file)
    }

    /// What a file's text says.
    package init(yaml text: String, name: String) throws(ConfigurationError) {
        let documents: [YAMLNode]
        do { documents = try YAMLReader.documents(text) } catch {
            throw ConfigurationError("\(name):\(error.line):\(error.column): \(error.message)")
        }
        guard let document = documents.first else { return }
        guard case .mapping = document.content, documents.count == 1 else {
            throw ConfigurationError("\(name) is not one mapping of settings")
        }
        let file = Place(file: name, line: document.line)
        for member in try Self.members(document, file, "a mapping of settings") {
            try read(member)
        }
    }

    private mutating func read(_ member: Member) throws(ConfigurationError) {
        let (value, place) = (member.value, member.place)
        switch member.name {
        case "socket": socket = try Self.text(value, place)
        case "mode": mode = try Self.mode(Self.text(value, place), place)
        case "group": group = try Self.text(value, place)
        case "state-directory":
            stateDirectory = try Self.stateDirectory(Self.text(value, place), place)
        case "clock": clock = try Self.clock(Self.text(value, place), place)
        case "log": logLevel = try Self.level(Self.text(value, place), place)
        case "plugins": pluginPath = try Self.texts(value, place, "folders")
        case "http":
            for member in try Self.members(value, place, "a mapping") { try readHTTP(member) }
        case "access":
            for member in try Self.members(value, place, "a mapping of users, groups and others") {
                try readAccess(member)
            }
        case "limits":
            for member in try Self.members(value, place, "a mapping of limits to numbers") {
                limits[member.name] = try Self.limit(member)
            }
        default:
            throw Self.unknown(member)
        }
    }

    private static func limit(_ member: Member) throws(ConfigurationError) -> Int {
        guard let number = member.value.text.flatMap({ Int($0) }) else {
            throw ConfigurationError("\(member.place) is not a whole number")
        }
        // Tried here, where its place is known.
        var limits = DaemonLimits()
        do { try limits.set(member.name, to: number) } catch {
            throw ConfigurationError("\(member.place.prefix)\(error)")
        }
        return number
    }

    private mutating func readAccess(_ member: Member) throws(ConfigurationError) {
        switch member.name {
        case "users": access.users = try Self.grants(member)
        case "groups": access.groups = try Self.grants(member)
        case "others": access.others = try Self.grant(member.value, member.place)
        default: throw Self.unknown(member, below: "access")
        }
    }

    private static func grants(
        _ member: Member
    ) throws(ConfigurationError) -> [String: AccessSettings.Grant] {
        var grants: [String: AccessSettings.Grant] = [:]
        for member in try members(member.value, member.place, "a mapping of names to levels") {
            grants[member.name] = try grant(member.value, member.place)
        }
        return grants
    }

    private static func grant(
        _ node: YAMLNode, _ place: Place
    ) throws(ConfigurationError) -> AccessSettings.Grant {
        guard let grant = node.text.flatMap(AccessSettings.Grant.init(rawValue:)) else {
            let words = AccessSettings.Grant.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(
                "\(place) is \"\(node.text ?? "a list")\"; it is one of \(words)")
        }
        return grant
    }

    private mutating func readHTTP(_ member: Member) throws(ConfigurationError) {
        let (value, place) = (member.value, member.place)
        switch member.name {
        case "authorities": authorities = try Self.readable(Self.text(value, place), place)
        case "secretHeaders": secretHeaders = Set(try Self.texts(value, place, "names"))
        case "secretQueryNames": secretQueryNames = Set(try Self.texts(value, place, "names"))
        case "secretMembers": secretMembers = Set(try Self.texts(value, place, "names"))
        default: throw Self.unknown(member, below: "http")
        }
    }

    /// A name that is none: what it may have meant, and what there is.
    private static func unknown(
        _ member: Member, below mapping: String? = nil
    ) -> ConfigurationError {
        let known = Setting.names(below: mapping)
        let hint = NearestName.hint(NearestName.find(member.name, among: known))
        return ConfigurationError(
            "\(member.place) is no setting\(hint) (known: \(known.joined(separator: ", ")))")
    }

    // MARK: Places

    /// Where something stands in a file, and its name there, dots below mappings.
    private struct Place: CustomStringConvertible {
        let file: String
        let line: Int
        var name = ""

        /// The file and the line.
        var prefix: String { "\(file):\(line): " }
        var description: String { prefix + name }

        func below(_ key: YAMLNode) -> Place {
            let word = key.text ?? ""
            return Place(file: file, line: key.line, name: name.isEmpty ? word : "\(name).\(word)")
        }
    }

    private typealias Member = (name: String, value: YAMLNode, place: Place)

    /// The members of a mapping, each with its place. One that stands twice would silently lose.
    private static func members(
        _ node: YAMLNode, _ place: Place, _ what: String
    ) throws(ConfigurationError) -> [Member] {
        guard case .mapping(let pairs) = node.content else {
            throw ConfigurationError("\(place) is \(what)")
        }
        var members: [Member] = []
        for pair in pairs {
            let member = (pair.key.text ?? "", pair.value, place.below(pair.key))
            if let first = members.first(where: { $0.name == member.0 }) {
                throw ConfigurationError(
                    "\(member.2) stands twice, first in line \(first.place.line)")
            }
            members.append(member)
        }
        return members
    }

    // MARK: Values

    package static func folders(_ text: String) -> [String] {
        text.split(separator: ":").map(String.init)
    }

    /// A folder that can be one, or the word "none".
    static func stateDirectory(
        _ text: String, _ place: some CustomStringConvertible
    ) throws(ConfigurationError) -> String {
        guard text == "none" || text.hasPrefix("/") else {
            throw ConfigurationError(
                "\(place) is \"\(text)\"; it is an absolute path, or none to keep everything in memory"
            )
        }
        return text
    }

    package static func mode(
        _ text: String, _ place: some CustomStringConvertible
    ) throws(ConfigurationError) -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode <= 0o777, mode & 0o600 == 0o600 else {
            throw ConfigurationError(
                "\(place) is \"\(text)\"; it is an octal mode such as 0600 or 0660, and the owner's bits are set"
            )
        }
        return mode
    }

    package static func clock(
        _ text: String, _ place: some CustomStringConvertible
    ) throws(ConfigurationError) -> Configuration.DefaultClock {
        guard let clock = Configuration.DefaultClock(rawValue: text) else {
            throw ConfigurationError("\(place) is \"\(text)\"; it is real or virtual")
        }
        return clock
    }

    package static func level(
        _ text: String, _ place: some CustomStringConvertible
    ) throws(ConfigurationError) -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            let words = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError("\(place) is \"\(text)\"; it is one of \(words)")
        }
        return level
    }

    private static func readable(
        _ file: String, _ place: some CustomStringConvertible
    ) throws(ConfigurationError) -> String {
        guard Glibc.access(file, R_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw ConfigurationError("\(place): \(file) cannot be read: \(reason)")
        }
        return file
    }

    private static func text(_ node: YAMLNode, _ place: Place) throws(ConfigurationError) -> String
    {
        guard let text = node.text else { throw ConfigurationError("\(place) is a single value") }
        guard !text.contains("\0") else {
            throw ConfigurationError("\(place) has a zero byte in it")
        }
        return text
    }

    private static func texts(
        _ node: YAMLNode, _ place: Place, _ what: String
    ) throws(ConfigurationError) -> [String] {
        guard case .sequence(let items) = node.content else {
            throw ConfigurationError("\(place) is a list of \(what)")
        }
        var texts: [String] = []
        for item in items { texts.append(try text(item, place)) }
        return texts
    }

    /// A file's text, whole: half of the settings would be other settings.
    private static func contents(of path: String) throws(ConfigurationError) -> String {
        guard let file = fopen(path, "re") else { throw unreadable(path, because: errno) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            // A folder opens like a file, and fails here.
            guard ferror(file) == 0 else { throw unreadable(path, because: errno) }
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= 1 << 20 else {
                throw ConfigurationError("\(path) is longer than 1 MiB; \(wanted)")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError("\(path) is not UTF-8 text; \(wanted)")
        }
        return text
    }

    private static func unreadable(_ path: String, because code: Int32) -> ConfigurationError {
        ConfigurationError("\(path) cannot be read: \(String(cString: strerror(code))); \(wanted)")
    }

    private static let wanted = "--config or $MARBLED_CONFIG names a file of settings in YAML"
}
