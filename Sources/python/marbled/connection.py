# SPDX-License-Identifier: Apache-2.0
"""Lines in and out: JSON-RPC over a Unix socket, one JSON text per line."""

import collections
import json
import os
import socket
import time
from typing import Any

from .errors import CannotConnect, Closed, MarbledError, NotUnderstood, RPCError, Timeout

LONGEST_LINE = 256 << 20
"""Bytes of a line from the daemon; a longer one ends the connection."""

LONGEST_QUEUE = 1 << 20
"""Notifications of one subscription that wait to be read; one more is an error."""


def socket_paths(path: str | None = None) -> list[str]:
    """Where a daemon may listen: the path that was given, else the environment's, else the usual ones."""
    if path is not None:
        return [path]
    if named := os.environ.get("MARBLED_SOCKET"):
        return [named]
    folder = os.environ.get("XDG_RUNTIME_DIR")
    own = [f"{folder}/marbled.sock"] if folder else []
    return own + ["/run/marbled/marbled.sock"]


class Connection:
    """A conversation for one thread. Every verb that waits has an end."""

    def __init__(self, path: str | None = None, timeout: float = 10.0) -> None:
        self.timeout = timeout
        self._socket = _connect(socket_paths(path), timeout)
        self._received = bytearray()
        self._scanned = 0
        self._last_id = 0
        self._open: set[int] = set()
        self._answers: dict[int, dict[str, Any]] = {}
        # What each subscription was told and nobody has taken yet.
        self._told: dict[str, collections.deque[dict[str, Any]]] = {}

    def close(self) -> None:
        """Hangs up. Ephemeral instances go with it."""
        self._socket.close()

    def call(self, method: str, params: dict[str, Any], within: float | None = None) -> Any:
        """Calls a method and gives its result; waits `within` seconds, or as long as `timeout` says."""
        deadline = self.deadline(within)
        self._last_id += 1
        number = self._last_id
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self._send(json.dumps(request, separators=(",", ":")).encode() + b"\n", deadline, method)
        self._open.add(number)
        try:
            while number not in self._answers:
                self._take(self._line(deadline, f"the answer to {method}"))
        finally:
            self._open.discard(number)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise RPCError(method, answer["error"])
        return answer.get("result")

    # Subscriptions

    def listen(self, subscription: str) -> None:
        """Keeps what the subscription is told from now on."""
        self._told.setdefault(subscription, collections.deque())

    def forget(self, subscription: str) -> None:
        """Drops what it was told, and will be told."""
        self._told.pop(subscription, None)

    def told(self, subscription: str) -> dict[str, Any] | None:
        """The oldest notification that is here and was not taken."""
        queue = self._told.get(subscription)
        return queue.popleft() if queue else None

    def next_told(self, subscription: str, deadline: float) -> dict[str, Any]:
        """The oldest notification that was not taken; waits for one."""
        while True:
            if (notification := self.told(subscription)) is not None:
                return notification
            self._take(self._line(deadline, "a stream"))

    # Lines

    def deadline(self, within: float | None) -> float:
        """When a wait that begins now is over, on the monotonic clock; `None` is as long as calls may take."""
        return time.monotonic() + (self.timeout if within is None else within)

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError as error:
            raise NotUnderstood(f"the daemon wrote no JSON: {line[:60]!r}") from error
        if not isinstance(message, dict):
            raise NotUnderstood(f"the daemon wrote no message: {line[:60]!r}")
        if "method" in message:
            self._notified(message)
        elif message.get("id") is None and "error" in message:
            raise RPCError("a call", message["error"])
        elif message.get("id") in self._open:
            self._answers[message["id"]] = message

    def _notified(self, message: dict[str, Any]) -> None:
        params = message.get("params") or {}
        queue = self._told.get(params.get("subscription", ""))
        if queue is None:
            return
        if len(queue) >= LONGEST_QUEUE:
            raise MarbledError(f"{LONGEST_QUEUE} events wait to be read")
        queue.append(message)

    def _line(self, deadline: float, what: str) -> bytes:
        while True:
            end = self._received.find(b"\n", self._scanned)
            if end >= 0:
                line = bytes(self._received[:end])
                del self._received[: end + 1]
                self._scanned = 0
                return line
            self._scanned = len(self._received)
            if self._scanned > LONGEST_LINE:
                raise NotUnderstood(f"a line is longer than {LONGEST_LINE} bytes")
            self._allow(deadline, what)
            try:
                chunk = self._socket.recv(1 << 16)
            except TimeoutError:
                raise Timeout(f"{what} did not come in time") from None
            except OSError as error:
                raise Closed(f"the connection is gone: {error}") from error
            if not chunk:
                raise Closed("the daemon closed the connection")
            self._received += chunk

    def _send(self, line: bytes, deadline: float, method: str) -> None:
        self._allow(deadline, method)
        try:
            self._socket.sendall(line)
        except TimeoutError:
            # Half a line may have gone out: nothing can follow it.
            self._socket.close()
            raise Timeout(f"the daemon did not take {method} in time") from None
        except OSError as error:
            raise Closed(f"the connection is gone: {error}") from error

    def _allow(self, deadline: float, what: str) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise Timeout(f"{what} did not come in time")
        self._socket.settimeout(left)


def _connect(paths: list[str], timeout: float) -> socket.socket:
    tried = []
    for path in paths:
        end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        end.settimeout(timeout)
        try:
            end.connect(path)
            return end
        except OSError as error:
            end.close()
            tried.append(f"{path}: {error.strerror or error}")
    raise CannotConnect("no daemon at " + "; ".join(tried))
