// SPDX-License-Identifier: Apache-2.0

public import Scheduling

// Names by which view models written for RxSwift call what has another name here, so that such code
// moves over by its imports.

/// A timeline, as RxSwift spells the type of a scheduler.
public typealias SchedulerType = any Scheduler

/// A length of time, as RxSwift spells it: `.seconds(3)`, `.milliseconds(300)`.
public typealias RxTimeInterval = Duration

/// RxSwift's name for where the streams of a view run. Here that is the timeline of the code that asks.
public enum MainScheduler {
    /// The timeline that this code runs on: in a feature the instance's own, in a test the test's.
    /// Outside any timeline it stops with a sentence.
    public static var instance: any Scheduler { timeline(nil, for: "MainScheduler.instance") }
}
