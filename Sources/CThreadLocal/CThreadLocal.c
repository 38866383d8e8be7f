// SPDX-License-Identifier: Apache-2.0
#include "CThreadLocal.h"

#include <pthread.h>

static _Thread_local void *current;
static _Thread_local void *standing;

void *marbled_thread_local_get(void) { return current; }
void marbled_thread_local_set(void *value) { current = value; }

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic(void (*)(void *)) release_standing;

static void thread_ends(void *value) {
    standing = NULL;
    release_standing(value);
}

static void make_key(void) { pthread_key_create(&key, thread_ends); }

void *marbled_thread_local_get_standing(void) { return standing; }

void marbled_thread_local_set_standing(void *value, void (*release)(void *)) {
    // Every caller gives the same function; the key exists to be told when the thread ends.
    release_standing = release;
    pthread_once(&once, make_key);
    pthread_setspecific(key, value);
    standing = value;
}
