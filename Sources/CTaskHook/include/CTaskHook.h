// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Has `observer` called, on the thread that does it, whenever a task is handed to Swift's global pool.
///
/// Nothing is changed: the job goes where it was going. The hook is the Swift runtime's own, one per
/// process, and whoever set it before is still asked. Call this once.
void marbled_observe_global_enqueues(void (*_Nonnull observer)(void));
