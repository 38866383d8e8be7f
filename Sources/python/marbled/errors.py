# SPDX-License-Identifier: Apache-2.0
"""What can go wrong."""

from typing import Any


class MarbledError(Exception):
    """Everything that this package raises."""


class CannotConnect(MarbledError, ConnectionError):
    """No daemon could be reached."""


class Closed(MarbledError, ConnectionError):
    """The daemon ended the connection."""


class NotUnderstood(MarbledError):
    """What came is not what the protocol says."""


class Timeout(MarbledError, TimeoutError):
    """Nothing came in the time allowed. The connection goes on; a late answer is dropped."""


class RPCError(MarbledError):
    """The daemon answered an error.

    `kind` is a stable word (`ErrorKind`); `data` is everything that came with it.
    """

    def __init__(self, method: str, error: dict[str, Any]) -> None:
        self.method = method
        self.code: int = error.get("code", 0)
        self.message: str = error.get("message", "")
        self.data: dict[str, Any] = error.get("data") or {}
        self.kind: str = self.data.get("kind", "")
        self.pointer: str | None = self.data.get("pointer")
        self.expected: str | None = self.data.get("expected")
        self.suggestion: str | None = self.data.get("suggestion")
        text = f"{method}: {self.message}"
        if detail := self.data.get("detail"):
            text += f": {detail}"
        if self.expected:
            text += f"; expected {self.expected}"
        if self.suggestion:
            text += f'; did you mean "{self.suggestion}"?'
        super().__init__(text)


class Lost(MarbledError):
    """A stream was read too slowly, and `count` events gave way. The stream goes on behind them."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(f"{count} events were lost: this reader was too slow")
