// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// An error that the daemon answered, as far as a client knows what is in it.
package struct RemoteError: Error, Equatable, Sendable {
    package var code: Int64
    package var message: String
    /// The stable word; nil where the server has words of its own.
    package var kind: ErrorKind?
    package var detail: String?
    package var pointer: String?
    package var expected: String?
    package var suggestion: String?

    /// Reads an error object; what is missing stays empty.
    package init(_ error: JSONValue) {
        let data = error["data"]
        code = error["code"]?.int ?? 0
        message = error["message"]?.string ?? "an error without a message"
        kind = data?["kind"]?.string.flatMap(ErrorKind.init(rawValue:))
        detail = data?["detail"]?.string
        pointer = data?["pointer"]?.string
        expected = data?["expected"]?.string
        suggestion = data?["suggestion"]?.string
    }

    /// One sentence, without what the person who typed the command knows or the advice says.
    package var sentence: String {
        var text = message
        // What it may have meant is the advice.
        let hint = NearestName.hint(suggestion)
        if text.hasSuffix(hint) { text.removeLast(hint.count) }
        if let detail { text += ": \(detail)" }
        // A pointer to a parameter itself names what the message names; deeper ones help.
        if let pointer, pointer.utf8.count(where: { $0 == UInt8(ascii: "/") }) > 1,
            !text.contains(pointer)
        {
            text += " at \(pointer)"
        }
        switch kind {
        case .unknownFeature, .unknownInstance, .unknownPort: return text
        default:
            guard let expected, !text.contains(expected) else { return text }
            return "\(text); expected \(expected)"
        }
    }

    /// What to do next, for whoever called `method`.
    package func advice(for method: String) -> String? {
        if let suggestion { return "Did you mean \"\(suggestion)\"?" }
        switch (kind, method) {
        case (.busy, "instance.open"): return "Take another name, or close that instance first."
        case (.busy, "plugin.load"): return "`marblectl plugin reload` maps a new build of it."
        case (.pluginRefused, "instance.open"):
            return "`marblectl describe FEATURE` shows the options."
        case (.unsupported, "instance.read"):
            return "It is an event and keeps no value: `marblectl watch INSTANCE OUTPUT` shows it."
        case (.badValue, "daemon.reload"), (.invalidParams, "daemon.reload"):
            return "`marbled --check` holds the file against what is right; nothing was changed."
        case (.limit, _) where method.hasPrefix("clock."):
            return "--until, --limit and shorter steps bound a run."
        default: return advice
        }
    }

    /// What to do next, whatever was called.
    private var advice: String? {
        switch kind {
        case .unknownFeature: "`marblectl features` lists what can be opened."
        case .unknownInstance: "`marblectl ls` lists what is open."
        case .unknownPort: "`marblectl inspect INSTANCE` shows the ports."
        case .invalidParams where isAboutOptions, .badValue where isAboutOptions:
            "`marblectl describe FEATURE` shows the options."
        case .badValue where pointer?.hasPrefix("/value") == true:
            "`marblectl describe FEATURE` shows the types; a string that looks like JSON needs "
                + "its quotes: '\"42\"'."
        case .clockIsReal: "Only an instance opened with --virtual has a clock that can be driven."
        case .pluginRefused, .pluginFailed, .unknownPlugin:
            "`marblectl plugin list` shows the plugins' state."
        case .denied: "Ask the daemon's owner for the right, or run as that user."
        case .methodNotFound: "`marblectl call rpc.discover` lists every method."
        case .limit: "`marblectl call daemon.hello` prints the limits."
        case .cursorExpired: "Start without --since: older events are gone."
        case .stopping: "The daemon is going down; try again once it is back."
        case .busy: "Try again when the other call has ended."
        case .invalidParams, .badValue:
            "`marblectl help VERB` shows the words of a verb, `marblectl call rpc.discover` the "
                + "parameters of every method."
        case .unknownSubscription: "Subscribe again: a subscription ends with its connection."
        case .cancelled: "Call it again, if it is still wanted."
        case .unsupported: "`marblectl call daemon.hello` prints what this daemon can do."
        case .parseError, .invalidRequest, .internalError:
            "That is not your mistake: `marblectl doctor` looks for what is wrong, and the daemon's log "
                + "may say more."
        case nil: nil
        }
    }

    private var isAboutOptions: Bool { pointer?.hasPrefix("/options") ?? false }
}
