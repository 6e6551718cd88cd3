"""What the commands that take photos of sheets share: reading them, and asking about what is doubtful, with pictures
in the terminal: by the protocol of the terminal if it has one, otherwise with half blocks.

Protocols: https://sw.kovidgoyal.net/kitty/graphics-protocol/, https://iterm2.com/documentation-images.html, and sixels
(DEC STD 070, chapter 9). Which of them a terminal understands is known from the variables that it sets.
"""

from __future__ import annotations

import os
import sys
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from .. import paths
from ..errors import InputError, Problem, fault, refuse
from ..judging.judge import TYPED
from .console import columns, echo, style
from .options import as_object

if TYPE_CHECKING:
    from PIL.Image import Image

    from ..league import League
    from ..photo.photo_sheet import PhotoSheet
    from ..photo.questions import PhotoQuestion

_WIDTH = 32  # the most columns for the picture of a field
_MOST_NAMES = 5  # the most players who are offered for a name
_MOST_PICTURES = 5  # the most fields that are shown for one question
_CHUNK = 4096  # the most letters in one message of kitty's protocol
_GREYS = 16  # the shades in a picture in sixels
_DARK = 110


class PhotoOptions(Struct, frozen=True, kw_only=True):
    """The options for photos."""

    answer: tuple[str, ...]
    questions: bool
    code: str | None = None

    @property
    def answers(self) -> dict[str, str]:
        """The marks that were given, by the ids of their fields. Raises InputError for anything else."""
        pairs = [given.partition("=") for given in self.answer]
        if wrong := [given for given, (name, sign, _) in zip(self.answer, pairs, strict=True) if not (name and sign)]:
            raise InputError(
                Problem(f"--answer {given} is not an answer", hint="write FIELD=MARK, or FIELD= for a blank field")
                for given in wrong
            )
        return {name.strip(): mark.strip() for name, _, mark in pairs}

    def refuse(self) -> None:
        """Raises InputError for options that only work with a photo."""
        typed = {"--answer": self.answer, "--no-questions": not self.questions, "--set": self.code}
        refuse(Problem(f"{name} only works with a photo") for name, value in typed.items() if value)


photo_options = as_object(
    "photos",
    PhotoOptions,
    click.option(
        "--answer",
        multiple=True,
        metavar="FIELD=MARK",
        help="With a photo: what is in a field, as “pencilbox read” names it; repeat it for more.",
    ),
    click.option(
        "--questions/--no-questions",
        default=True,
        help="With a photo: ask about doubtful marks, at a terminal.  [default: ask]",
    ),
    click.option(
        "--set",
        "code",
        metavar="CODE",
        help="With a photo: the set code of a sheet on which the cards in play are printed.",
    ),
)


def pictures_among(files: Sequence[str]) -> list[str]:
    """The files that are pictures, by their first bytes. Files that cannot be opened are none."""
    return [file for file in files if file != "-" and _is_picture(Path(file))]


def _is_picture(file: Path) -> bool:
    if (file.suffix and file.suffix.lower() in TYPED) or not paths.is_file(file):
        return False
    from ..art.bitmaps import is_picture  # loads logging, which typed sheets do without

    with suppress(OSError), file.open("rb") as stream:
        return is_picture(stream.read(16))
    return False


def read_sheets(
    files: Sequence[str],
    options: PhotoOptions,
    *,
    game: str | None,
    trust_code: bool = False,
    workers: int = 1,
    at_once: bool = False,
) -> Iterator[PhotoSheet | InputError]:
    """The sheets on photos, with all answers taken and questions asked, and an InputError for each page that cannot be
    read. With `at_once`, those on several photos come again at the end. Raises InputError if the extra for photos is
    missing, and for answers that fit no sheet."""
    answers = options.answers
    try:
        from ..photo.reader import PhotoJob, read_photos  # an extra
    except ModuleNotFoundError as error:
        raise fault(f"photos need {error.name}", hint="install it with: pip install 'pencilbox[photo]'") from None
    jobs = (PhotoJob(file, tuple([game] if game else []), options.code or "") for file in files)
    found: Iterable[PhotoSheet | InputError] = read_photos(jobs, workers, trust_code=trust_code, at_once=at_once)
    if answers:
        found = list(found)
        if (count := sum(not isinstance(each, InputError) for each in found)) != 1:
            raise fault(f"--answer is for one sheet, but the photos show {count}", hint="read one sheet at a time")
    for sheet in found:
        if not isinstance(sheet, InputError):
            if answers:
                sheet.answer(answers)
            if options.questions and sys.stdin.isatty() and sys.stderr.isatty():
                ask(sheet)
        yield sheet


