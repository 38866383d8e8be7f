// SPDX-License-Identifier: Apache-2.0

public import Streams

/// Random draws through the effect door: seeded per instance, so a run repeats.
public struct RandomEffect {
    let door: any EffectDoor

    /// A whole number in `range`, each as likely as the others.
    public func integer(in range: ClosedRange<Int>) -> Single<Int> {
        door.ask(.random, RandomRequest(min: range.lowerBound, max: range.upperBound)) {
            try Int.decode($0)
        }
    }
}

struct RandomRequest: PortValue {
    var min: Int
    var max: Int
}

/// The time of day through the effect door.
public struct WallClockEffect {
    let door: any EffectDoor

    /// Nanoseconds since 1970-01-01 UTC. It can jump; time operators never use it.
    public func now() -> Single<Int> {
        door.ask(.wallClock, [String: Int]()) { try Int.decode($0) }
    }
}
