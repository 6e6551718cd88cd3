"""Judges filled-in sheets: opens their files, reads, checks and scores them, and gives an answer for each."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from .. import games, nodes, paths
from ..draws import draw_kinds, parse
from ..errors import InputError, Place, Problem, did_you_mean, fault
from ..games.base import STATED_ONLY, GameRules, rules_of
from ..model.game import Game, ScoreSheet
from ..nodes import Scalar
from ..reading.load import load, shipped
from ..rules.drawing import drawings
from ..rules.results import (
    Answer,
    Copied,
    Finding,
    Judged,
    RuleBook,
    Unreadable,
    Verdict,
    Violation,
    by_order,
    with_parts,
    without_parts,
)
from ..rules.stated import stated_rules
from ..sheets import NEW_SHEET, Asking, Document, FilledSheet, Reading, SheetReader, heading
from ..sheets import documents as read_documents
from ..spelling import bare

if TYPE_CHECKING:
    from ..sheets.pdf_forms import FilledForm


# The maximum number of keys at the top of a document that is tried in several ways.
_MAX_KEYS = 1000


class SheetView(NamedTuple):
    """A sheet that was read, the judge of its game, the rules that apply, and the sheet as these rules see it
    (`view`)."""

    judge: GameJudge
    filled: FilledSheet
    rules: GameRules[Any]
    view: Any

    @property
    def is_joint(self) -> bool:
        """Whether the sheet is one player's, and judged together with those of the others."""
        return self.rules.is_joint(self.view)


def exit_code(answer: Answer, strict: bool) -> int:
    """0 for a sheet without violations, 1 for one with some (`strict`: or with warnings), 2 for an unreadable one."""
    if isinstance(answer, Unreadable):
        return 2
    return int(bool(answer.verdict.findings) if strict else not answer.verdict.valid)


class GameJudge(Struct, frozen=True):
    """A game and the rules for its sheets: those of its `GameRules` and those stated in YAML.
    `not_run` is the rules.py of a user's own game that was not run because it is not trusted."""

    game: Game
    rules: GameRules[Any] = STATED_ONLY
    not_run: Path | None = None
    _readers: dict[str, SheetReader] = field(default_factory=dict)

    def books(self) -> Iterator[tuple[RuleBook, tuple[str, ...]]]:
        """Every rule book with the sheets it covers; none if it covers all."""
        rules = self.rules
        if not rules.sheets:
            yield rules.rules, ()
        for name, sheet in self.game.sheets.items():
            if name in rules.sheets:
                yield rules.rules, (name,)
                if rules.joint_rules:
                    yield rules.joint_rules, (name,)
            yield stated_rules(sheet).rules, (name,)

    def viewed(self, filled: FilledSheet) -> SheetView:
        """The sheet together with its rules and their view of it."""
        rules = self.rules if self.rules.covers(filled.sheet) else STATED_ONLY
        return SheetView(self, filled, rules, rules.read(filled))

    def read(self, document: Document, names: Mapping[str, Scalar], options: Mapping[str, str]) -> SheetView:
        """A document, with its heading, as a sheet of this game; raises InputError."""
        selects = self.rules.reading.selects
        also = heading(document, (selects,)) if selects else {}
        reader = self._reader(names.get("sheet") or also.get(selects), document.place)
        try:
            return self.viewed(reader.read(document, options))
        except InputError as error:
            is_named = names.get("sheet") or also.get(selects)
            has_unknown_keys = any("unknown key" in problem.message for problem in error.problems)
            if is_named or not has_unknown_keys or len(document.data) > _MAX_KEYS:
                raise
            attempts = self._as_other_sheets(reader, document, options)
            if len(attempts) == 1:
                return attempts[0]
            raise

    def _as_other_sheets(self, reader: SheetReader, document: Document, options: Mapping[str, str]) -> list[SheetView]:
        """A document that does not name its sheet, as every other sheet of the game that it can be."""
        views = []
        for sheet in self.game.sheets.values():
            if sheet is not reader.sheet and (self.rules.covers(sheet) or sheet.definition.score):
                with suppress(InputError):
                    other = self._reader(Scalar(sheet.name, document.place), document.place)
                    views.append(self.viewed(other.read(document, options)))
        return views

    def _reader(self, typed_name: Scalar | None, place: Place) -> SheetReader:
        """The reader for the sheet with this name; it is created once."""
        game = self.game
        typed = typed_name.text if typed_name else game.judged or ""
        titles = {
            name: (name, sheet.definition.title, game.components[name].definition.title)
            for name, sheet in game.sheets.items()
        }
        name = next((name for name, names in titles.items() if bare(typed) in map(bare, names)), typed)
        if name not in game.sheets:
            message = f"{game.key} has no score sheet “{name}”" if typed_name else f"{game.key} has no score sheet"
            raise fault(message, typed_name.place if typed_name else place, did_you_mean(name, game.sheets))
        sheet = game.sheets[name]
        if not self.rules.covers(sheet) and not sheet.definition.score and comes_with_pencilbox(self.game):
            message = f"Pencilbox has no rules for this sheet of {self.game.title} yet, so it cannot be scored"
            raise fault(message, place, "it can be printed and filled in")
        if sheet.name not in self._readers:
            self._readers[sheet.name] = sheet_reader(self.game, sheet, self.rules)
        return self._readers[sheet.name]


