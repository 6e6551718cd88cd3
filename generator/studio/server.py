"""Starts the studio: opens the port, prints the address, and serves until Ctrl-C."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from ..errors import fault
from .app import application
from .projects import Projects
from .security import Access

LOCAL = "127.0.0.1"
ANY = "0.0.0.0"
GARBAGE = 20_000
"""How many objects are made between two searches for garbage: commands end before that matters, but this does not."""


def serve(projects: Projects, host: str, port: int, *, start: str, ready: Callable[[str, str], None]) -> None:
    """Serves the pages until Ctrl-C. `ready` is called with the address of the page `start` on this machine, and with
    the address at which other machines in the network score sheets of this game: “” if only this machine may use the
    studio. Raises InputError if the port cannot be opened; port 0 means any free one."""
    gc.set_threshold(GARBAGE)
    listener = _listening(host, port)
    port = listener.getsockname()[1]
    names = [LOCAL, "localhost"]
    network = _network_address() if host != LOCAL else ""
    names += [network] if network else []
    at = f"http://{network}:{port}" if network else ""
    access = Access(frozenset(f"{name}:{port}" for name in names), port, at)
    token = f"?token={access.token}"
    phones = f"{at}{start.replace('/design', '/score')}{token}" if network else ""
    app = application(access, projects, lambda: ready(f"http://{LOCAL}:{port}{start}{token}", phones))
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1, ws="none", lifespan="on")
    with suppress(KeyboardInterrupt):  # Ctrl-C is the usual end
        uvicorn.Server(config).run(sockets=[listener])


def _listening(host: str, port: int) -> socket.socket:
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        reason = (error.strerror or str(error)).lower()
        raise fault(
            f"port {port} of {host} cannot be opened: {reason}", hint="choose another one with --port"
        ) from None
    return listener


def _network_address() -> str:
    """The address of this machine in its network; “” if it has none. No packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that belongs to nobody (RFC 5737)
            return str(probe.getsockname()[0])
        except OSError:
            return ""
