// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// Answers every effect of an instance before its stubs and providers are asked: a record that runs
/// again.
///
/// Loop-confined; kept by the instance.
package protocol EffectScript: AnyObject {
    /// What answers `request`, which is asked now; `id` names the open effect until it has ended. A record
    /// knows a request as it was `shown`, without its secrets.
    func plan(
        for effect: String, _ request: JSONValue, shownAs shown: JSONValue, id: UInt64,
        of instance: Instance
    ) -> EffectPlan
}

/// What a script says to a request.
package enum EffectPlan {
    /// These answers, in order; none is never.
    case answers([TimedAnswer])
    /// Whoever answers where there is no script.
    case world
    /// The request must not be: the instance ends with this reason.
    case refuse(String)
}

/// One thing that an effect answers, and when.
package struct TimedAnswer: Equatable {
    /// When, after the request, in nanoseconds. An answer never overtakes the one before it.
    package var after: Int64
    package var answer: EffectAnswer

    package init(after: Int64, _ answer: EffectAnswer) {
        self.after = after
        self.answer = answer
    }
}
