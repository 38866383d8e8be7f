// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import MarbledHost

extension Daemon {
    /// What a reload did.
    struct Reloaded {
        /// Settings that changed and hold from now on.
        var changed: [String] = []
        /// Settings that changed in the file and wait for the next start.
        var needRestart: [String] = []
    }

    /// Reads the configuration and the plugins' manifests again. The socket, connections and instances stay.
    ///
    /// - Throws: when the configuration is wrong; everything is as it was then.
    func reload() throws(ConfigurationError) -> Reloaded {
        manager.reloading()
        defer { manager.ready(servingStatus) }
        let fresh = try configuration.again()
        let policy = try makePolicy(fresh)
        let old = configuration
        var reloaded = Reloaded()
        reloaded.changed = [
            ("access", old.access == fresh.access), ("clock", old.clock == fresh.clock),
            ("log", log.level == fresh.logLevel), ("plugins", old.pluginPath == fresh.pluginPath),
        ].filter { !$0.1 }.map(\.0)
        reloaded.needRestart = [
            ("group", old.group == fresh.group),
            ("http", old.authorities == fresh.authorities && old.redaction == fresh.redaction),
            ("limits", old.limits == fresh.limits), ("mode", old.mode == fresh.mode),
            ("socket", old.socket == fresh.socket),
            ("state-directory", old.stateDirectory == fresh.stateDirectory),
        ].filter { !$0.1 }.map(\.0)
        configuration.access = fresh.access
        configuration.clock = fresh.clock
        configuration.logLevel = fresh.logLevel
        configuration.pluginPath = fresh.pluginPath
        log.level = fresh.logLevel
        findPlugins()
        apply(policy)
        log.write(.notice, "reloaded; \(servingStatus)")
        return reloaded
    }

    /// Where the daemon stands, in a few words.
    var servingStatus: String { "serving \(host.features.count) features on \(socketPath)" }

    /// The rules of `configuration` for the socket as it is.
    func makePolicy(_ configuration: Configuration) throws(ConfigurationError) -> AccessPolicy {
        try configuration.policy(
            ownUser: geteuid(), socketGroup: Self.groupOfFile(socketPath))
    }

    private static func groupOfFile(_ path: String) -> gid_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_gid : nil
    }
}
