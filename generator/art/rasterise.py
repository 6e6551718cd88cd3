"""Draws SVG files that need more than shapes as pictures, with resvg, in a separate process.

resvg does not read the file itself, only what `markup` has accepted: no scripts, no references to other files, no
unlimited repetition. The process has limits, because filters can take any amount of time and memory."""

from __future__ import annotations

import re
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterator
from importlib.util import find_spec
from io import BytesIO
from json import dumps
from math import ceil
from pathlib import Path

from .. import paths
from ..errors import Place, fault
from .bitmaps import opened_stream
from .svg_markup import DPI, PROPERTIES, SvgDocument, SvgElement

MAX_PIXELS = 36_000_000
_INCH = 25.4
_MAX_WEIGHT = 50_000  # the maximum number of elements that are drawn, counting an element once for each reference to it
_MEMORY = 2_000_000_000
_SECONDS, _SECONDS_PER_MEGAPIXEL = 1, 1.0
# How much longer drawing may take on a machine that is too busy for the process to use its time. The limit itself is
# processor time, so that the same drawings are refused whatever else runs.
_PATIENCE = 10
_FALLBACK = "Lato"

_REFERENCE = re.compile(r"url\(\s*[\"']?\s*#([^)\"'\s]+)\s*[\"']?\s*\)")
_EMBEDDED = re.compile(r"\s*data:(?:image/(?:png|x-png|jpe?g|gif|webp))?\s*(?:;[^,;]*)*;base64,", re.IGNORECASE)
_CHILD = """
import json, sys
job = json.load(sys.stdin)
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (job["memory"], job["memory"]))
    resource.setrlimit(resource.RLIMIT_CPU, (job["seconds"], job["seconds"]))
except (ImportError, ValueError):
    pass
sys.path.insert(0, job["path"])
import resvg_py
sys.stdout.buffer.write(resvg_py.svg_to_bytes(**job["options"]))
"""


def draw(document: SvgDocument, width: float, height: float, colour: str) -> bytes:
    """The drawing as a PNG file that fills a box of this size (mm) at print resolution; `colour` is its `currentColor`.

    Raises InputError if drawing takes too long or too much memory."""
    across = max(1, ceil(width / _INCH * DPI - 0.01))
    down = max(1, ceil(height / _INCH * DPI - 0.01))
    shrink = min(1.0, (MAX_PIXELS / (across * down)) ** 0.5)
    across, down = max(1, int(across * shrink)), max(1, int(down * shrink))
    has_text = any(element.tag == "text" for element in document.root.walk())
    options = {
        "svg_string": markup(document, across, down, colour),
        "width": across,
        "dpi": 96.0,
        "skip_system_fonts": not has_text,
        "font_files": list(map(str, sorted((paths.SHARED_DATA / "fonts").glob("Lato-*.ttf")))) if has_text else [],
        **{f"{kind}_family": _FALLBACK for kind in ("font", "serif", "sans_serif", "cursive", "fantasy", "monospace")},
    }
    return _run(document.file, options, across * down)


def _run(file: str, options: dict[str, object], pixels: int) -> bytes:
    spec = find_spec("resvg_py")
    if spec is None or not spec.origin:
        raise fault("cannot be drawn without resvg", Place(file), "install resvg-py")
    seconds = ceil(_SECONDS + _SECONDS_PER_MEGAPIXEL * pixels / 1e6)
    job = {"options": options, "path": str(Path(spec.origin).parent.parent), "memory": _MEMORY, "seconds": seconds}
    command = [sys.executable, "-I", "-S", "-c", _CHILD]
    try:
        patience = _PATIENCE * seconds
        done = subprocess.run(command, input=dumps(job).encode(), capture_output=True, timeout=patience, check=False)
    except subprocess.TimeoutExpired:
        done = None
    if done is None or done.returncode or not done.stdout.startswith(b"\x89PNG"):
        raise fault(
            "cannot be drawn: too complicated, or damaged",
            Place(file),
            "simplify it, use it smaller, or save it as PNG",
        )
    return done.stdout