def reading_of(rules: GameRules[Any], sheet: ScoreSheet) -> Reading:
    """How the game customises the reading of this sheet."""
    return rules.reading_of(sheet) if rules.covers(sheet) else Reading(cards=rules.reading.cards)


def asking_of(rules: GameRules[Any], sheet: ScoreSheet) -> Asking:
    """The order and wording of the questions: those of the rules, or else those in the sheet's YAML."""
    asking = rules.asking() if rules.covers(sheet) else Asking()
    return sheet.definition.questions if asking == Asking() else asking


def sheet_reader(game: Game, sheet: ScoreSheet, rules: GameRules[Any]) -> SheetReader:
    """The reader of the sheets of one kind."""
    return SheetReader(game, sheet, reading_of(rules, sheet), asking_of(rules, sheet), rules.worst_on_line)


def game_judge(game: Game, trust_code: bool = False) -> GameJudge:
    """The judge of a game. The `rules.py` of a user's own game is run only with `trust_code`. Raises InputError."""
    if comes_with_pencilbox(game):
        return GameJudge(game, rules_of(game.key) or STATED_ONLY)
    code = game.folder / "rules.py"
    if not code.is_file():
        return GameJudge(game)
    if not trust_code:
        return GameJudge(game, not_run=code)
    from ..games.own_rules import own_rules  # rarely needed

    game = replace(game, trusted_code=code)
    return GameJudge(game, own_rules(game))


def comes_with_pencilbox(game: Game) -> bool:
    """Whether the game came with Pencilbox. Any other game has only the rules in its YAML."""
    return game.folder.resolve() == paths.DATA / game.key


