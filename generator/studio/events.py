"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): tell open pages what has
changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

KEEP_ALIVE = 15.0
"""Seconds after which a comment is sent, so that nothing between server and browser closes the connection."""


def event(kind: str, data: object) -> bytes:
    """An event whose data are JSON."""
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), msgspec.json.encode(data))


class _Listener:
    """An open page: the last event of each kind that it has not received yet."""

    def __init__(self) -> None:
        self.pending: dict[str, bytes] = {}
        self.ready = asyncio.Event()


class Channel:
    """Sends events to the pages that listen. A slow page only gets the last event of each kind, so that nothing piles
    up for it."""

    def __init__(self) -> None:
        self._listeners: set[_Listener] = set()

    def send(self, kind: str, data: object) -> None:
        """Sends an event to every page; `data` becomes JSON. Call it in the event loop."""
        for listener in self._listeners:
            listener.pending[kind] = event(kind, data)
            listener.ready.set()

    async def listen(self) -> AsyncIterator[bytes]:
        """The events for one page, until it is closed."""
        listener = _Listener()
        self._listeners.add(listener)
        try:
            yield b"retry: 1000\n\n"
            while True:
                try:
                    await asyncio.wait_for(listener.ready.wait(), KEEP_ALIVE)
                except TimeoutError:
                    yield b": keep alive\n\n"
                    continue
                listener.ready.clear()
                events, listener.pending = listener.pending, {}
                for pending in events.values():
                    yield pending
        finally:
            self._listeners.discard(listener)
