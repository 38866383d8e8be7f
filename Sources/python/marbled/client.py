# SPDX-License-Identifier: Apache-2.0
"""The daemon, as an object."""

from typing import Any, Literal, Self

from .api import Calls
from .connection import Connection
from .instance import Instance


class Marbled(Connection, Calls):
    """A daemon, for one thread: every method by name (`daemon_ping()`), and instances as objects."""

    def open(
        self, feature: str, *, clock: Literal["real", "virtual"] | None = None,
        options: dict[str, Any] | None = None, stubs: list[Any] | None = None,
        seed: int | None = None, name: str | None = None, keep: bool = False,
    ) -> Instance:
        """Opens a feature. Unless told to `keep` it, the instance closes with this connection."""
        return Instance(
            self, self.instance_open(
                feature, clock=clock, options=options, stubs=stubs, seed=seed, name=name,
                ephemeral=not keep))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(path: str | None = None, timeout: float = 10.0) -> Marbled:
    """Connects to a daemon: at `path`, else `$MARBLED_SOCKET`, else the user's, else the system's.

    `timeout` is how many seconds each call may take, unless it says otherwise.
    """
    return Marbled(path, timeout)
