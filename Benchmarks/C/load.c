// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/// The one load generator: it drives every server with the same system calls, and counts line ends.
///
///     load calls SOCKET DEPTH TIMES MILLISECONDS REQUEST LINES MODULUS [BEFORE LINES]
///         Writes REQUEST DEPTH times at once, waits for LINES line ends for each, and again: TIMES times,
///         or for so many milliseconds when TIMES is 0. A '@' in REQUEST is replaced by a number that
///         runs from 1 to MODULUS. BEFORE is sent once, first. Prints calls, nanoseconds, and the
///         batches' p50, p99 and longest in nanoseconds.
///
///     load fan SOCKET CONNECTIONS SUBSCRIBE LINES STALLED PUBLISH LINES DELIVERIES LINES WINDOW EVENTS
///         Opens CONNECTIONS that send SUBSCRIBE and read, and STALLED that send it and never read again.
///         Publishes EVENTS, WINDOW at a time, each with DELIVERIES to every reading connection, of so
///         many LINES each. Prints deliveries and nanoseconds.
static void fail(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        fail(path);
    }
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) fail("socket");
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
    return descriptor;
}

static void send_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = write(descriptor, bytes, count);
        if (sent < 0 && errno != EINTR) fail("write");
        if (sent < 0) continue;
        bytes += sent;
        count -= (size_t)sent;
    }
}

static char region[256 * 1024];

/// Reads once and returns how many lines ended.
static int64_t read_lines(int descriptor) {
    ssize_t count = read(descriptor, region, sizeof region);
    if (count == 0) errno = ECONNRESET;
    if (count <= 0 && errno != EINTR) fail("read");
    int64_t lines = 0;
    for (ssize_t i = 0; i < count; i++) lines += region[i] == '\n';
    return lines;
}

static void await_lines(int descriptor, int64_t lines) {
    while (lines > 0) lines -= read_lines(descriptor);
}

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/// Copies `request` to `to` with the number in the place of its '@'. Returns the end of what it wrote.
static char *write_request(char *to, const char *request, size_t length, int64_t number) {
    const char *mark = memchr(request, '@', length);
    if (!mark) return (char *)memcpy(to, request, length) + length;
    to = (char *)memcpy(to, request, (size_t)(mark - request)) + (mark - request);
    to += sprintf(to, "%lld", (long long)number);
    size_t rest = length - (size_t)(mark - request) - 1;
    return (char *)memcpy(to, mark + 1, rest) + rest;
}

static int run_calls(char **arguments, int count) {
    int socket = connect_to(arguments[0]);
    int64_t depth = atoll(arguments[1]), times = atoll(arguments[2]);
    int64_t deadline = now() + atoll(arguments[3]) * 1000000;
    const char *request = arguments[4];
    int64_t lines = atoll(arguments[5]), modulus = atoll(arguments[6]);
    if (count > 8) {
        send_all(socket, arguments[7], strlen(arguments[7]));
        await_lines(socket, atoll(arguments[8]));
    }
    size_t length = strlen(request);
    char *batch = malloc((size_t)depth * (length + 20));
    enum { SAMPLES = 1 << 22 };
    int64_t *samples = malloc(SAMPLES * sizeof *samples);
    if (!batch || !samples) fail("malloc");
    int64_t calls = 0, batches = 0, number = 0, begin = now(), end = begin;
    while (times > 0 ? calls < times : end < deadline) {
        int64_t size = times > 0 && times - calls < depth ? times - calls : depth;
        char *to = batch;
        for (int64_t i = 0; i < size; i++) {
            to = write_request(to, request, length, number + 1);
            number = (number + 1) % modulus;
        }
        int64_t start = now();
        send_all(socket, batch, (size_t)(to - batch));
        await_lines(socket, size * lines);
        end = now();
        samples[batches++ % SAMPLES] = end - start;
        calls += size;
    }
    if (batches > SAMPLES) batches = SAMPLES;
    if (batches == 0) return 1;
    qsort(samples, (size_t)batches, sizeof *samples, ascending);
    printf(
        "%lld %lld %lld %lld %lld\n", (long long)calls, (long long)(end - begin),
        (long long)samples[batches / 2], (long long)samples[batches * 99 / 100],
        (long long)samples[batches - 1]);
    return 0;
}

static int run_fan(char **arguments) {
    const char *path = arguments[0], *subscribe = arguments[2], *publish = arguments[5];
    int64_t connections = atoll(arguments[1]), subscribe_lines = atoll(arguments[3]);
    int64_t stalled = atoll(arguments[4]), publish_lines = atoll(arguments[6]);
    int64_t deliveries = atoll(arguments[7]), delivery_lines = atoll(arguments[8]);
    int64_t window = atoll(arguments[9]), events = atoll(arguments[10]);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    if (poll < 0) fail("epoll_create1");
    for (int64_t i = 0; i < connections + stalled; i++) {
        int socket = connect_to(path);
        send_all(socket, subscribe, strlen(subscribe));
        await_lines(socket, subscribe_lines);
        struct epoll_event event = {.events = EPOLLIN, .data = {.fd = socket}};
        if (i < connections && epoll_ctl(poll, EPOLL_CTL_ADD, socket, &event) != 0) fail("epoll_ctl");
    }
    int publisher = connect_to(path);
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = publisher}};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, publisher, &event) != 0) fail("epoll_ctl");
    size_t length = strlen(publish);
    char *batch = malloc((size_t)window * length);
    if (!batch) fail("malloc");
    for (int64_t i = 0; i < window; i++) memcpy(batch + (size_t)i * length, publish, length);
    int64_t begin = now(), left = events;
    struct epoll_event ready[256];
    while (left > 0) {
        int64_t size = left < window ? left : window;
        send_all(publisher, batch, (size_t)size * length);
        int64_t lines = size * (publish_lines + connections * deliveries * delivery_lines);
        while (lines > 0) {
            int count = epoll_wait(poll, ready, 256, 10000);
            if (count == 0) errno = ETIMEDOUT;
            if (count <= 0 && errno != EINTR) fail("epoll_wait");
            for (int i = 0; i < count; i++) lines -= read_lines(ready[i].data.fd);
        }
        left -= size;
    }
    printf(
        "%lld %lld\n", (long long)(events * connections * deliveries), (long long)(now() - begin));
    return 0;
}

int main(int count, char **arguments) {
    if (count >= 9 && strcmp(arguments[1], "calls") == 0) return run_calls(arguments + 2, count - 2);
    if (count == 13 && strcmp(arguments[1], "fan") == 0) return run_fan(arguments + 2);
    fprintf(stderr, "load: see the comment in load.c for what it takes\n");
    return 2;
}
