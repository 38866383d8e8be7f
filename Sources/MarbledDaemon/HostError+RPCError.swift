// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
package import MarbledHost
internal import Scenarios

extension RPCError {
    /// What a fault of the host is on the wire: the one place where the two meet.
    package init(_ error: HostError) {
        let sentence = error.description
        switch error {
        case .unknownFeature(_, let suggestion):
            self.init(
                .unknownFeature, sentence, pointer: "/feature",
                expected: "one that feature.list names",
                suggestion: suggestion)
        case .retired:
            self.init(
                .unknownFeature, sentence, pointer: "/feature",
                expected: "one that feature.list names")
        case .unknownInstance:
            self.init(
                .unknownInstance, sentence, pointer: "/instance",
                expected: "one that instance.list names")
        case .unknownPort(let name, let direction, let known):
            self.init(
                .unknownPort, sentence, pointer: "/\(direction)",
                expected: "one of " + known.joined(separator: ", "),
                suggestion: NearestName.find(name, among: known))
        case .badValue(let pointer, let expected):
            self.init(.badValue, sentence, pointer: pointer, expected: expected)
        case .clockIsReal:
            self.init(
                .clockIsReal, sentence, pointer: "/instance",
                expected: "an instance opened as virtual")
        case .limit: self.init(.limit, sentence)
        case .pluginRefused: self.init(.pluginRefused, sentence)
        case .pluginFailed:
            self.init(.pluginFailed, sentence, expected: "close it and open another")
        case .conflict: self.init(.busy, sentence)
        case .closed: self.init(.unknownInstance, sentence)
        }
    }

    /// A scenario that cannot be read.
    init(_ error: ScenarioError) {
        self.init(.badValue, error.description, pointer: "/scenario")
    }
}

/// Runs `body` and says its fault the way the wire does.
func onWire<Result>(_ body: () throws(HostError) -> Result) throws(RPCError) -> Result {
    do {
        return try body()
    } catch {
        throw RPCError(error)
    }
}
