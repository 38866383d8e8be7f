// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

/// The least that a server on libuv can do: what comes on a Unix socket goes back.
///
///     echo SOCKET
///
/// Writes as marbled does, at once and without an allocation; a client of this bench never has more
/// unread than its socket's buffer holds, so what the kernel does not take ends the connection.
static char region[64 * 1024];

static void offer(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
    (void)handle, (void)size;
    *buffer = uv_buf_init(region, sizeof region);
}

static void did_close(uv_handle_t *handle) {
    free(handle);
}

static void did_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
    if (count == 0) return;
    uv_buf_t answer = uv_buf_init(buffer->base, (unsigned)(count > 0 ? count : 0));
    if (count > 0 && uv_try_write(stream, &answer, 1) == count) return;
    uv_close((uv_handle_t *)stream, did_close);
}

static void did_connect(uv_stream_t *listener, int status) {
    if (status < 0) return;
    uv_pipe_t *connection = malloc(sizeof *connection);
    if (!connection) abort();
    uv_pipe_init(listener->loop, connection, 0);
    if (uv_accept(listener, (uv_stream_t *)connection) == 0) {
        uv_read_start((uv_stream_t *)connection, offer, did_read);
    } else {
        uv_close((uv_handle_t *)connection, did_close);
    }
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    static uv_pipe_t listener;
    uv_pipe_init(uv_default_loop(), &listener, 0);
    unlink(arguments[1]);
    if (uv_pipe_bind(&listener, arguments[1]) != 0) return 1;
    if (uv_listen((uv_stream_t *)&listener, 128, did_connect) != 0) return 1;
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
