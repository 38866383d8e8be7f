// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>
#include <sys/types.h>
#include <uv.h>

// Linux calls that Swift's Glibc module hides, because it is built without _GNU_SOURCE.

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

/// Accepts a connection that is non-blocking and closed on exec from its first moment.
static inline int marbled_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/// What SO_PEERCRED fills in: `struct ucred` under a name of our own.
struct marbled_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};
