"""What the tests of several packages share."""

import signal

import pytest


@pytest.fixture
def default_signals():
    """Commands started by the test obey Ctrl-C and a hangup, even if the tests run under nohup or in the background."""
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGHUP)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    for name, handler in before.items():
        signal.signal(name, handler)
