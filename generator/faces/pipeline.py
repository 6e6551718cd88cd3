"""Template → XML → checked face."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import markup
from .check import Check
from .nouns import Face
from .templates import Templates


def build(templates: Templates, template: str, context: Mapping[str, Any], *, name: str, size: tuple[float, float],
          bleed: float = 0.0, safe: float = 0.0, folder: Path | None = None) -> Face:
    """The face that `template` (a bare name: `card` is the file `card.xml.j2`) makes of `context`.

    `name` says whose face it is in messages ("card 4"); `size` is the trim in mm, `bleed` and `safe` margins in mm;
    pictures come from `folder`. Raises InputError: for the template one problem with its file and line, for the
    markup every problem with the line of the rendered XML."""
    rendered = templates.render(template, context, name)
    source = markup.Source(name, rendered.file, rendered.text)
    check = Check(source, templates, folder)
    root = check.face(markup.parse(source))
    return Face(name, rendered.file, root, size, bleed, safe, frozenset(check.icons))
