// SPDX-License-Identifier: Apache-2.0
#include "CThreadLocal.h"

static _Thread_local void *current;

void *marbled_thread_local_get(void) { return current; }
void marbled_thread_local_set(void *value) { current = value; }
