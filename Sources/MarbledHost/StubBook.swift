// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// The stubs of one instance, and what was asked of them.
///
/// The first rule that matches and is not used up answers. Bounded: of the calls, the newest 10,000
/// are kept.
package struct StubBook {
    package private(set) var stubs: [Stub] = []
    /// How often each rule answered.
    package private(set) var uses: [Int] = []
    /// What was asked so far, oldest first, and by which rule it was answered (nil: by none).
    package private(set) var calls: [Call] = []
    private static let callLimit = 10_000

    /// One request that a feature made.
    package struct Call {
        package var effect: String
        package var request: JSONValue
        package var at: Int64
        package var stub: Int?
    }

    package init() {}

    /// Puts other rules in place; what was asked so far is kept.
    package mutating func replace(with stubs: [Stub]) {
        self.stubs = stubs
        uses = Array(repeating: 0, count: stubs.count)
    }

    /// Notes a request and returns what answers it, or nil when no rule does.
    package mutating func reply(
        to effect: String, _ request: JSONValue, at: Int64
    ) -> Stub.Reply? {
        let match = stubs.indices.first { index in
            stubs[index].matches(effect, request)
                && (!stubs[index].isSequence || uses[index] < stubs[index].replies.count)
        }
        if calls.count >= Self.callLimit { calls.removeFirst(Self.callLimit / 2) }
        calls.append(Call(effect: effect, request: request, at: at, stub: match))
        guard let match else { return nil }
        defer { uses[match] += 1 }
        let stub = stubs[match]
        return stub.isSequence ? stub.replies[uses[match]] : stub.replies[0]
    }

    /// The rules that answered nothing.
    package var unused: [Stub] {
        zip(stubs, uses).filter { $1 == 0 }.map(\.0)
    }
}
