// SPDX-License-Identifier: Apache-2.0

/// Which rules of order a virtual timeline follows.
@frozen
public enum Profile: String, Sendable, CaseIterable {
    /// marbled's own: (time, microstep, phase, sequence), windows `[subscribe, dispose)`.
    case strict
    /// The rules of RxTest, to move a suite over unchanged: equal times run in the order of insertion,
    /// relative due times of zero or less land one tick later, windows are `(subscribe, dispose]`.
    case rxTest
}
