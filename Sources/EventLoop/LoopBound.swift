// SPDX-License-Identifier: Apache-2.0

/// A value of the loop's thread that travels through others and is opened only at home.
///
/// How a job for `Wakeup` names what it is for:
///
///     let caller = LoopBound(connection)
///     thread { wakeup.enqueue { caller.value.answer() } }
///
/// Opening it on any thread but the one it was made on stops the program. The last reference may be
/// let go anywhere, so whatever must end on the loop is kept alive there too.
// Safety: the value is touched only on the thread that made it, which `value` checks.
package struct LoopBound<Value>: @unchecked Sendable {
    private let held: Value
    private let home = ThreadIdentity.current

    package init(_ value: Value) {
        held = value
    }

    /// The value, at home.
    package var value: Value {
        precondition(
            home == .current, "a \(Value.self) of the loop's thread was opened on another thread")
        return held
    }
}