def open_league(file: Path | None = None) -> League:
    """The league in a file, or else the user's own."""
    from ..league import League, league_file  # loads SQLite

    return League(league_file(file))


# ---- questions at a terminal


def ask(sheet: PhotoSheet) -> None:
    """Asks about everything that is doubtful, until it is settled or the person stops with Ctrl-D."""
    skipped, players = set[str](), list[str]()
    with suppress(InputError):  # names can be typed as well
        players = open_league().players()
    while question := next((each for each in sheet.questions if each.fields[0] not in skipped), None):
        try:
            answers = _answer(sheet, question, players)
        except click.Abort:
            echo("\nStopped; what was not answered stays doubtful.", err=True)
            return
        try:
            sheet.answer(answers)
        except InputError as error:
            echo(f"{style('error', 'error')}: {error.problems[0].message}; {error.problems[0].hint}", err=True)
            continue
        skipped.update(set(question.fields[:1]) - answers.keys())


def _answer(sheet: PhotoSheet, question: PhotoQuestion, players: Sequence[str]) -> dict[str, str]:
    shown = question.fields[:_MOST_PICTURES]
    picture = terminal_picture(_side_by_side([*map(sheet.crop, shown)]), min(columns() - 2, _WIDTH * len(shown)))
    sys.stderr.write(f"\n{picture}\n")
    names = dict(enumerate(sheet.names_for(question.fields[0], players)[:_MOST_NAMES], 1))
    echo(_wording(question, names), err=True)
    typed = _typed(one_key=all(len(mark) <= 1 for mark in question.marks) and bool(question.marks))
    if not question.marks:
        typed = names.get(int(typed), typed) if typed.isdecimal() else typed
        return {question.fields[0]: typed} if typed else {}
    return {} if typed == "?" else dict.fromkeys(question.fields, "" if typed == "." else typed or question.marks[0])


def _side_by_side(pictures: Sequence[Image]) -> Image:
    from PIL.Image import new  # takes a while to load

    whole = new("RGB", (sum(each.width for each in pictures), max(each.height for each in pictures)))
    for number, each in enumerate(pictures):
        whole.paste(each, (sum(before.width for before in pictures[:number]), 0))
    return whole


def _typed(*, one_key: bool) -> str:
    """What a person types: one key where a mark is one character, otherwise a line."""
    if not one_key:
        return str(click.prompt("", default="", show_default=False, prompt_suffix="> ", err=True)).strip()
    try:
        key = click.getchar()
    except (EOFError, KeyboardInterrupt):
        raise click.Abort from None
    if key in "\x03\x04":
        raise click.Abort
    return key.strip()


def _wording(question: PhotoQuestion, names: Mapping[int, str]) -> str:
    count, first = len(question.fields), question.fields[0]
    if not question.marks:
        choices = "".join(f" {number} for {name}," for number, name in names.items())
        return f"{first}: type what is written,{choices} or press Enter to leave it unread."
    best, *others = [mark or "blank" for mark in question.marks]
    what = f"{first}: is this" if count == 1 else f"{count} fields look alike: is each of them"
    perhaps = f" (Or {', '.join(others)}?)" if others else ""
    return f"{what} {best}?{perhaps} Enter: yes; or type what it is, “.” if it is blank, “?” if you cannot tell."


