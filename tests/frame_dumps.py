"""Frames as text, for comparison."""

from msgspec import NODEFAULT, Struct
from msgspec.structs import replace

from generator.geometry.frame import Group


def dump(frame):
    """The frame as text: one item on each line, lengths to a hundredth of a millimetre. The items of a group follow it,
    indented."""
    head = f"frame {frame.name} {frame.width:g} x {frame.height:g} bleed {frame.bleed:g} safe {frame.safe:g}"
    return "\n".join([head, *_lines(frame.items, "")]) + "\n"


def _lines(items, indent):
    for item in items:
        inner = item.items if isinstance(item, Group) else ()
        yield indent + _fields(replace(item, items=()) if isinstance(item, Group) else item)
        yield from _lines(inner, indent + "  ")


_DEFAULTS = (None, "", (), 0.0, False)


def _fields(value):
    parts = [type(value).__name__.lower()]
    names, defaults = value.__struct_fields__, value.__struct_defaults__
    usual = dict(zip(reversed(names), reversed(defaults), strict=False))
    for name in names:
        content = getattr(value, name)
        if content not in _DEFAULTS and content != usual.get(name, NODEFAULT):
            parts.append(f"{name}={_value(content)}")
    return " ".join(parts)


def _value(value):
    if isinstance(value, float):
        return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, tuple):
        return "(" + " ".join(map(_value, value)) + ")"
    if isinstance(value, Struct):
        return f"({_fields(value)})"
    return repr(value) if isinstance(value, str) and " " in value else str(value)
