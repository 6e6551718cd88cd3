"""Score: a sheet as it lies on paper, with a field in every box, judged as it is filled in."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict, replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..draws import parse
from ..errors import InputError, Problem
from ..games import deal
from ..judging.judge import GameJudge, Judge, SheetView, documents, game_judge
from ..judging.questions import BlankForm
from ..judging.sheet_forms import FlatSheet, document, flattened, own_name, typed
from ..league import Details, League, plays_of
from ..model.game import FieldFile, Game, ScoreSheet
from ..pages.field_map import MappedField
from ..printing import html_pages, scored_copies
from ..printing.jobs import layout_of
from ..printing.press import Press
from ..reading.sizes import paper
from ..rules.results import Answer, Copied, Finding, Judged, Unreadable
from ..rules.text import sentence, winners
from ..sheets import Document
from ..sheets.typed_lines import sheet_text
from . import photos, worker
from .drawing import Snapshot
from .projects import Project
from .responses import JSON, answering, body_of, name_of, page, project_of, qr_code

MAX_SHEETS = 12
"""The most sheets of one game on the page."""
MAX_REPAIRS = 5
"""How often a sheet is read again without the marks that cannot be read."""
MEDIA = {
    "yaml": "application/yaml",
    "json": "application/json",
    "pdf": "application/pdf",
    "html": "text/html; charset=utf-8",
}


class Filling(Struct):
    """What the page sends: the sheets of all players as they are filled in. `only` is the one to save."""

    sheet: str
    sheets: list[FlatSheet] = field(default_factory=list)
    only: int = 0


# ---- the blank sheet


async def score_page(request: Request) -> Response:
    project = project_of(request)
    snapshot = await project.current()
    sheets = {name: sheet.definition.title for name, sheet in snapshot.game.sheets.items()} if snapshot else {}
    wanted = request.query_params.get("sheet", "")
    chosen = wanted if wanted in sheets else (snapshot.game.judged if snapshot and sheets else "")
    network = bool(request.app.state.access.network)
    return page(request, "score", area="score", project=project, sheets=sheets, chosen=chosen, network=network)


def blank(project: Project, snapshot: Snapshot, query: Mapping[str, str]) -> dict[str, Any]:
    """A blank sheet: its pages as pictures, and its fields with their places in mm."""
    game, name = snapshot.game, query.get("sheet", "")
    form, unrun = _form(project, snapshot, name), _game_judge(_judge(project, snapshot)).not_run
    sheet = form.sheet
    marks: dict[str, str] = {}
    if (code := query.get("code")) or query.get("paper"):
        deck = deal(game, parse(code, prefix=game.definition.prefix) if code else None)
        press, size = Press(game, deck, snapshot.press.settings), query.get("paper") or snapshot.paper.name
        snapshot = Snapshot(game, press, paper(size), [], [])
        marks = {deck.field: deck.code} if deck.code and deck.field in sheet.definition.fields else {}
    part, press = snapshot.part(name), snapshot.press
    sides = [piece.front for piece in part.pieces]
    if problems := [problem for piece in part.pieces for problem in piece.problems]:
        raise InputError(problems)
    mapped = layout_of(press, part.component, snapshot.paper, large=False)[0]
    return {
        "game": game.key,
        "sheet": name,
        "title": sheet.definition.title,
        "marks": marks,
        "pages": [{"key": project.remember(s), "width": s.width, "height": s.height} for s in sides if s],
        "paper": mapped.paper,
        "fields": [_field_data(sheet, each) for each in mapped.fields],
        "beside": [
            {"id": each.key, "label": each.label, "tip": each.tip, "kind": each.spec.kind, "extra": each.extra}
            for each in form.parts
            if not each.paper or (each.extra and each.kind == "mark")
        ],
        "drawn": list(_drawn(form)),
        "continues": {
            key: {"on_page": spec.repeat, "most": spec.most}
            for key, spec in sheet.definition.fields.items()
            if spec.repeat and (spec.most or 0) > spec.repeat
        },
        "note": f"{unrun.name} was not run. To run it, start the studio with --trust-code." if unrun else "",
        "player": own_name(form),
    }


def _field_data(sheet: ScoreSheet, at: MappedField) -> dict[str, Any]:
    about, path = sheet.fields[at.id], list(_specs(sheet, at.id))
    in_grid = len(path) > 1 and path[-2][1].across
    return {
        "at": at,
        "id": at.id,
        "page": at.page - 1,
        "box": [at.x, at.y, at.width, at.height],
        "name": at.id.rpartition(".")[2] if in_grid else about.label,
        "tip": about.tip.partition(": ")[2] or about.tip.removeprefix(about.label),
        "part": next((name for name, spec in reversed(path) if spec.repeat), path[0][0]),
        "grid": path[-2][0] if in_grid else "",
    }


def _specs(sheet: ScoreSheet, name: str) -> Iterator[tuple[str, FieldFile]]:
    """The parts of the definition around a field, each with its id, with the number of the entry if it has any."""
    fields, prefix, steps = sheet.definition.fields, "", name.split(".")
    while steps and (spec := fields.get(steps[0])):
        prefix += f".{steps.pop(0)}" if prefix else steps.pop(0)
        if steps and (spec.repeat or spec.count):
            entry = f"{prefix}.{steps.pop(0)}"
            prefix = entry if spec.repeat else prefix
        yield prefix, spec
        fields = spec.fields or {}


def _drawn(form: BlankForm) -> Iterator[dict[str, Any]]:
    """The parts that players draw into a grid: a line through boxes, or outlined shapes."""
    grid = next((part.key for part in form.parts if part.kind == "grid"), "")
    boxes = {part.key: part for part in form.parts if not part.extra}
    for part in form.parts:
        names = {inner.key for inner in part.inner}
        if not (grid and part.extra and (part.kind == "row" or names == {"shape", "cells"})):
            continue
        option, needed = form.asking.when.get(part.key, ("", ""))
        shapes = {inner.key: inner.label for inner in boxes[part.key].inner} if part.key in boxes else {}
        when = f"{option}.{needed}" if option else ""
        yield {"id": part.key, "grid": grid, "shapes": shapes, "when": when, "tip": part.tip}


# ---- judging


_judges: dict[str, tuple[Game, Judge]] = {}


def _judge(project: Project, snapshot: Snapshot) -> Judge:
    """The judge of a game; it is kept until the game is read again."""
    kept = _judges.get(project.key)
    if kept is None or kept[0] is not snapshot.game:
        name = snapshot.game.key if project.is_shipped else str(snapshot.game.folder)
        chosen = game_judge(snapshot.game, project.trust_code)
        judge = Judge(name, project.trust_code, games={name: chosen}, explain=True, draw=True, copies=True)
        kept = _judges[project.key] = snapshot.game, judge
    return kept[1]


def _game_judge(judge: Judge) -> GameJudge:
    return next(iter(judge.games.values()))


def _form(project: Project, snapshot: Snapshot, name: str) -> BlankForm:
    chosen = _game_judge(_judge(project, snapshot))
    if name not in chosen.game.sheets:
        raise HTTPException(404, "This game has no such score sheet.")
    return BlankForm(chosen.game, chosen.game.sheets[name], chosen.rules, chosen.game.key)


class _Reading(Struct):
    """The sheets as they were read. `numbers` are those of the sheets that are not blank, `unread` the problems of
    marks left out, with the number of their sheet and the field."""

    judge: Judge
    form: BlankForm
    views: list[SheetView] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    unread: list[tuple[int, str, Problem]] = field(default_factory=list)

    @property
    def answers(self) -> list[Answer]:
        """One answer for all sheets if they are the players of one game, otherwise one for each."""
        if self.views and all(view.is_joint for view in self.views):
            return [self.judge.answer_of(*self.views)]
        return [self.judge.answer_of(view) for view in self.views]


def _read(project: Project, snapshot: Snapshot, filling: Filling) -> _Reading:
    if len(filling.sheets) > MAX_SHEETS:
        raise HTTPException(422, f"There are more than {MAX_SHEETS} sheets.")
    reading = _Reading(_judge(project, snapshot), _form(project, snapshot, filling.sheet))
    for number, flat in enumerate(filling.sheets):
        marks = {name: text for name, text in flat.marks.items() if text.strip()}
        sheet, file = FlatSheet(marks, flat.extra), str(project.folder / f"sheet {number + 1}")
        view = None if sheet.is_blank else _view(reading, number, sheet, file)
        if view:
            reading.views.append(view)
            reading.numbers.append(number)
    return reading


def _view(reading: _Reading, number: int, sheet: FlatSheet, file: str) -> SheetView | None:
    """A sheet that was read, if need be without the marks that cannot be read."""
    for _ in range(MAX_REPAIRS):
        view = reading.judge.read(document(reading.form, sheet, file), file)
        if not isinstance(view, Unreadable):
            return view
        names = dict(enumerate(sheet.marks, 1))
        found = [(names.get(problem.place.line if problem.place else 0, ""), problem) for problem in view.problems]
        reading.unread += [(number, name, problem) for name, problem in found]
        wrong = {name for name, _ in found if name}
        if not wrong:
            return None
        sheet = FlatSheet({name: text for name, text in sheet.marks.items() if name not in wrong}, sheet.extra)
    return None


def judged(project: Project, snapshot: Snapshot, filling: Filling) -> dict[str, Any]:
    """The points and the problems of the sheets as they are filled in."""
    reading = _read(project, snapshot, filling)
    problems = [_unread(number, name, problem) for number, name, problem in reading.unread]
    players: list[dict[str, Any]] = []
    drawn: list[dict[str, Any]] = [{}] * len(filling.sheets)
    answers, numbers = reading.answers, iter(reading.numbers)
    for answer in answers:
        if isinstance(answer, Unreadable):
            problems += [_unread(next(numbers), "", problem) for problem in answer.problems[:1]]
            continue
        own = [next(numbers) for _ in answer.copied]
        for number, copied in zip(own, answer.copied, strict=True):
            sums = {name: str(points) for name, points in copied.sums.items() if name not in copied.filled.marks}
            drawn[number] = {**asdict(copied.strokes), "sums": sums}
        problems += [_finding(reading, own, answer, finding) for finding in answer.verdict.findings]
        players += _players(answer, own)
    for number, problem in enumerate(problems, 1):
        problem["number"] = number
    only = answers[0] if len(answers) == 1 and isinstance(answers[0], Judged) else None
    return {
        "problems": problems,
        "players": players,
        "headline": winners(only) if only else "",
        "over": only is None or only.result is None or only.result.over,
        "sheets": drawn,
    }


def _unread(number: int, name: str, problem: Problem) -> dict[str, Any]:
    """A mark that cannot be read."""
    where = [name] if name else []
    return _problem(number, where, problem.message, hint=problem.hint, severity="error", unread=True)


def _problem(sheet: int, where: Sequence[str], message: str, **facts: Any) -> dict[str, Any]:
    usual = {"hint": "", "rule": "", "text": "", "unread": False, "later": False, "fix": None}
    return {"sheet": sheet, "where": where, "message": sentence(message), **usual, **facts}


def _finding(reading: _Reading, numbers: Sequence[int], answer: Judged, finding: Finding) -> dict[str, Any]:
    files = [copied.filled.place.file for copied in answer.copied]
    index = files.index(finding.place.file) if finding.place.file in files else 0
    copied = answer.copied[index]
    fix = finding.where[0] if finding.where and finding.where[0] in copied.sums else ""
    wrong = fix and copied.filled.number(fix) not in (None, copied.sums[fix])
    return _problem(
        numbers[index],
        finding.where,
        finding.message,
        rule=finding.rule,
        text=_rules(_game_judge(reading.judge), reading.form.sheet).get(finding.rule, ""),
        severity=finding.severity,
        later=finding.rule in reading.form.asking.later or not _has_marks(copied, finding.where),
        fix={"field": fix, "value": str(copied.sums[fix])} if wrong else None,
    )


def _has_marks(copied: Copied, where: Iterable[str]) -> bool:
    """Whether anything is written where a problem is; if not, it is about what is still missing."""
    filled = copied.filled
    names = tuple(where)
    return not names or any(
        mark == name or mark.startswith(f"{name}.") for name in names for mark in (*filled.marks, *filled.extra)
    )


def _rules(judge: GameJudge, sheet: ScoreSheet) -> dict[str, str]:
    """The texts of the rules for a sheet, by their ids."""
    return {
        rule.id: sentence(rule.text)
        for book, sheets in judge.books()
        for rule in book.listed
        if sheet.name in (rule.sheets or sheets or (sheet.name,))
    }


def _players(answer: Judged, numbers: Sequence[int]) -> Iterator[dict[str, Any]]:
    result = answer.result
    for index, (score, rank) in enumerate(zip(result.scores, result.ranks, strict=True) if result else ()):
        assert result
        rank = rank if result.over and len(result.scores) > 1 else 0
        own = numbers[index] if len(numbers) > 1 else numbers[0]
        yield {"name": score.player, "sheet": own, "total": score.total, "rank": rank, "lines": score.lines}


# ---- files


async def saved(request: Request) -> Response:
    """The sheets as a file: YAML or JSON of one of them, a scored PDF or a web page of all."""
    project, filling = project_of(request), await body_of(request, Filling)
    kind = request.path_params["kind"]
    if kind not in MEDIA:
        raise HTTPException(404, "There is no such file.")
    data = await worker.call(_file, project, await project.readable(), filling, kind)
    return Response(data, media_type=MEDIA[kind], headers={"Content-Disposition": "attachment"})


def _file(project: Project, snapshot: Snapshot, filling: Filling, kind: str) -> bytes:
    if kind in ("yaml", "json"):
        sheet = filling.sheets[filling.only] if 0 <= filling.only < len(filling.sheets) else FlatSheet()
        data = typed(
            _form(project, snapshot, filling.sheet),
            FlatSheet({k: v for k, v in sheet.marks.items() if v.strip()}, sheet.extra),
        )
        return sheet_text(data).encode() if kind == "yaml" else msgspec.json.encode(data)
    copier = scored_copies.Copier(snapshot.paper)
    copies = copier.copies(_judged_sheets(_read(project, snapshot, filling)))
    return copier.pdf(copies) if kind == "pdf" else html_pages.scored(copier, copies).encode()


def _judged_sheets(reading: _Reading) -> list[Judged]:
    """The answers to sheets that can be read as a whole. Raises InputError if one cannot, or if all are blank."""
    answers = reading.answers
    problems = [problem for _, _, problem in reading.unread]
    problems += [problem for answer in answers if isinstance(answer, Unreadable) for problem in answer.problems]
    if problems or not answers:
        raise InputError(problems or [Problem("the sheet is still blank", hint="fill it in first")])
    return [answer for answer in answers if isinstance(answer, Judged)]


async def opened(request: Request) -> Response:
    """A filled-in PDF form, YAML or JSON file, as the fields of a sheet of its game."""
    project, body = project_of(request), await request.body()
    return JSON(await worker.call(_opened, project, await project.readable(), name_of(request), body))


def _opened(project: Project, snapshot: Snapshot, name: str, body: bytes) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"sheet{Path(name).suffix}"
        path.write_bytes(body)
        own = _judge(project, snapshot)
        first = _first(own, str(path), own.named, str(project.folder / name))
        if isinstance(first, InputError):
            other = _first(Judge(), str(path), None, name)
            is_of_another_game = first.problems[0].message.startswith("this is a sheet of")
            first = first if isinstance(other, InputError) and not is_of_another_game else other
        if isinstance(first, InputError):
            raise InputError(replace(p, place=p.place and replace(p.place, file=name)) for p in first.problems)
        view, parsed, others = first
        key, sheet, filled = view.judge.game.key, view.filled.sheet.name, flattened(view, parsed)
    return {"game": key, "here": key == snapshot.game.key, "sheet": sheet, "filled": filled, "others": others}


def _first(judge: Judge, file: str, named: str | None, beside: str) -> tuple[SheetView, Document, int] | InputError:
    """The first sheet of a file, read as if it were the file `beside`, and how many others there are."""
    parsed = list(islice(documents(file, named), MAX_SHEETS))
    if isinstance(parsed[0], InputError):
        return parsed[0]
    view = judge.read(parsed[0], beside)
    return InputError(view.problems) if isinstance(view, Unreadable) else (view, parsed[0], len(parsed) - 1)


# ---- the league


class Saving(Filling):
    """The sheets of a game that was played on `date`; `again` if it is another one with the same marks. The photos of
    the sheets with the ids `photos` are kept with it."""

    date: str = ""
    again: bool = False
    photos: list[str] = field(default_factory=list)


def kept(project: Project, snapshot: Snapshot, saving: Saving) -> dict[str, Any]:
    """Saves the game in the league."""
    answers = _judged_sheets(_read(project, snapshot, saving))
    try:
        plays = plays_of(answers, Details(date=saving.date, together=True if len(answers) > 1 else None))
    except InputError as error:
        hint = "write the names of all players on their sheets"
        found = [replace(each, hint=hint if "--" in each.hint else each.hint) for each in error.problems]
        raise InputError(found) from None
    (saved,) = (league := League()).save([play for play, _ in plays], again=saving.again)
    play = saved.play
    if saved.new and saving.photos:
        league.keep_photos(play.number, photos.evidence(saving.photos))
    return {
        "new": saved.new,
        "number": play.number,
        "date": play.date,
        "counted": play.counted,
        "reason": sentence(play.reason) if play.reason else "",
        "similar": saved.similar,
    }


# ---- phones


async def phone(request: Request) -> Response:
    """The QR code that opens this page on a phone; 404 if only this machine may use the studio."""
    access = request.app.state.access
    if not access.network:
        raise HTTPException(404, "Start the studio with: pencilbox studio --host 0.0.0.0")
    query = f"sheet={request.query_params.get('sheet', '')}&token={access.token}"
    return qr_code(f"{access.network}/g/{project_of(request).key}/score?{query}")


ROUTES = [
    Route("/g/{project}/score", score_page),
    Route("/g/{project}/score/sheet", answering(blank)),
    Route("/g/{project}/score/judge", answering(judged, Filling), methods=["POST"]),
    Route("/g/{project}/score/save", answering(kept, Saving), methods=["POST"]),
    Route("/g/{project}/score/open", opened, methods=["POST"]),
    Route("/g/{project}/score/phone.svg", phone),
    Route("/g/{project}/score/file/{kind}", saved, methods=["POST"]),
]
