// SPDX-License-Identifier: Apache-2.0

package import MarbledHost

extension Scenario {
    /// Where the file has what a fault of the host is about; nil where it is about no one place.
    package func place(of fault: HostError) -> Place? {
        switch fault {
        case .unknownFeature, .retired, .pluginRefused: places["/feature"]
        case .unknownPort(let name, let direction, _): places["/\(direction)s/\(name)"]
        // The value lies somewhere below what has a place.
        case .badValue(let pointer, _):
            places.filter { pointer == $0.key || pointer.hasPrefix($0.key + "/") }
                .max { $0.key.utf8.count < $1.key.utf8.count }?.value
        case .unknownInstance, .clockIsReal, .limit, .pluginFailed, .conflict, .closed: nil
        }
    }
}
