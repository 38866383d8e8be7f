// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One pointer per thread, which Swift has no keyword for.
///
/// `Scheduling` keeps the scheduler whose item runs on this thread here, so that a time operator finds
/// the timeline it lives on without being given one. The pointer is borrowed: whoever sets it keeps it alive.
void *_Nullable marbled_thread_local_get(void);
void marbled_thread_local_set(void *_Nullable value);
