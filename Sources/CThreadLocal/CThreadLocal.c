// SPDX-License-Identifier: Apache-2.0
#include "CThreadLocal.h"

static _Thread_local void *current;
static _Thread_local void *standing;

void *marbled_thread_local_get(void) { return current; }
void marbled_thread_local_set(void *value) { current = value; }

void *marbled_thread_local_get_standing(void) { return standing; }
void marbled_thread_local_set_standing(void *value) { standing = value; }
