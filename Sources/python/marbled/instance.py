# SPDX-License-Identifier: Apache-2.0
"""A running feature, as an object."""

import datetime
from typing import TYPE_CHECKING, Any, Literal, Self

from .api import Awaited, CloseReport, InstanceReport, Opened, Progress, RecordedEvent
from .stream import Stream

if TYPE_CHECKING:
    from .client import Marbled

Time = int | str | datetime.timedelta
"""Nanoseconds, a text such as "300ms", or a timedelta."""


def nanoseconds(time: Time) -> int | str:
    """A time as the protocol has it."""
    if isinstance(time, datetime.timedelta):
        return (time // datetime.timedelta(microseconds=1)) * 1_000
    return time


class Instance:
    """One instance of a feature. Made by `Marbled.open`; closes by `close`, or with its `with`."""

    def __init__(self, daemon: "Marbled", opened: Opened) -> None:
        self.name = opened["instance"]
        self.first: dict[str, Any] = opened["outputs"]
        """The states' values when it was opened."""
        self._daemon = daemon

    def send(
        self, input: str, value: Any = None, *, at: Time | None = None, after: Time | None = None
    ) -> int:
        """Sends a value: now, at an instant, or after a while. Gives where the clock stands."""
        sent = self._daemon.instance_send(
            self.name, input, value=value, at=None if at is None else nanoseconds(at),
            after=None if after is None else nanoseconds(after))
        return sent["now"]

    def cause(self, input: str, value: Any = None) -> list[RecordedEvent]:
        """Sends a value now, and gives all that it caused, in order."""
        return self._daemon.instance_send(self.name, input, value=value, collect=True)["events"]

    def state(self, output: str) -> Any:
        """The newest value of a state."""
        return self._daemon.instance_read(self.name, output)["value"]

    def wait(
        self, output: str, until: Literal["first", "last", "single", "all"] | int = "first",
        timeout: Time = "10s",
    ) -> Awaited:
        """Waits for values: the first one, or so many. In virtual time this drives the clock."""
        wanted = {"count": until} if isinstance(until, int) else until
        # The daemon ends the wait; should it not, the connection does, a while later.
        within = _seconds(timeout) + self._daemon.timeout
        return self._daemon.instance_await(
            self.name, output, wanted, nanoseconds(timeout), within=within)

    def stream(
        self, output: str = "*", *, since: str | None = None, timeout: float | None = None,
        overflow: Literal["gap", "close"] | None = None,
    ) -> Stream:
        """Subscribes to an output, or to all; `timeout` is for each event, in seconds."""
        answer = self._daemon.stream_subscribe(
            self.name, output, since=since, overflow=overflow)
        self._daemon.listen(answer["subscription"])
        return Stream(
            self._daemon, answer["subscription"], answer["cursor"], answer.get("reset", False),
            timeout)

    # The clock of a virtual instance

    @property
    def now(self) -> int:
        """Nanoseconds since it was opened."""
        return self._daemon.clock_now(self.name)["now"]

    def advance(self, by: Time) -> Progress:
        """Moves the clock and runs what falls due."""
        return self._daemon.clock_advance(self.name, by=nanoseconds(by))

    def advance_to(self, to: Time) -> Progress:
        """Moves the clock to an instant, itself included."""
        return self._daemon.clock_advance(self.name, to=nanoseconds(to))

    def step(self) -> Progress:
        """Runs one item."""
        return self._daemon.clock_step(self.name)

    def run(self, until: str | None = None, limit: int | None = None) -> Progress:
        """Runs until nothing waits, or until an output says something."""
        return self._daemon.clock_run(self.name, until=until, limit=limit)

    # The rest

    def record(self) -> list[RecordedEvent]:
        """Every input, effect, answer and output so far."""
        return self._daemon.instance_record(self.name)["events"]

    def inspect(self) -> InstanceReport:
        """The instance whole."""
        return self._daemon.instance_inspect(self.name)

    def close(self) -> CloseReport:
        """Closes it and tells what was left."""
        return self._daemon.instance_close(self.name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def _seconds(time: Time) -> float:
    if isinstance(time, datetime.timedelta):
        return time.total_seconds()
    if isinstance(time, int):
        return time / 1e9
    number = time.rstrip("nusmh")
    try:
        return float(number) * _UNITS[time[len(number):]]
    except (ValueError, KeyError):
        # The daemon says what is wrong with it.
        return 0.0
