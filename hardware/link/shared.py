"""One link for all that hangs on the microcontroller."""

from __future__ import annotations

import threading
from collections.abc import Callable

from hardware.link.link import Link, Port


class SharedLink:
    """The one link of a box: opened for who comes first, closed after who goes last."""

    def __init__(self, open_port: Callable[[], Port]) -> None:
        """``open_port`` raises DeviceError where there is none."""
        self._open_port = open_port
        self._lock = threading.Lock()
        self._link: Link | None = None

    def take(self) -> Link:
        """The link, opened where it is not; give it back with :meth:`give_back`.  Raises DeviceError."""
        with self._lock:
            if self._link is None or self._link.is_lost:
                self._link = Link(self._open_port())
            self._link.users += 1
            return self._link

    def give_back(self, link: Link) -> None:
        """Done with ``link``, lost or not."""
        with self._lock:
            link.users -= 1
            if link.users == 0:
                link.close()
                if self._link is link:
                    self._link = None