class Judge(Struct):
    """Judges any number of sheets and reads each game once. `named` is the game given on the command line.
    The flags request the `score`, `hints` at better moves, the parts that `explain` each line of the score, a drawing
    below each finding (`draw`), and the data for scored `copies`. `options` holds other options from the command line
    (`words`: a word list), `games` the judges of the games read so far, by key or folder. `given` has the documents
    of files that were read before, such as photos."""

    SETTINGS: ClassVar = ("named", "trust_code", "score", "hints", "explain", "draw", "options")

    named: str | None = None
    trust_code: bool = False
    score: bool = True
    hints: bool = False
    explain: bool = False
    draw: bool = False
    copies: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    games: dict[str, GameJudge] = field(default_factory=dict)
    given: dict[str, Document | InputError] = field(default_factory=dict)

    @property
    def not_run(self) -> dict[Path, Path]:
        """The code that was not run because it is not trusted, with the folders of its games."""
        return {game.not_run: game.game.folder for game in self.games.values() if game.not_run}

    def answers(self, files: Iterable[str]) -> Iterator[Answer]:
        """The answer for every document of every file, in order; `-` is standard input.

        Several files with one sheet each are the players of one game, where its sheets are one player's: they get one
        answer, after all other answers."""
        named = list(files)
        players: dict[tuple[str, str], list[SheetView]] = {}
        for file in named:
            for answer in self.sheets_of(file, several=len(named) > 1):
                if isinstance(answer, SheetView):
                    players.setdefault((answer.judge.game.key, answer.filled.sheet.name), []).append(answer)
                else:
                    yield answer
        yield from (self.answer_of(*sheets) for sheets in players.values())

    def sheets_of(self, file: str, *, several: bool) -> Iterator[Answer | SheetView]:
        """The answer for every document of a file. The only sheet of one of `several` files may be a player's, which is
        yielded unanswered, to be judged together with those of the others."""
        parsed = iter([self.given[file]]) if file in self.given else documents(file, self.named)
        first = list(islice(parsed, 2))
        if several and len(first) == 1:
            sheet = self.read(first[0], file)
            yield self.answer_of(sheet) if isinstance(sheet, SheetView) and not sheet.is_joint else sheet
        else:
            yield from (self.answer(document, file) for document in chain(first, parsed))

    def answer(self, document: Document | InputError, file: str) -> Answer:
        """The answer for one document of a file; never raises InputError."""
        sheet = self.read(document, file)
        return self.answer_of(sheet) if isinstance(sheet, SheetView) else sheet

    def answer_of(self, *sheets: SheetView) -> Answer:
        """The answer for one sheet, or for the sheets of all players of a game."""
        try:
            return self._judged(_together(sheets))
        except InputError as error:
            return Unreadable(tuple(map(_printable, error.problems)))

    def _judged(self, sheets: Sequence[SheetView]) -> Judged:
        judge, filled, rules, view = sheets[0]
        result = None
        if self.score:
            result = rules.score(view) if len(sheets) == 1 else rules.joint_score([sheet.view for sheet in sheets])
            result = result if self.explain else without_parts(result)
        hints = tuple(chain.from_iterable(map(_hints, sheets))) if self.hints else None
        others = () if len(sheets) == 1 else tuple([sheet.filled.place for sheet in sheets[1:]])
        answer = Judged(
            judge.game.key, judge.game.title, filled.place, verdict(sheets), result=result, others=others, hints=hints
        )
        return self._with_more(answer, sheets) if self.explain or self.draw or self.copies else answer

    def _with_more(self, answer: Judged, sheets: Sequence[SheetView]) -> Judged:
        """The answer with everything that was requested: explanations, drawings, data for scored copies."""
        if answer.result and self.explain:
            explanations = [sheet.rules.explain(sheet.view) for sheet in sheets]
            if None not in explanations:
                parts = chain.from_iterable(filter(None, explanations))
                answer = answer._replace(result=with_parts(answer.result, parts))
        if self.draw:
            filled, signs = [sheet.filled for sheet in sheets], sheets[0].judge.rules.signs
            answer = answer._replace(
                drawings=tuple(tuple(drawings(finding, filled, signs)) for finding in answer.verdict.findings)
            )
        if self.copies:
            answer = answer._replace(
                copied=tuple(
                    Copied(sheet.filled, sheet.rules.sums(sheet.view), sheet.rules.strokes(sheet.view))
                    for sheet in sheets
                )
            )
        return answer

    def read(self, document: Document | InputError, file: str) -> SheetView | Unreadable:
        """A document as a sheet that can be judged, or the reasons why it cannot be read."""
        try:
            if isinstance(document, InputError):
                raise document
            names = _with_sheet(heading(document))
            judge = self._judge_of(names.get("game"), document.place, file)
            return judge.read(document, names, self.options)
        except InputError as error:
            return Unreadable(tuple(map(_printable, error.problems)))

    def _judge_of(self, game_name: Scalar | None, place: Place, file: str) -> GameJudge:
        """The judge of the game that a sheet names."""
        key = self.named or (game_name.text if game_name else "")
        if not key:
            raise fault("the sheet does not name its game", place, "add a line such as “game: upwards”, or use --game")
        if self.named is None and key not in games.SHIPPED and key not in shipped():
            key = _shipped_key(key) or _folder_key(_own_folder(key, file, game_name.place if game_name else place))
        if key not in self.games:
            # Anybody may have written the sheet: only a folder that the user named is trusted.
            self.games[key] = game_judge(load(key), self.trust_code and self.named is not None)
        judge = self.games[key]
        if self.named and game_name and not _is_name_of(game_name.text, file, judge.game):
            raise fault(f"this is a sheet of “{game_name.text}”, not of {judge.game.key}", game_name.place)
        return judge


