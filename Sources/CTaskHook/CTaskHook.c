// SPDX-License-Identifier: Apache-2.0
#include "CTaskHook.h"

#include <stddef.h>

// As the Swift runtime declares them, in its own calling convention.
typedef __attribute__((swiftcall)) void (*enqueue)(void *job);
typedef __attribute__((swiftcall)) void (*enqueue_hook)(void *job, enqueue original);
extern enqueue_hook swift_task_enqueueGlobal_hook;

static void (*observe)(void);
static enqueue_hook earlier;

static __attribute__((swiftcall)) void enqueue_observed(void *job, enqueue original) {
    observe();
    if (earlier != NULL) {
        earlier(job, original);
    } else {
        original(job);
    }
}

void marbled_observe_global_enqueues(void (*observer)(void)) {
    observe = observer;
    earlier = swift_task_enqueueGlobal_hook;
    swift_task_enqueueGlobal_hook = enqueue_observed;
}
