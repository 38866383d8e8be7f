// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// Where an error goes that a stream ends with and nobody takes: to the timeline it happened on.
@usableFromInline
enum UnhandledError {
    @usableFromInline
    static func report(_ error: any Error, place: StaticString) {
        CurrentScheduler.scheduler?.unhandledError(error, place: place)
    }
}
