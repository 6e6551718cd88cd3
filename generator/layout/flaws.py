"""Flaws of a face: content beyond the safe area, slots that overlap, and characters that no font has.

In a draft, each flaw is marked with a red frame and a tag with its number, such as +3, so that nothing depends on
colour alone. The list of problems has the same numbers. Each character that no font has is printed as a red box, and a
note says which cards have them and where to find a free font.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from math import floor
from pathlib import Path
from unicodedata import category
from unicodedata import name as unicode_name

from msgspec import Struct, field
from msgspec.structs import replace

from .. import paths
from ..errors import Place, Problem, note, same_problem
from ..faces.face import Element, Face, InlineIcon, Piece, Words
from ..geometry import outlines
from ..geometry.frame import Frame, Group, Icon, Image, Item, Page, Placed, Run, Slot, leaves
from ..geometry.outlines import IDENTITY, ON_TRIM, Rect, rotation
from ..model.game import Theme
from ..model.values import empty_mapping
from ..reading import typed
from ..text.fonts import Font
from ..text.lines import Fitted, LineSetting, family, first_baseline, fitted, min_height
from ..text.words import Paragraph, paragraph
from .ink import Ink, Stroke, write

BOX, RED = "⌧", "#c8102e"
# The height of capitals above the baseline and the depth of descenders below it, in type sizes.
_CAPITALS, _DESCENDERS = 0.72, 0.22
_WITH_DESCENDERS = frozenset("gjpqyçşţųęąQJ,;()[]{}|/\\@§µ")  # characters that reach below the baseline


Spans = Sequence[tuple[int, int, Element]]
"""Elements with content, and which items of the frame are theirs."""


def generic(element: Element) -> str:
    """How messages refer to the same element of several cards, whose words differ."""
    return f"text in style “{element.attributes.get('style', 'body')}”" if element.tag == "text" else element.tag


def safety_flaws(frame: Frame, face: Face, spans: Spans, key: str) -> Iterator[Flaw]:
    """A flaw for each item beyond the safe area, which `key` states in game.yaml, and for each pair of overlapping
    slots."""
    elements = {number: element for start, end, element in spans for number in range(start, end)}
    for number, item, excess in _outside(frame):
        element, most = elements.get(number), max(length for length, _ in excess)
        message = f"{frame.name}: {_describe(item)} leaves the safe area: {_sides(excess)}"
        what = generic(element) if element else "content"
        problem = Problem(
            message,
            face.place(element) if element else Place(face.template),
            _advice(frame.safe - most, key),
            f"{what} leaves the safe area by up to {{}} mm",
            detail=round(most, 3),
        )
        yield Flaw(problem, box_of(item), dashed=True)
    for first, second in _overlapping(frame):
        message = f"{frame.name}: slots “{first.id}” and “{second.id}” overlap"
        yield Flaw(Problem(message, Place(face.template)), box_of(second))


def _advice(room: float, key: str) -> str:
    """How to mend content that is `room` mm from the trim."""
    if room < 0:
        return "move it inwards: it would be cut off"
    return f"move it inwards, or write “{key}: {floor(room * 10 + 1e-6) / 10:g}” for its component in game.yaml"


def is_safe(frame: Frame) -> bool:
    """Whether nothing is beyond the safe area and no slots overlap."""
    return next(_outside(frame), None) is None and next(_overlapping(frame), None) is None


def unsafe(frame: Frame) -> Iterator[tuple[str, Rect, float]]:
    """Each text, slot and icon beyond the safe area, and each picture that ends between it and the trim: what it is,
    its box on the face, and how much further inwards it would have to be, as a negative length in mm."""
    for _, item, excess in _outside(frame):
        yield _describe(item), box_of(item), -max(length for length, _ in excess)
    safe = Rect(0.0, 0.0, frame.width, frame.height).grown(*[-frame.safe] * 4)
    for leaf, matrix in leaves(frame.items):
        if isinstance(leaf, Image):
            box = Rect(*(leaf.clip or (leaf.x, leaf.y, leaf.width, leaf.height))).around(matrix)
            near = [length for length, _ in _excess_in(frame, box, safe) if length < frame.safe - ON_TRIM]
            if near:
                yield f"picture “{leaf.file.rpartition('/')[2]}”", box, -max(near)


Excess = Sequence[tuple[float, str]]
"""How far an item is beyond the safe area (mm), and on which side."""


def _outside(frame: Frame) -> Iterator[tuple[int, Run | Slot | Icon, Excess]]:
    """Each text, slot and icon beyond the safe area, with its number, and how far. An icon that covers the whole face
    is a background."""
    trim = Rect(0.0, 0.0, frame.width, frame.height)
    safe = trim.grown(*[-frame.safe] * 4)
    for number, outer in enumerate(frame.items):
        for item, matrix in leaves([outer]) if isinstance(outer, Group) else ((outer, IDENTITY),):
            if isinstance(item, Run) and (item.outline or item.colour == RED):
                continue  # an outline, or the label of a crossed box
            if not isinstance(item, Run | Slot | Icon):
                continue
            box = box_of(item).around(matrix)
            if not (isinstance(item, Icon) and box.holds(trim)) and (excess := _excess_in(frame, box, safe)):
                yield number, item, excess


def _excess_in(frame: Frame, box: Rect, safe: Rect) -> Excess:
    """How far a box is beyond the safe area of a frame."""
    if frame.cut is None:
        excess = {
            "left": safe.x - box.x,
            "top": safe.y - box.y,
            "right": box.right - safe.right,
            "bottom": box.bottom - safe.bottom,
        }
        return [(length, side) for side, length in excess.items() if length > 5 * ON_TRIM]
    corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    beyond = frame.cut.beyond(corners, frame.width, frame.height, frame.safe)
    return [(beyond, "outline")] if beyond > 5 * ON_TRIM else []


def _sides(excess: Excess) -> str:
    return ", ".join(f"{length:.1f} mm at the {side}" for length, side in excess)


def _describe(item: Item) -> str:
    if isinstance(item, Run):
        return f"text “{item.text.strip()}”"
    return f"slot “{item.id}”" if isinstance(item, Slot) else f"icon “{getattr(item, 'name', '')}”"


def box_of(item: Run | Slot | Icon) -> Rect:
    """The box that an item covers on the face, once turned."""
    if isinstance(item, Slot):
        return item.box
    if isinstance(item, Run):
        below = _DESCENDERS * item.size if _WITH_DESCENDERS & set(item.text) else 0.0
        box = Rect(0.0, -_CAPITALS * item.size, item.width, _CAPITALS * item.size + below)
        x, y = item.x, item.y
    else:
        box = Rect(-item.width / 2, -item.height / 2, item.width, item.height)
        x, y = item.x + item.width / 2, item.y + item.height / 2
    if item.turn:
        box = box.around(rotation(item.turn, 0.0, 0.0))
    return Rect(x + box.x, y + box.y, box.width, box.height)


def lines_box(style: LineSetting, inside: Rect, size: float, count: int) -> Rect:
    """The box in which all lines of a text are, whatever its letters, if it has this size (mm) and number of lines and
    fits `inside`."""
    first = inside.y + first_baseline(count, style, size, inside.height)
    above = max(_CAPITALS, style.family.cap_height) * size
    between = (count - 1) * style.leading * size
    return Rect(inside.x, first - above, inside.width, above + between + _DESCENDERS * size)


def _overlapping(frame: Frame) -> Iterator[tuple[Slot, Slot]]:
    slots = sorted(frame.slots(), key=lambda slot: slot.x)
    candidates: list[Slot] = []
    for slot in slots:
        candidates = [other for other in candidates if other.x + other.width > slot.x + ON_TRIM]
        yield from (
            (other, slot)
            for other in candidates
            if other.y + other.height > slot.y + ON_TRIM and slot.y + slot.height > other.y + ON_TRIM
        )
        candidates.append(slot)


WHITE = "#ffffff"
_FRAME = Stroke(RED, 0.5)
_HALO = Stroke(WHITE, 0.9)  # a white line below the red one, which makes it visible on a red card
_DASHED = Stroke(RED, 0.4, (1.2, 0.8))
_CLEARANCE = 0.45  # the distance between a flaw and its frame, so that the frame hides nothing
_TAG_HEIGHT = 2.8
_MIN_FRAME = 1.5
_MAX_STACKED = 12
_NOTICE_HEIGHT = 3.6
_NOTICE_MARGIN = 4.0


def as_found(problem: Problem) -> Problem:
    return problem


class Draft(Struct):
    """The problems of a draft, in order. The same problem on several cards has one number, in the order in which
    `errors.summary` lists them. `located` gives a problem another place. If there is a list `recorded`, the flaws of
    each face are added to it, and not marked."""

    problems: list[Problem] = field(default_factory=list)
    located: Callable[[Problem], Problem] = as_found
    recorded: list[list[Flaw]] | None = None
    _numbers: dict[tuple[str, str, int], int] = field(default_factory=dict)

    def number(self, problem: Problem) -> int:
        """Adds a problem; returns its number, from 1."""
        problem = self.located(problem)
        self.problems.append(problem)
        return self._numbers.setdefault(same_problem(problem), len(self._numbers) + 1)

    def add(self, problems: Iterable[Problem]) -> None:
        """Adds problems that have no place on paper."""
        for problem in problems:
            self.number(problem)


class Flaw(Struct, frozen=True):
    """A problem and the part of a face that has it, in mm; `dashed` if the part is drawn as it will be printed."""

    problem: Problem
    box: Rect
    dashed: bool = False


def marked(frame: Frame, flaws: Iterable[Flaw], draft: Draft, theme: Theme) -> Frame:
    """The frame with its flaws marked. Marks stay within the trim; flaws in one place share a frame."""
    if draft.recorded is not None:
        draft.recorded.append([replace(flaw, problem=draft.located(flaw.problem)) for flaw in flaws])
        return frame
    numbers: dict[tuple[Rect, bool], dict[int, None]] = {}
    trim = Rect(0.0, 0.0, frame.width, frame.height)
    for flaw in flaws:
        box = _within(flaw.box.grown(*[_CLEARANCE] * 4), trim)
        numbers.setdefault((box, flaw.dashed), {})[draft.number(flaw.problem)] = None
    ink = Ink(trim, 0.0)
    for box, dashed in numbers:
        for stroke in (_HALO, _DASHED if dashed else _FRAME):
            ink.box(box, None, stroke, (0.0,) * 4, bleed=False)
    placed_tags: list[Rect] = []
    for (box, _), flaw_numbers in numbers.items():
        _tag(ink, "+" + ",".join(map(str, flaw_numbers)), box, trim, placed_tags=placed_tags, theme=theme)
    return replace(frame, items=(*frame.items, *ink.items)) if ink.items else frame


def _within(box: Rect, trim: Rect) -> Rect:
    """The part of a box inside the trim, enlarged if it is too small to see."""
    width, height = min(max(box.width, _MIN_FRAME), trim.width), min(max(box.height, _MIN_FRAME), trim.height)
    x, y = max(box.x, trim.x), max(box.y, trim.y)
    right, bottom = min(box.x + width, trim.right), min(box.y + height, trim.bottom)
    x, y = min(x, max(right - _MIN_FRAME, 0.0)), min(y, max(bottom - _MIN_FRAME, 0.0))
    return Rect(x, y, max(right - x, _MIN_FRAME), max(bottom - y, _MIN_FRAME))


def _tag(ink: Ink, text: str, box: Rect, trim: Rect, placed_tags: list[Rect], theme: Theme) -> None:
    """Draws a tag where it hides as little as possible: on top of a box, beside it, or in its top right corner."""
    style = _style(theme)
    words = _words(text, style)
    width, height = words.across * style.size + 1.2, _TAG_HEIGHT
    corners = (
        (box.right - width, box.y - height),
        (box.right, box.y),
        (box.x - width, box.y),
        (box.right - width, box.bottom),
        *((box.right - width, box.y + number * height) for number in range(_MAX_STACKED)),
    )
    tags = [Rect(x, y, width, height) for x, y in corners]
    free = (tag for tag in tags if trim.holds(tag) and not any(tag.overlaps(other, ON_TRIM) for other in placed_tags))
    tag = next(free, Rect(max(0.0, trim.right - width), 0.0, width, height))
    placed_tags.append(tag)
    ink.box(tag, RED, Stroke(WHITE, 0.3), (0.0,) * 4, bleed=False)
    write(ink, fitted(words, style, width, height), style, tag)


def crossed(ink: Ink, box: Rect, label: str, theme: Theme) -> None:
    """Draws a crossed box with a label, which shrinks until it fits."""
    stroke = Stroke(RED, 0.25)
    ink.box(box, WHITE, stroke, (0.0,) * 4, bleed=False)
    for x1, x2 in ((box.x, box.right), (box.right, box.x)):
        ink.shape(outlines.line(x1, box.y, x2, box.bottom), None, stroke)
    style = replace(_style(theme, RED, 3.0), floor=2.0)
    words, width = _words(label, style), max(box.width - 1.0, 0.1)
    fit = fitted(words, style, width, box.height)
    if fit.shortfall:
        style = replace(style, floor=0.8, wrap=True, breaks_words=True)
        fit = fitted(words, style, width, box.height)
    if fit.shortfall:
        return
    high = min_height(len(fit.lines), style, fit.size) + 0.6
    ink.box(
        Rect(box.x + 0.4, box.y + (box.height - high) / 2, box.width - 0.8, high),
        WHITE,
        Stroke(None),
        (0.0,) * 4,
        bleed=False,
    )
    write(ink, fit, style, Rect(box.x + 0.5, box.y, box.width - 1.0, box.height))


def cut_to(ink: Ink, fit: Fitted, style: LineSetting, box: Rect) -> None:
    """Writes as much of a text as fits into its box: whole lines, and the beginning of a line that is too wide."""
    count = len(fit.lines)
    while count > 1 and (
        min_height(count, style, fit.size) > box.height or (style.max_lines and count > style.max_lines)
    ):
        count -= 1
    local = Ink(ink.trim, 0.0)
    write(local, replace(fit, lines=fit.lines[:count]), replace(style, align="left", valign="top"), box)
    for item in local.items:
        _put(ink, _cut(item, box.right))


def _put(ink: Ink, item: Item | None) -> None:
    if isinstance(item, Run):
        ink.run(item)
    elif item is not None and not isinstance(item, Run):
        ink.icon(item.name, Rect(item.x, item.y, item.width, item.height), item.colour)  # type: ignore[union-attr]


def _cut(item: Item, right: float) -> Item | None:
    """The part of a run or icon left of `right`."""
    left: float = item.x  # type: ignore[union-attr]
    width: float = item.width  # type: ignore[union-attr]
    if left + width <= right + ON_TRIM:
        return item
    if not isinstance(item, Run) or width <= 0:
        return None
    text = item.text[: int(len(item.text) * max(0.0, right - left) / width)]
    return replace(item, text=text, width=right - left) if text.strip() else None


def noted(page: Page, theme: Theme, margin: float) -> Page:
    """The page with the notice DRAFT in its top margin."""
    style = _style(theme, RED, 3.2)
    words = _words("DRAFT – flaws are marked in red", style)
    width = words.across * style.size
    ink = Ink(Rect(0.0, 0.0, width, _NOTICE_HEIGHT), 0.0)
    write(ink, fitted(words, style, width, _NOTICE_HEIGHT), style, ink.trim)
    frame = Frame("notice", width, _NOTICE_HEIGHT, tuple(ink.items))
    y = max(0.0, min(_NOTICE_MARGIN, margin - _NOTICE_HEIGHT))
    return replace(page, notes=(*page.notes, Placed(frame, (page.width - width) / 2, y)))


def _style(theme: Theme, colour: str = WHITE, size: float = 2.2) -> LineSetting:
    font = next((name for name in ("bold", "regular") if name in theme.fonts), next(iter(theme.fonts)))
    return LineSetting(
        family=family(font, theme.fonts),
        size=size,
        floor=size,
        leading=1.15,
        tracking=0.0,
        colour=colour,
        align="center",
        valign="middle",
        upper=False,
        wrap=False,
        breaks_words=False,
        max_lines=None,
    )


def _words(text: str, style: LineSetting) -> Paragraph:
    """The text, with boxes for characters that the font lacks."""
    pieces = (Words(text),)
    words = paragraph(pieces, style.family, 0.0, False, icons=())
    return (
        paragraph(tuple(boxed(pieces, words.missing)), style.family, 0.0, False, icons=()) if words.missing else words
    )


class ScriptFont(Struct, frozen=True, kw_only=True):
    """A free font for a script; the packages of Debian and Homebrew that have it, and how the names of its files begin;
    a font for the script that comes with Windows, and its file."""

    script: str = ""
    font: str = ""
    debian: str = "fonts-noto-core"
    macos: str = ""
    installed: str = ""
    windows: str = ""
    file: str = ""


class ScriptsFile(Struct, frozen=True):
    """data/_shared/scripts.yaml: fonts by the first word of the Unicode names of a script."""

    scripts: dict[str, ScriptFont] = empty_mapping()


_IN_LATO = ("LATIN", "GREEK", "CYRILLIC", "COMBINING", "MODIFIER")
_SCRIPT_NAME = re.compile(r"(.+?) (?:(?:SMALL|CAPITAL) )?(?:LETTER|SIGN|SYLLABLE|VOWEL|IDEOGRAPH|HIEROGLYPH|DIGIT)\b")
_CJK = re.compile("[\u2e80-\u303f\u3040-\u312f\u3190-\u33ff\uff00-\uffef\U0001f200-\U0001f2ff]")


@cache
def _known() -> Mapping[str, ScriptFont]:
    scripts = typed.read_file(paths.SHARED_DATA / "scripts.yaml", ScriptsFile).scripts
    return {word: _complete(known, word.title()) for word, known in scripts.items()}


def _complete(known: ScriptFont, script: str) -> ScriptFont:
    """The font of a script, with what follows from its name."""
    script = known.script or script
    font = known.font or f"Noto Sans {script}"
    cask = known.macos or f"font-{font.lower().replace(' ', '-')}"
    return replace(known, script=script, font=font, macos=cask, installed=known.installed or font.replace(" ", ""))


@lru_cache(maxsize=4096)
def script_of(character: str) -> ScriptFont | None:
    """The script of a character; None for a sign, and for a letter of a script that the bundled fonts have."""
    name = unicode_name(character[0], "")
    word = re.split("[ -]", name)[0]
    if word not in _known() and _CJK.match(character):
        word = "CJK"
    if word in _known():
        return _known()[word]
    match = _SCRIPT_NAME.match(name)
    if not match or category(character[0])[0] not in "LM" or word in _IN_LATO:
        return None
    return _complete(ScriptFont(), match[1].title())


def advice(script: ScriptFont) -> str:
    """A hint that names a font for a script: one that is installed, or one to get."""
    if file := _installed(script):
        return f"{file} has them: use it with --font, or add it under “font” in theme.yaml"
    windows = f"; on Windows: {script.windows}, C:\\Windows\\Fonts\\{script.file}" if script.windows else ""
    packages = f"on Debian: {script.debian}; on macOS: brew install --cask {script.macos}{windows}"
    return f"get {script.font} ({packages}) and put it beside the table, or add it under “font” in theme.yaml"


MAX_FILES = 5_000
_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
    "C:\\Windows\\Fonts",
    "~/AppData/Local/Microsoft/Windows/Fonts",
)


def _installed(script: ScriptFont) -> Path | None:
    """A font for a script that is installed on this machine."""
    walks = (walk for folder in _FOLDERS for walk in os.walk(Path(folder).expanduser()))
    files = (Path(folder, name) for folder, _, names in walks for name in sorted(names))
    for file in islice(files, MAX_FILES):
        is_font = file.suffix.lower() in (".ttf", ".otf", ".ttc")
        if is_font and (file.stem.startswith(f"{script.installed}-Regular") or file.name == script.file):
            return file
    return None


class Lack(Struct, frozen=True):
    """A sign that no font has, or the letters of a script; `place` is where the first text with them comes from."""

    what: str
    message: str
    hint: str
    place: Place
    script: ScriptFont | None = None
    example: str = ""

    def is_in(self, text: str) -> bool:
        return self.what in text if self.script is None else self.script in map(script_of, text)


def name_of(character: str, text: str, font: Font) -> tuple[str, ScriptFont | None]:
    """The name of a character of a text that the font lacks: itself, or its script if the font has no letters of that
    in the text."""
    script = script_of(character)
    if script and not any(script_of(letter) == script and font.has(letter) for letter in {*text}):
        return script.script, script
    return character, None


def lacks_of(
    pieces: Sequence[Piece], characters: Sequence[str], font: Font, theme: Theme, place: Callable[[str], Place]
) -> list[Lack]:
    """The signs and scripts of these characters of a text; `place` finds where a character comes from."""
    text = "".join([piece.text for piece in pieces if not isinstance(piece, InlineIcon)])
    lacks: dict[str, Lack] = {}
    for character in characters:
        name, script = name_of(character, text, font)
        if name not in lacks:
            letters = f"{name} {'characters' if name.startswith('Chinese') else 'letters'}"
            message = font.lacks(letters if script else f"“{printable(name)}”")
            hint = advice(script) if script else _suggestion(name, theme)
            lacks[name] = Lack(name, message, hint, place(character), script=script, example=character)
    return list(lacks.values())


def _suggestion(character: str, theme: Theme) -> str:
    """A hint that suggests an icon named in the character’s Unicode name: `★` is BLACK STAR."""
    words = unicode_name(character[0], "").lower().split()
    icon = next((word for word in words if word in paths.picture_names(theme.icon_folders)), None)
    return f"write :{icon}:" if icon else "use a font that has it, or an icon such as :name:"


def boxed(pieces: Sequence[Piece], characters: Sequence[str]) -> Iterator[Piece]:
    """The pieces with a red box in place of these characters; one for several that follow each other."""
    longest_first = sorted(characters, key=len, reverse=True)
    pattern = re.compile(f"((?:{'|'.join(map(re.escape, longest_first))})+)", re.IGNORECASE)
    for piece in pieces:
        if isinstance(piece, InlineIcon):
            yield piece
            continue
        for number, part in enumerate(pattern.split(piece.text)):
            if number % 2:
                yield piece._replace(text=BOX, emphasis=piece.emphasis._replace(colour=RED))
            elif part:
                yield piece._replace(text=part)


def printable(character: str) -> str:
    return f"U+{ord(character):04X}" if len(character) == 1 and not character.isprintable() else character


def note_lack(lack: Lack, who: str, place: Place) -> None:
    """Notes a lack of a component, or of some of its cards."""
    note(f"{who}: {lack.message}: a red {BOX} is printed instead", place, lack.hint)
