// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Two pointers per thread, which Swift has no keyword for.
///
/// `Scheduling` keeps the scheduler whose item runs on this thread here, so that a time operator finds
/// the timeline it lives on without being given one. The pointer is borrowed: whoever sets it keeps it alive.
void *_Nullable marbled_thread_local_get(void);
void marbled_thread_local_set(void *_Nullable value);

/// What stands on this thread while no item runs: a list that `CurrentScheduler` makes at first use and
/// keeps for the life of the thread. `release` is called with it when the thread ends.
void *_Nullable marbled_thread_local_get_standing(void);
void marbled_thread_local_set_standing(
    void *_Nonnull value, void (*_Nonnull release)(void *_Nonnull value));
