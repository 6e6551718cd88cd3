"""pencilbox score and pencilbox check, and the options of `score` that save a play in the league."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.structs import replace

from .. import paths
from ..errors import InputError, Problem, fault, refuse
from ..files import save
from ..judging.judge import Judge, exit_code
from ..reading.sizes import Paper
from ..reading.user_settings import usual_paper
from ..rules.results import Answer, Judged, Unreadable, line, plain, unpainted
from ..rules.text import text
from .console import (
    columns,
    echo,
    echo_json,
    echo_json_text,
    json_escaped,
    json_text,
    may_write,
    open_in_viewer,
    show_errors,
    show_notes,
    style,
)
from .options import Command, Count, Decorator, all_of, as_object, complete, trust_code_option
from .photos import PhotoOptions, open_league, photo_options, pictures_among, read_sheets

if TYPE_CHECKING:
    from ..league import Saved
    from ..photo.photo_sheet import PhotoSheet

NOT_SAVED = "nothing was saved, because not every sheet can be read"


class SavingOptions(Struct, frozen=True, kw_only=True):
    """The options that save a play and say more about it."""

    save: bool
    date: str = ""
    event: str = ""
    comment: str = ""
    player: tuple[str, ...]
    together: bool
    separately: bool
    replace: int = 0
    again: bool
    league: Path | None = None
    keep: bool

    def check(self) -> None:
        """Raises InputError for options that do not work without --save, or together."""
        typed = (name for name in self.__struct_fields__ if name not in ("save", "keep"))
        names = [f"--{name}" for name in typed if getattr(self, name)]
        problems = [Problem(f"{name} only works with --save") for name in names if not self.save]
        for one, other in (("together", "separately"), ("replace", "again")):
            if getattr(self, one) and getattr(self, other):
                problems.append(Problem(f"--{one} and --{other} cannot be used together"))
        refuse(problems)

    def answers(self, judge: Judge, files: Sequence[str]) -> list[Answer]:
        """The answers to all sheets; with --separately, each file is judged alone."""
        if self.separately:
            return list(chain.from_iterable(judge.answers([file]) for file in files))
        return list(judge.answers(files))

    def saved(self, answers: Sequence[Answer]) -> dict[int, Saved]:
        """Saves the plays that the answers are, and returns what became of them by the indices of the answers. If a
        sheet cannot be read, nothing is saved: its player would be missing."""
        from ..league import Details, plays_of  # loads SQLite

        judged = [answer for answer in answers if isinstance(answer, Judged)]
        if len(judged) < len(answers):
            show_notes([NOT_SAVED])
            return {}
        together = True if self.together else False if self.separately else None
        league = open_league(self.league)
        details = Details(
            date=self.date or (league.play(self.replace).date if self.replace else ""),
            event=self.event,
            comment=self.comment,
            players=self.player,
            together=together,
        )
        plays = plays_of(judged, details)
        saved = league.save([play for play, _ in plays], replaces=self.replace, again=self.again)
        return {index: each for each, (_, indices) in zip(saved, plays, strict=True) for index in indices}

    def keep_photos(self, sheets: Iterable[tuple[Saved, Sequence[PhotoSheet]]]) -> None:
        """Keeps the photos of the sheets of plays that were saved now."""
        kept: dict[int, list[bytes]] = {}
        for saved, photos in sheets:
            if saved.new or saved.replaced:
                kept.setdefault(saved.play.number, []).extend(chain.from_iterable(sheet.evidence() for sheet in photos))
        for number, pictures in kept.items():
            open_league(self.league).keep_photos(number, pictures)


saving_options = as_object(
    "saving",
    SavingOptions,
    click.option("--save", is_flag=True, help="Save the game in your league, see “pencilbox league”."),
    click.option("--date", metavar="DATE", help="With --save: the day of the game.  [default: today]"),
    click.option("--event", metavar="NAME", help="With --save: the league or evening that it belongs to."),
    click.option("--comment", metavar="TEXT", help="With --save: a comment on the game."),
    click.option(
        "--player",
        multiple=True,
        metavar="NAME",
        help="With --save: the name of a player whose sheet has none; once for each, in seat order.",
    ),
    click.option("--together", is_flag=True, help="With --save: sheets with one player each are one game."),
    click.option("--separately", is_flag=True, help="With --save: each file is a game of its own."),
    click.option(
        "--replace",
        type=click.IntRange(1),
        metavar="PLAY",
        help="With --save: the number of the play that these sheets correct.",
    ),
    click.option("--again", is_flag=True, help="With --save: another game that ended with the same marks."),
    click.option(
        "--league",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="With --save: the file of the league.  [default: PENCILBOX_LEAGUE, or one in your data folder]",
    ),
    click.option(
        "--photos/--no-photos",
        "keep",
        default=True,
        help="With --save: keep the straightened photos of the sheets beside the league.  [default: keep]",
    ),
)


def saved_data(saved: Saved) -> dict[str, Any]:
    """What became of a play, for JSON."""
    play = saved.play
    return {"play": play.number, "new": saved.new, "counted": play.counted, "reason": play.reason or None}


def saved_text(saved: Saved, paint: Callable[[str, str], str] = unpainted) -> str:
    """What became of a play, as the last line of an answer."""
    play = saved.play
    if not (saved.new or saved.replaced):
        return f"Already saved: play {play.number} of {play.date}. If this is another game, add --again."
    what = f"{paint('Saved', 'good')}: play {play.number} of {play.date}{', corrected' * saved.replaced}"
    words = f"{what}, not counted: {play.reason}." if play.reason else f"{what}."
    if saved.similar:
        words += (
            f"\nPlay {saved.similar} has the same game, date and players. If these sheets correct it, type "
            f"“pencilbox league forget {play.number}” and save them with --replace {saved.similar}."
        )
    return words


class SheetOptions(Struct, frozen=True, kw_only=True):
    """The arguments and options that score and check have in common."""

    sheet: tuple[str, ...]
    form: str
    strict: bool
    hints: bool
    game: str | None = None
    words: str | None = None
    workers: int
    trust_code: bool
    photos: PhotoOptions

    def judge(self, *, score: bool = True, explain: bool = False, draw: bool = False, copies: bool = False) -> Judge:
        """The judge that these options ask for."""
        return Judge(
            self.game,
            self.trust_code,
            score=score,
            hints=self.hints,
            explain=explain,
            draw=draw,
            copies=copies,
            options={} if self.words is None else {"words": self.words},
        )


def sheet_options(page: bool) -> Decorator:
    """The arguments and options of SheetOptions; with `page`, web pages are printed, too."""
    return all_of(
        photo_options,
        as_object(
            "options",
            SheetOptions,
            click.argument("sheet", nargs=-1, required=True, shell_complete=complete("files")),
            click.option(
                "--format",
                "form",
                type=click.Choice(["text", "json", "jsonl", *(["html"] if page else [])]),
                default="text",
                show_default=True,
                help="jsonl prints one answer per line, as soon as it is ready"
                + ("; html prints the scored copy as a web page." if page else "."),
            ),
            click.option("--strict", is_flag=True, help="Also exit with 1 for warnings."),
            click.option(
                "--hints", is_flag=True, help="Show the better moves that players missed, for games that support it."
            ),
            click.option(
                "--game",
                metavar="GAME",
                shell_complete=complete("games"),
                help="The game of the sheets: a name, or the folder of your own game.",
            ),
            click.option(
                "--words",
                metavar="FILE",
                shell_complete=complete("files"),
                help="The word list of a word game: plain text, one word per line.",
            ),
            click.option(
                "--workers",
                type=Count(1, 1024),
                metavar="N",
                default=1,
                show_default=True,
                help="The number of processes, for thousands of sheets.",
            ),
            trust_code_option,
        ),
    )


@click.command(cls=Command)
@sheet_options(page=True)
@click.option("--explain", is_flag=True, help="Show how every point was scored.")
@click.option(
    "--pdf",
    "copy",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write a scored copy: the sheets as filled in, with sums added and problems circled.",
)
@click.option(
    "--html",
    "web_copy",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The same as a web page in one file, to send to friends.",
)
@click.option(
    "--paper",
    "-p",
    "size",
    metavar="PAPER",
    shell_complete=complete("papers"),
    help="The paper of the copy: a4, letter, ...  [default: as in your settings, else a4]",
)
@click.option(
    "--font",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="For the copy: a TrueType font for letters that the bundled ones lack.",
)
@click.option("--force", is_flag=True, help="With --pdf or --html: replace an existing file without asking.")
@click.option("--open", "show", is_flag=True, help="With --pdf or --html: open the copy when it is written.")
@saving_options
@click.pass_context
def command(
    ctx: click.Context,
    options: SheetOptions,
    explain: bool,
    copy: Path | None,
    web_copy: Path | None,
    size: str | None,
    font: Path | None,
    force: bool,
    show: bool,
    saving: SavingOptions,
) -> None:
    """Check and score filled-in SHEETs: PDF forms, YAML or JSON, or - for standard input.

    The PDF forms are those that “pencilbox make” prints, filled in and saved. Exit codes: 0 if no rule is broken, 1 if
    one is, 2 if a sheet cannot be read.
    """
    files = {option: file for option, file in (("--pdf", copy), ("--html", web_copy)) if file}
    copies = [*files, *(["--format html"] if options.form == "html" else [])]
    if options.workers > 1 and (refused := [*copies, *(["--save"] if saving.save else [])]):
        raise fault(f"--workers cannot be used with {refused[0]}")
    saving.check()
    for option, file in files.items():
        _refuse_input(option, file, [*options.sheet, *filter(None, (options.words, str(font or "")))])
        may_write([file], force)
    if not files:
        _refuse_without_file({"--force": force, "--open": show} | ({} if copies else {"--paper": size, "--font": font}))
    draw, data = options.form == "text" or bool(copies), bool(copies) or saving.save
    judge = options.judge(explain=explain, draw=draw, copies=data)
    if not copies:
        ctx.exit(run(judge, options, saving=saving))
    paper = usual_paper(size)
    answers: list[Judged] = []
    code = run(judge, options, answers.append, saving)
    if answers:
        _write_copies(answers, paper, font, files, printed=options.form == "html")
        for file in files.values():
            echo(f"Scored copy: {file}", err=True)
            if show:
                open_in_viewer(file)
    ctx.exit(code)


def _refuse_without_file(options: dict[str, object]) -> None:
    """Raises InputError for typed options of the scored copy."""
    refuse(Problem(f"{name} only works with --pdf FILE or --html FILE") for name, value in options.items() if value)


def _refuse_input(option: str, copy: Path, files: list[str]) -> None:
    """Raises InputError if the copy would replace a file that is read."""
    for file in files:
        if file != "-" and paths.is_file(copy) and paths.is_file(Path(file)) and copy.samefile(file):
            raise fault(f"{option} would overwrite {file}, which is an input", hint="name another file for the copy")


def _write_copies(
    answers: list[Judged], size: Paper, font: Path | None, files: dict[str, Path], *, printed: bool
) -> None:
    """Writes the scored copies to files, and prints the web page if it is to be `printed`."""
    from ..printing import html_pages, scored_copies  # load HarfBuzz, which takes longer than judging a sheet

    copier = scored_copies.Copier(size, font)
    copies = copier.copies(answers)
    page = html_pages.scored(copier, copies) if printed or "--html" in files else ""
    for option, file in files.items():
        save(copier.pdf(copies) if option == "--pdf" else page.encode(), file)
    if printed:
        echo(page)


def run(
    judge: Judge,
    options: SheetOptions,
    collect: Callable[[Judged], None] | None = None,
    saving: SavingOptions | None = None,
) -> int:
    """Prints the answers and returns the exit code. `collect` is called with each answer to a readable sheet. With
    `saving`, the answers are saved before the first one is printed."""
    code, untrusted, width = 0, dict[Path, Path](), columns()
    options, photos = _with_photos(judge, options)
    answers, saved = _answers(judge, options, saving, untrusted)
    if saving and saving.keep and isinstance(answers, list):
        saving.keep_photos((saved[index], _photos_of(answer, photos)) for index, answer in enumerate(answers) if saved)
    listed: list[Any] = []
    for number, answer in enumerate(answers):
        code = max(code, exit_code(answer, options.strict))
        more = MoreOfAnswer(saved.get(number), _photos_of(answer, photos))
        if options.form == "json":
            listed.append(plain(answer) | more.data)
        else:
            _show(answer, options.form, width, more, first=not number)
        if collect and isinstance(answer, Judged):
            collect(answer)
    if options.form == "json":
        echo_json(listed[0] if len(listed) == 1 else listed)
    for file, folder in (untrusted | judge.not_run).items():
        echo(f"note: {file} was not run; to run it, add --game {folder}/ --trust-code", err=True)
    return code


def _answers(
    judge: Judge, options: SheetOptions, saving: SavingOptions | None, untrusted: dict[Path, Path]
) -> tuple[Iterable[Answer], Mapping[int, Saved]]:
    """The answers, and what was saved of them by their indices."""
    if options.workers > 1 and not (len(options.sheet) > 1 and "-" in options.sheet):
        from ..judging.processes import answers_elsewhere  # loads multiprocessing

        return answers_elsewhere(judge, options.sheet, options.workers, untrusted), {}
    if saving and saving.save:
        answers = saving.answers(judge, options.sheet)
        return answers, saving.saved(answers)
    return judge.answers(options.sheet), {}


class MoreOfAnswer(Struct, frozen=True):
    """What became of an answer in the league, and the sheets that it was read from if they are photos."""

    saved: Saved | None
    photos: Sequence[PhotoSheet]

    @property
    def data(self) -> dict[str, Any]:
        saved = {"saved": saved_data(self.saved)} if self.saved else {}
        return saved | ({"read": [sheet.summary() for sheet in self.photos]} if self.photos else {})

    def texts(self) -> Iterator[str]:
        yield from chain.from_iterable(sheet.described() for sheet in self.photos)
        if self.saved:
            yield saved_text(self.saved, style)


def _with_photos(judge: Judge, options: SheetOptions) -> tuple[SheetOptions, Mapping[str, PhotoSheet]]:
    """The options with a name for each sheet on the photos among the files, and these sheets by their names."""
    pictures = pictures_among(options.sheet)
    if not pictures:
        options.photos.refuse()
        return options, {}
    if options.workers > 1:
        raise fault(
            "--workers cannot be used with photos", hint="pencilbox read PHOTO … --workers N reads many of them"
        )
    sheets: dict[str, PhotoSheet] = {}
    for sheet in read_sheets(pictures, options.photos, game=options.game, trust_code=options.trust_code):
        if isinstance(sheet, InputError):
            judge.given[f"page {len(judge.given)}"] = sheet  # its problems name the photo
        else:
            judge.given[sheet.name] = sheet.unreadable() or sheet.document
            sheets[sheet.name] = sheet
    others = [file for file in options.sheet if file not in pictures]
    return replace(options, sheet=(*judge.given, *others)), sheets


def _photos_of(answer: Answer, photos: Mapping[str, PhotoSheet]) -> list[PhotoSheet]:
    if not isinstance(answer, Judged):
        return []
    return [photos[place.file] for place in (answer.place, *answer.others) if place.file in photos]


def _show(answer: Answer, form: str, width: int, more: MoreOfAnswer, *, first: bool) -> None:
    """Prints one answer, and more about it. Web pages are printed when all answers are collected."""
    if form == "jsonl":
        echo_json_text(json_text(plain(answer) | more.data, None) if more.data else json_escaped(line(answer)))
    elif isinstance(answer, Unreadable):
        show_errors(answer.problems)
    elif form == "text":
        echo(("" if first else "\n") + text(answer, style, width))
    if form in ("text", "html"):
        for words in more.texts():
            echo(words, err=form == "html")


@click.command(cls=Command)
@sheet_options(page=False)
@click.pass_context
def check(ctx: click.Context, options: SheetOptions) -> None:
    """Check filled-in SHEETs without scoring them: PDF forms, YAML or JSON, or - for standard input.

    Exit codes: 0 if no rule is broken, 1 if one is, 2 if a sheet cannot be read.
    """
    ctx.exit(run(options.judge(score=False, draw=options.form == "text"), options))
