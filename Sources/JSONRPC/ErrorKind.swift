// SPDX-License-Identifier: Apache-2.0

/// The faults that an answer can report: the one table of words, codes and meanings.
///
/// The word (the raw value) is what clients match on and never changes. Documents are printed from
/// this table.
package enum ErrorKind: String, Sendable, CaseIterable {
    case parseError, invalidRequest, methodNotFound, invalidParams, internalError
    case unknownFeature, unknownInstance, unknownPort, unknownSubscription, unknownPlugin
    case badValue, clockIsReal, limit, pluginRefused, pluginFailed, denied, cursorExpired
    case cancelled, stopping, busy, unsupported

    /// The JSON-RPC code: the standard's own, or one from −32000 to −32099.
    package var code: Int { entry.code }

    /// What the fault means, in a few words; for the standard's kinds, the standard's words.
    package var summary: String { entry.summary }

    private var entry: (code: Int, summary: String) {
        switch self {
        case .parseError: (-32700, "Parse error")
        case .invalidRequest: (-32600, "Invalid Request")
        case .methodNotFound: (-32601, "Method not found")
        case .invalidParams: (-32602, "Invalid params")
        case .internalError: (-32603, "Internal error")
        case .unknownFeature: (-32000, "no plugin offers this feature")
        case .unknownInstance: (-32001, "no instance has this name")
        case .unknownPort: (-32002, "the feature has no such port")
        case .badValue: (-32003, "the value does not fit the port's type")
        case .clockIsReal: (-32004, "the instance runs on the real clock, which nobody can drive")
        case .limit: (-32005, "a limit was reached")
        case .pluginRefused: (-32006, "the plugin was not loaded")
        case .pluginFailed: (-32007, "the plugin failed")
        case .denied: (-32008, "the caller may not do this")
        case .cursorExpired: (-32009, "the cursor is older than what is kept")
        case .cancelled: (-32011, "the call was cancelled")
        case .stopping: (-32012, "the daemon is stopping")
        case .busy: (-32013, "somebody else is at it")
        case .unknownSubscription: (-32014, "no subscription has this name")
        case .unknownPlugin: (-32016, "no plugin has this id")
        case .unsupported: (-32015, "not available here")
        }
    }
}
