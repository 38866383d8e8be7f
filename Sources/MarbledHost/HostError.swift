// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// What can go wrong in the host, said so that the one who asked can mend it.
package enum HostError: Error, Equatable {
    /// No feature bears this name.
    case unknownFeature(String, suggestion: String?)
    /// The feature's plugin was retired.
    case retired(String)
    /// No instance bears this name.
    case unknownInstance(String)
    /// The feature has no such input or output.
    case unknownPort(String, direction: String, known: [String])
    /// A value does not fit a schema. `pointer` leads into the parameters.
    case badValue(pointer: String, expected: String)
    /// A verb of virtual time on an instance in real time.
    case clockIsReal(String)
    /// A bound was reached.
    case limit(String)
    /// A plugin cannot be loaded, or refused to start.
    case pluginRefused(String)
    /// A plugin made a mistake and its instance ended.
    case pluginFailed(instance: String, reason: String)
    /// Two things cannot be at once, such as two instances of one name.
    case conflict(String)
    /// The instance was closed while something waited for it.
    case closed(String)
}

extension HostError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownFeature(let name, let suggestion):
            "no plugin offers a feature \"\(name)\""
                + NearestName.hint(suggestion)
        case .unknownInstance(let name): "there is no instance \"\(name)\""
        case .unknownPort(let name, let direction, let known):
            "there is no \(direction) \"\(name)\"; there "
                + (known.isEmpty ? "are none" : "is " + known.joined(separator: ", "))
        case .badValue(let pointer, let expected):
            "\(pointer.isEmpty ? "the value" : pointer) is not \(expected)"
        case .clockIsReal(let name):
            "instance \"\(name)\" runs in real time; only a virtual clock can be driven"
        case .retired(let sentence), .limit(let sentence), .pluginRefused(let sentence),
            .conflict(let sentence), .closed(let sentence):
            sentence
        case .pluginFailed(let instance, let reason):
            "instance \"\(instance)\" ended: \(reason)"
        }
    }
}
