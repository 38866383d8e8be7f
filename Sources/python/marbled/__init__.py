# SPDX-License-Identifier: Apache-2.0
"""A client for marbled, the daemon that hosts reactive features.

    with marbled.connect() as m:
        game = m.open("find-number", clock="virtual")
        game.send("checkNumber", 1, at="10ms")
        game.advance("1s")
        print(game.state("round"))
"""

from .api import ErrorKind, StreamEvent
from .client import Marbled, connect
from .errors import (
    CannotConnect, Closed, Lost, MarbledError, NotUnderstood, RPCError, Timeout,
)
from .instance import Instance
from .stream import Stream

__all__ = [
    "CannotConnect", "Closed", "ErrorKind", "Instance", "Lost", "Marbled", "MarbledError",
    "NotUnderstood", "RPCError", "Stream", "StreamEvent", "Timeout", "connect",
]
