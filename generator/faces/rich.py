"""Rich text of cards: `**bold**`, `*italic*`, `:icon-name:` and line breaks → markup. Marks that do not pair stay."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_TOKEN = re.compile(r"[\\*:\r\n](?:(?<=\\)([\\*:])|(?<=\*)(\**)|(?<=:)([A-Za-z][A-Za-z0-9_-]*):|(?<=\r)\n?|(?<=\n))")
"""Begins with the letters a token may begin with: they are looked for much faster than one token after the other."""
_MARKS = "*:\\\n\r"
_TAGS = {1: "i", 2: "b"}


class _Writer:
    """The markup so far; `open` holds the index in `parts` and the width (1 or 2) of every mark not yet closed."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.open: list[tuple[int, int]] = []

    def marks(self, width: int, opens: bool, closes: bool) -> None:
        """A run of `width` stars: closes what it can, opens what is left."""
        while width and closes and (found := self._closable(width)) is not None:
            width -= self._close(found)
        if opens and 0 < width <= 3:
            for part in (2, 1):
                if width >= part and part not in (open_width for _, open_width in self.open):
                    self.open.append((len(self.parts), part))
                    self.parts.append("*" * part)
                    width -= part
        self.parts.append("*" * width)

    def _closable(self, width: int) -> int | None:
        """Where in `open` the mark stands that a run of `width` stars closes: one as wide, else the innermost that is
        narrower."""
        widths = [part for _, part in self.open]
        if width in widths:
            return widths.index(width)
        return next((at for at in reversed(range(len(widths))) if widths[at] < width), None)

    def _close(self, at: int) -> int:
        """Closes that mark; those opened after it have no partner and stay stars."""
        start, width = self.open[at]
        del self.open[at:]
        self.parts[start] = f"<{_TAGS[width]}>"
        self.parts.append(f"</{_TAGS[width]}>")
        return width


def rich(value: object) -> Markup:
    """A text with marks → safe markup. Nothing (None) is an empty text; markup is left as it is."""
    if isinstance(value, Markup):
        return value
    text = "" if value is None else str(value)
    if not any([mark in text for mark in _MARKS]):
        return escape(text)
    writer, done = _Writer(), 0
    for match in _TOKEN.finditer(text):
        writer.parts.append(escape(text[done:match.start()]))
        _token(writer, match, text)
        done = match.end()
    writer.parts.append(escape(text[done:]))
    return Markup("".join(writer.parts))


def _token(writer: _Writer, match: re.Match[str], text: str) -> None:
    escaped, stars, icon = match.groups()
    if escaped:
        writer.parts.append(escaped)
    elif stars is not None:
        before, after = text[match.start() - 1:match.start()], text[match.end():match.end() + 1]
        writer.marks(1 + len(stars), opens=bool(after.strip()), closes=bool(before.strip()))
    else:
        writer.parts.append(f'<icon name="{icon}"/>' if icon else "<br/>")
