"""Presses with other settings."""

from copy import copy

from msgspec.structs import replace


def with_settings(press, **changes):
    """A press with changed settings, which shares everything that the other has drawn."""
    other = copy(press)
    other.settings = replace(press.settings, **changes)
    return other