def terminal_picture(picture: Image, columns: int) -> str:
    """What shows a picture when it is printed; with half blocks, it is at most `columns` wide."""
    term, program = os.environ.get("TERM", ""), os.environ.get("TERM_PROGRAM", "")
    passed_on = not (os.environ.get("TMUX") or term.startswith(("screen", "tmux")))
    if passed_on and ("kitty" in term or "ghostty" in term or os.environ.get("KITTY_WINDOW_ID")):
        return _kitty(picture) + "\n"
    if passed_on and (program in ("iTerm.app", "WezTerm", "vscode") or os.environ.get("LC_TERMINAL") == "iTerm2"):
        return _iterm(picture) + "\n"
    if passed_on and (term.startswith(("foot", "mlterm", "yaft", "contour")) or "sixel" in term):
        return _sixels(picture) + "\n"
    return "\n".join(_half_blocks(picture, columns, coloured=not os.environ.get("NO_COLOR")))


def png(picture: Image) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def _kitty(picture: Image) -> str:
    data = b64encode(png(picture)).decode()
    chunks = [data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK)]
    heads = ["a=T,f=100,", *[""] * (len(chunks) - 1)]
    more = [1] * (len(chunks) - 1) + [0]
    return "".join(
        f"\x1b_G{head}m={further};{chunk}\x1b\\" for head, further, chunk in zip(heads, more, chunks, strict=True)
    )


def _iterm(picture: Image) -> str:
    data = png(picture)
    return f"\x1b]1337;File=inline=1;size={len(data)};width={picture.width}px:{b64encode(data).decode()}\x07"


def _sixels(picture: Image) -> str:
    """Bands of six rows; in each, the pixels of one shade after another."""
    grey = picture.convert("L").point(lambda value: value * _GREYS // 256)
    rows = [list(grey.crop((0, y, grey.width, y + 1)).tobytes()) for y in range(grey.height)]
    palette = "".join(f"#{shade};2" + f";{shade * 100 // (_GREYS - 1)}" * 3 for shade in range(_GREYS))
    bands = (rows[top : top + 6] for top in range(0, len(rows), 6))
    return f"\x1bPq{palette}{'-'.join(map(_band, bands))}\x1b\\"


def _band(rows: list[list[int]]) -> str:
    shades = sorted({shade for row in rows for shade in row})
    return "$".join(f"#{shade}{_sixel_row(rows, shade)}" for shade in shades)


def _sixel_row(rows: list[list[int]], shade: int) -> str:
    codes = (
        chr(63 + sum(1 << number for number, value in enumerate(column) if value == shade))
        for column in zip(*rows, strict=True)
    )
    runs = ((code, len(list(run))) for code, run in groupby(codes))
    return "".join(f"!{count}{code}" if count > 3 else code * count for code, count in runs)


def _half_blocks(picture: Image, columns: int, *, coloured: bool) -> Iterator[str]:
    """Two pixels above each other in each letter: in colour, or black on white."""
    width = max(1, min(columns, picture.width))
    height = max(2, round(picture.height * width / picture.width / 2) * 2)
    pixels = picture.convert("RGB").resize((width, height)).tobytes()
    colours = [pixels[at : at + 3] for at in range(0, len(pixels), 3)]
    rows = [colours[start : start + width] for start in range(0, len(colours), width)]
    for upper_row, lower_row in zip(rows[::2], rows[1::2], strict=True):
        pairs = list(zip(upper_row, lower_row, strict=True))
        if coloured:
            cells = (
                f"\x1b[38;2;{';'.join(map(str, upper))};48;2;{';'.join(map(str, lower))}m▀" for upper, lower in pairs
            )
            yield "".join(cells) + "\x1b[0m"
        else:
            yield "".join(" ▀▄█"[_is_dark(upper) + 2 * _is_dark(lower)] for upper, lower in pairs)


def _is_dark(colour: bytes) -> bool:
    return sum(colour) < 3 * _DARK