# ---- verdicts -------------------------------------------------------------------------------------------------------


def verdict(sheets: Sequence[SheetView]) -> Verdict:
    """Every finding on each sheet and between the sheets of one game, in the order of their lines."""
    together = len(sheets) > 1
    joint = sheets[0].rules.joint_violations([sheet.view for sheet in sheets]) if together else [()]
    return Verdict(tuple(chain.from_iterable(map(check, sheets, joint))))


def _together(sheets: Sequence[SheetView]) -> Sequence[SheetView]:
    """The sheets, each with a view that knows the others of its game."""
    if len(sheets) == 1:
        return sheets
    views = sheets[0].rules.together([sheet.view for sheet in sheets])
    return [sheet._replace(view=view) for sheet, view in zip(sheets, views, strict=True)]


def check(sheet: SheetView, joint: Iterable[Violation] = ()) -> list[Finding]:
    """Every finding on a sheet, in the order of its lines: rules in its YAML first, then those of the game, then the
    `joint` ones."""
    _, filled, rules, view = sheet
    books = stated_rules(filled.sheet).violations(filled), rules.violations(view), joint
    findings = [_finding(violation, filled) for violations in books for violation in by_order(violations)]
    return sorted(findings, key=lambda finding: finding.place.line)


def _finding(violation: Violation, filled: FilledSheet) -> Finding:
    rule, where, message, player = violation
    first = where[0] if where else ""
    return Finding(
        rule.id, rule.severity, message, where, player=player or filled.player_of(first), place=filled.place_of(first)
    )


def _hints(sheet: SheetView) -> Iterator[Finding]:
    filled = sheet.filled
    for where, message in sheet.rules.hints(sheet.view):
        yield Finding("", "hint", message, where, player=filled.player_of(where[0]), place=filled.place_of(where[0]))


# ---- names ----------------------------------------------------------------------------------------------------------


def _own_folder(name: str, file: str, place: Place) -> Path:
    """The folder of the user's own game that a sheet names. It must be inside the sheet's folder."""
    base = Path() if file == "-" else Path(file).parent
    folder = paths.within(base, name) if "\0" not in name else None
    if folder is None:
        raise fault(f"the game “{name}” is outside the sheet’s folder", place, "name it with --game FOLDER")
    if not paths.is_dir(folder):
        raise fault(f"there is no game “{name}”", place, did_you_mean(name, shipped()))
    return base / name


def _folder_key(folder: Path) -> str:
    """The folder as a name that `load` cannot mistake for the key of a shipped game."""
    return str(folder) if folder.is_absolute() else f"./{folder}"


def _is_name_of(name: str, file: str, game: Game) -> bool:
    """Whether the name on a sheet is that of the game: its key, its title or the path of its folder, wherever that was
    when the sheet was typed."""
    base = Path() if file == "-" else Path(file).parent
    is_named = bare(name.rstrip("/").rpartition("/")[2]) in (bare(game.key), bare(game.title))
    return is_named or ("\0" not in name and (base / name).resolve() == game.folder.resolve())


def _with_sheet(names: dict[str, Scalar]) -> dict[str, Scalar]:
    """The heading with the sheet that is typed after the game, as printed: `Rolling Cubes · All together`."""
    game = names.get("game")
    if game in games.SHIPPED:
        return names
    title, _, sheet = (game.text if game else "").partition("·" if game and "·" in game else ",")
    if game is not None and not sheet:
        # the title of a shipped game and the words after it: `Rolling Cubes one by one`
        words = game.text.split()
        counts = (n for n in range(len(words) - 1, 0, -1) if _shipped_key(" ".join(words[:n])))
        count = next(counts, len(words))
        title, sheet = " ".join(words[:count]), " ".join(words[count:])
    if game is None or not sheet.strip() or _shipped_key(title.strip()) is None:
        return names
    return {"sheet": Scalar(sheet.strip(), game.place), **names, "game": Scalar(title.strip(), game.place)}


