"""Running a loaded template: once, or again and again for the cards of a deck. Errors come as they were raised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from jinja2 import Template
from jinja2.runtime import Context, new_context

from .budget import check_length

VARYING = "card"
"""What differs from one face of a kind to the next, of all that its template may speak of."""
_FEW = 200
"""So many pieces are put together before anybody looks how long they are."""


def written(template: Template, about: Mapping[str, Any]) -> str:
    """The template's text, as `Template.render`."""
    text = "".join(_parts(template.root_render_func(template.new_context(about))))  # type: ignore[arg-type]
    check_length(len(text))
    return text


def _parts(stream: Iterator[str]) -> list[str]:
    """What a template writes, piece by piece; where it is many pieces, their length is looked at as they come."""
    parts = list(islice(stream, _FEW))
    if len(parts) == _FEW:
        total = sum(map(len, parts))
        for part in stream:
            total += len(part)
            check_length(total)
            parts.append(part)
    return parts


class Repeat:
    """A template that is run for many cards. `about` is what it may speak of, of which only the card changes; what
    Jinja2 needs for a run is made once, as long as nothing but that is in it."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        self.about = {**about, VARYING: None}
        self._context: Context | None = None

    def of(self, card: Any) -> Repeat:
        """The same, about another card."""
        self.about[VARYING] = card
        return self

    def parts(self, template: Template) -> tuple[str, ...]:
        """The pieces of the text of this card."""
        context, self._context = self._context or self._new(template), None  # after an error it is not used again
        context.parent[VARYING] = self.about[VARYING]
        parts = tuple(_parts(template.root_render_func(context)))
        if not context.blocks:
            context.vars.clear()
            context.exported_vars.clear()
            self._context = context
        return parts

    def _new(self, template: Template) -> Context:
        return new_context(template.environment, template.name, template.blocks, self.about, globals=template.globals)
