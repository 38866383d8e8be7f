// SPDX-License-Identifier: Apache-2.0

/// Carries what belongs to one timeline through a place that asks for `Sendable`.
///
/// Swift's types for tasks think of threads; a timeline has one. Whoever opens the box is on the thread
/// that closed it.
// Safety: made and opened on the thread of the same timeline only, by `TimelineExecutor` and what it runs.
package struct Confined<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}