def _shipped_key(title: str) -> str | None:
    """The key of the shipped game with this title, such as `Upwards!`; None for anything that may be a folder."""
    key = bare(title)
    return key if key in games.SHIPPED and "/" not in title and "\\" not in title else None


def _printable(problem: Problem) -> Problem:
    """The problem without control characters: messages repeat what was typed."""
    return replace(problem, message=_clean(problem.message), hint=_clean(problem.hint))


def _clean(words: str) -> str:
    return words if words.isprintable() else "".join(letter if letter.isprintable() else "�" for letter in words)


# ---- files of sheets: YAML, JSON, JSON Lines and PDF forms -----------------------------------------------------------


# The suffixes of files that are typed; a pipe has none.
TYPED = ("", ".yaml", ".yml", ".json", ".jsonl", ".ndjson")


def documents(file: str, game: str | None = None) -> Iterator[Document | InputError]:
    """Every document of a file or a pipe, or of standard input for `-`; yields an InputError in place of a
    document that cannot be read. `game` is the game named on the command line."""
    name = "stdin" if file == "-" else file
    try:
        with opened(file) as stream:
            if stream.peek(5)[:5] == b"%PDF-":
                yield _form(stream, name, game)
            else:
                yield from _typed(stream, name)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such name"
        yield fault(f"cannot be read: {reason.lower()}", Place(name))
    except InputError as error:
        yield error


def _typed(stream: BufferedReader, name: str) -> Iterator[Document | InputError]:
    """The documents of a file that was typed. If a file of another kind cannot be read, its syntax does not matter."""
    found = read_documents(stream, name)
    first = next(found)
    if isinstance(first, InputError) and Path(name).suffix.lower() not in TYPED:
        yield fault("not a filled-in sheet", Place(name), NEW_SHEET)
        return
    yield first
    yield from found


@contextmanager
def opened(file: str) -> Iterator[BufferedReader]:
    """Opens the file for reading bytes. Standard input is not closed."""
    if file == "-":
        stdin = sys.stdin.buffer
        yield stdin if isinstance(stdin, BufferedReader) else BufferedReader(stdin)  # type: ignore[arg-type]
        return
    mode = Path(file).stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise fault("not a file", Place(file))
    with Path(file).open("rb") as stream:
        yield stream


def _form(stream: BufferedReader, file: str, game: str | None) -> Document:
    """A filled-in PDF form as a document, as if it had been typed."""
    from ..sheets.pdf_forms import LIMITS, read_form  # takes a process of its own to load

    form, place = read_form(stream.read(LIMITS.max_bytes + 1), file), Place(file)
    if not form.sheet:
        # A program may have copied only the fields: they say which sheet it is.
        sheets = [
            (key, name)
            for key in ([game] if game else shipped())
            for name, sheet in load(key).sheets.items()
            if sheet.fields.keys() == form.marks.keys()
        ]
        if len(sheets) != 1:
            raise fault(
                "has a form, but not that of a known score sheet",
                place,
                "name your own game with --game" if not game else f"is it a sheet of {game}?",
            )
        key, name = sheets[0]
        form = replace(form, game="" if game else key, sheet=name)
    heading = {"game": form.game, "sheet": form.sheet} | _printed_with(form, game, place)
    written = {key: text for key, text in (heading | dict(form.marks)).items() if text}
    pairs = []
    for key, text in written.items():
        field = replace(place, field=form.labels.get(key, ""))
        pairs.append((Scalar(key, field), Scalar(text, field)))
    return Document(nodes.Mapping(pairs, place), place)


def _printed_with(form: FilledForm, named: str | None, place: Place) -> dict[str, str]:
    """The set code that a form was printed with, by the field for such codes. A field on paper is among the marks
    already, so it is left out. Your own game is the one `named` on the command line."""
    if not form.code or not (named or form.game in games.SHIPPED):
        return {}
    game = load(named or form.game)
    if form.game and form.game != game.key:
        return {}  # the judge reports the wrong game
    code = parse(form.code, prefix=game.definition.prefix, place=place)
    field, sheet = game.draws[draw_kinds.draw_of(game, code, place)].field, game.sheets.get(form.sheet)
    spec = sheet.definition.fields.get(field) if sheet else None
    return {field: form.code} if spec and not spec.paper else {}
