# SPDX-License-Identifier: Apache-2.0
"""What an output says, as an iterator."""

from typing import Any, Self, cast

from .api import StreamEvent
from .connection import Connection
from .errors import Lost


class Stream:
    """The events of one output, or of all of them, in order.

    A state gives its newest value first. Iteration waits for the next event at most as long as
    `timeout` (then `Timeout`), ends with the instance (`reason` says why), and raises `Lost` where
    events gave way because nobody read them; it may go on behind that.
    """

    def __init__(
        self, connection: Connection, name: str, cursor: str, was_reset: bool, timeout: float | None
    ) -> None:
        self.name = name
        self.cursor = cursor
        """Where another subscription resumes: behind the last event that was taken, or where a quiet output
        stands."""
        self.was_reset = was_reset
        """Whether `since` could not be resumed, so that states were told anew."""
        self.reason: str | None = None
        """Why it ended; None while it goes on."""
        self._connection = connection
        self._timeout = timeout

    def take(self) -> list[StreamEvent]:
        """What was said up to now. In virtual time that is all that was caused."""
        if self.reason is None:
            self._connection.call("stream.flush", {})
        events = []
        while (notification := self._connection.told(self.name)) is not None:
            if (event := self._event(notification)) is not None:
                events.append(event)
        return events

    def values(self) -> list[Any]:
        """The values of `take()`."""
        return [event["value"] for event in self.take() if event["event"] == "next"]

    def close(self) -> None:
        """Ends the subscription."""
        if self.reason is None:
            self.reason = "closed"
            self._connection.call("stream.unsubscribe", {"subscription": self.name})
        self._connection.forget(self.name)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> StreamEvent:
        # Once: what is told meanwhile and is no event makes the wait no longer.
        deadline = self._connection.deadline(self._timeout)
        while self.reason is None:
            event = self._event(self._connection.next_told(self.name, deadline))
            if event is not None:
                return event
        raise StopIteration

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _event(self, notification: dict[str, Any]) -> StreamEvent | None:
        params = notification.get("params") or {}
        match notification["method"]:
            case "stream.event":
                self.cursor = params["cursor"]
                return cast(StreamEvent, params)
            case "stream.gap":
                self.cursor = params["to"]
                raise Lost(params["count"])
            case "stream.bookmark":
                self.cursor = params["cursor"]
            case "stream.closed":
                self.reason = params["reason"]
        return None