def markup(document: SvgDocument, width: int, height: int, colour: str) -> str:
    """The drawing as SVG of this size in pixels."""
    root = document.root
    attributes = {name: text for name, text in _styled(root).items() if name not in ("width", "height")}
    attributes |= {"width": str(width), "height": str(height)}
    if colour:
        attributes.setdefault("color", colour)
    head = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<svg {head}{_attributes(attributes)}>{''.join(_content(root))}</svg>"


def _content(element: SvgElement) -> Iterator[str]:
    for child in element.content:
        if isinstance(child, str):
            yield _escaped(child)
        elif child.tag not in ("foreignObject", "style"):
            yield f"<{child.tag}{_attributes(_styled(child))}>{''.join(_content(child))}</{child.tag}>"


def _styled(element: SvgElement) -> dict[str, str]:
    """The attributes of an element, and as its `style` what style sheets and all others say, in notations that resvg
    understands."""
    named = {name: text for name, text in element.attributes.items() if name not in PROPERTIES and name != "style"}
    if "filter" in element.style:  # resvg reads no nested brackets in `style`, as in drop-shadow(1px 1px rgb(0 0 0))
        named["filter"] = element.style["filter"]
    style = "; ".join(f"{name}: {text}" for name, text in element.style.items() if name != "filter")
    return named | {"style": style} if style else named


def _attributes(attributes: dict[str, str]) -> str:
    named = ((f"xlink:{name}" if name == "href" else name, text) for name, text in attributes.items())
    return "".join(f' {name}="{_escaped(text)}"' for name, text in named if not name.startswith("on"))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def check(document: SvgDocument) -> None:
    """Raises InputError if a drawing refers to other files, or repeats its elements too often."""
    if _weight(document) > _MAX_WEIGHT:
        raise fault(f"more than {_MAX_WEIGHT:,} elements are drawn, counting repeated ones", Place(document.file))
    for element in document.root.walk():
        if element.attributes.get("href", "").strip() and element.tag not in ("a", "color-profile"):
            _check_reference(element, element.attributes["href"], document.file)


def _check_reference(element: SvgElement, text: str, file: str) -> None:
    """Raises InputError for a reference to anything but this file or an embedded picture."""
    if text.strip().startswith("#"):
        return
    embedded, place = _EMBEDDED.match(text), Place(file, element.line)
    if not embedded and text.startswith("data:"):
        raise fault(f"<{element.tag}> contains “{text[:18]}”", place, "embed its shapes, or a PNG or JPEG picture")
    if not embedded:
        raise fault(f"<{element.tag}> refers to another file, “{text[:40]}”", place, "embed it")
    try:
        data = b64decode(text[embedded.end() :])
    except ValueError as error:
        raise fault("an embedded picture is damaged", place) from error
    with opened_stream(BytesIO(data), place) as image:  # checks its kind and size
        kind = (image.format or "").lower()
    element.attributes["href"] = f"data:image/{kind};base64,{b64encode(data).decode()}"


def _weight(document: SvgDocument) -> int:
    """How many elements are drawn, counting those that others refer to every time."""
    weights: dict[SvgElement, int] = {}

    def weigh(element: SvgElement) -> int:
        if element not in weights:
            weights[element] = 0  # a reference to itself adds nothing
            names = [name for text in (*element.attributes.values(), *element.style.values()) for name in _names(text)]
            others = [document.ids[name] for name in dict.fromkeys(names) if name in document.ids]
            weights[element] = min(1 + sum(map(weigh, element.children)) + sum(map(weigh, others)), _MAX_WEIGHT + 1)
        return weights[element]

    return weigh(document.root)


def _names(text: str) -> list[str]:
    if text.startswith("#"):
        return [text[1:]]
    return _REFERENCE.findall(text) if "url(" in text else []
