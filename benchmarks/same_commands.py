"""The commands that `same_output.py` runs, and the sheets and games they read."""

from __future__ import annotations

import copy
import json
import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby, product
from pathlib import Path
from typing import Any

import yaml
from pypdf import PdfReader, PdfWriter


@dataclass
class Case:
    """Commands run one after another in their own folder, where `in` links to the files they read."""

    name: str
    steps: list[list[str]]
    stdin: str = ""
    cold: bool = False
    quick: bool = False


GAMES = ["cosmic_consequences", "elevator_up", "from_the_ground_up", "rolling_cubes", "upwards"]
COMMANDS = [
    "games",
    "make",
    "randomise",
    "new-sheet",
    "fill",
    "verify",
    "score",
    "check",
    "balance",
    "rules",
    "words",
    "fields",
    "completion",
]
EXAMPLE = "in/examples/lantern_walk"
SHOWN = ("cards", "dealer", "dice", "strip", "board")
"""Components that depend on a random set."""
SET_CODE = re.compile(r"\b[A-Z]{2}-1\w{3}(?:-\w{5})+-\w\w\b")
TOGETHER = 6
"""The maximum number of sheets that one command judges."""


# ---- what is run ----------------------------------------------------------------------------------------------------


def run(name: str, *commands: str, **more: Any) -> Case:
    """The commands. None of their words contains a space."""
    return Case(name, [command.split() for command in commands], **more)


def draws(checkout: Path) -> Iterator[Case]:
    """Random sets from every recipe of every game."""
    for game in GAMES:
        for name, options in recipes(checkout, game):
            count = "" if "--print-run" in options else "--count 2"
            yield run(f"randomise/{name}-json", f"randomise {game} {options} --seed same --format json {count}")
            yield run(f"randomise/{name}-text", f"randomise {game} {options} --seed words -o sets.txt")


def recipes(checkout: Path, game: str) -> Iterator[tuple[str, str]]:
    """Each recipe of a game with the options of `randomise` that choose it."""
    files = (checkout / "data" / game / name for name in ("sets.yaml", "game.yaml"))
    draws = yaml.safe_load(next(file for file in files if file.exists()).read_text("utf-8"))["draws"]
    for what, draw in draws.items():
        for recipe, options in draw.get("recipes", {draw.get("recipe"): {}}).items():
            words = [f"--kind {what}"]
            for name, value in options.items():
                last = value[-1] if isinstance(value, list) else value
                words.append({"run": "--print-run 3", "each": "--per-player"}.get(name, f"--{name} {last}"))
            yield f"{game}-{what}-{recipe}", " ".join(words)


def plays() -> Iterator[Case]:
    """Games with simulated players, saved as sheets."""
    for game, who in product(GAMES, ("random", "careful")):
        options = f"--games 4 --seed {who} --player {who} --workers 1 --players 3 --keep sheets"
        yield run(f"balance/{game}-{who}-keep", f"balance {game} {options}")


def forms() -> Iterator[Case]:
    """Score sheets to fill in."""
    for game in [*GAMES, EXAMPLE]:
        yield run(f"form/make-{Path(game).name}", f"make {game} --no-booklet", cold=True)


def commands_of(checkout: Path, folder: Path, printed: dict[str, str]) -> Iterator[Case]:
    """Every other command, with the sets printed by `draws` and the sheets played by `plays`."""
    codes = {
        name.removeprefix("randomise/").removesuffix("-json"): list(dict.fromkeys(SET_CODE.findall(text)))
        for name, text in printed.items()
        if name.startswith("randomise/") and name.endswith("-json")
    }
    yield from helps()
    yield from printing(checkout)
    yield from sets_printed(checkout, codes)
    yield from judging(folder)
    yield from garbled(folder)
    yield from balancing(codes)
    yield from filling(checkout, folder)
    yield from looking(codes)
    for path in sorted((folder / "inputs/wrong").iterdir()):
        yield run(f"definitions/{path.name}", f"make in/wrong/{path.name} --no-booklet --no-fillable -q")


def helps() -> Iterator[Case]:
    for command in COMMANDS:
        yield run(f"help/{command}", f"{command} --help", cold=True)
        yield run(f"help/{command}-bare", f"{command} --nonsense")
    for number, words in enumerate(
        ["--help", "--version", "", "mkae", "games", "games --format json", "rules", "make"]
    ):
        yield run(f"help/{number}", words, cold=number < 5)
    for number, words in enumerate(["upward", "upwards shet", "upwards -p b4"], 8):
        yield run(f"help/{number}", f"make {words}")


def printing(checkout: Path) -> Iterator[Case]:
    """`make` for each game, in every mode."""
    for game, size, ink in product([*GAMES, EXAMPLE], ["a4", "letter"], ["", "--low-ink"]):
        yield run(f"make/{Path(game).name}-{size}{ink}", f"make {game} -p {size} {ink}")
    for game, way in product([*GAMES, EXAMPLE], ["short", "gutterfold", "none"]):
        yield run(f"make/{Path(game).name}--duplex{way}", f"make {game} --no-booklet --no-fillable --duplex {way}")
    for game in [*GAMES, EXAMPLE]:
        yield run(f"make/{Path(game).name}-large", f"make {game} --no-booklet --no-fillable -q -p a3 -p a2")
    yield run("make/all", "make --all -o there --no-fillable", cold=True)
    for game in GAMES:
        for number, (name, part) in enumerate(components(checkout, game).items()):
            pad = "--copies 12" if part["kind"] == "sheet" else "--no-booklet"
            command = f"make {game} {name} {pad} --low-ink --format json"
            yield run(f"make/{game}-only-{name}", command, quick=number == 0)
        yield run(f"make/{game}-copies", f"make {game} --copies 2 --no-booklet -c {name}")
        yield run(f"make/{game}-random", f"make {game} --random --seed make", cold=True)


def fewer(codes: dict[str, list[str]]) -> list[tuple[str, list[str]]]:
    """The codes of every recipe; for the cards of one game, which has many, only a third of them."""
    cards = [name for name in codes if name.startswith("from_the_ground_up")]
    return [(name, drawn) for name, drawn in codes.items() if name not in cards or name in cards[::3]]


def sets_printed(checkout: Path, codes: dict[str, list[str]]) -> Iterator[Case]:
    """Sets dealt again from their codes, with components that show them and others, all verified."""
    for number, (name, (code, *_)) in enumerate(fewer(codes)):
        game, what = name.split("-")[:2]
        parts = [part for part in components(checkout, game) if part in SHOWN and (part, what) != ("strip", "dice")]
        size, ink = ("letter", "a4")[number % 2], ("", "-low-ink")[number // 2 % 2]
        make = f"make {game} --set {code} -o . -p {size} -c {' -c '.join(parts)} {ink and '--low-ink'}"
        yield run(f"make/set-{name}", make, *(f"verify {game}/{part}-{size}{ink}-{code}.pdf" for part in parts))
        wrong = code[:-1] + ("0" if code[-1] != "0" else "1")
        words = [f"verify {code}", f"verify {code.lower()} --format json", f"verify {wrong}", f"verify {code[:9]}"]
        yield run(f"verify/{name}", *words)
    for game in GAMES:
        drawn = [code for name, groups in codes.items() if name.startswith(game) for code in groups][:3]
        yield run(f"make/sets-{game}", f"make {game} --no-booklet --set {' --set '.join(drawn)}")
        yield run(f"make/sets-{game}-wrong", f"make {game} --set {drawn[0][:-1]}U")
        verified = [f"verify output/{game}/{part}-a4.pdf" for part in components(checkout, game)]
        yield run(f"verify/standard-{game}", f"make {game} --no-booklet --no-fillable", *verified)


def judging(folder: Path) -> Iterator[Case]:
    """Each sheet of the tests and the documentation, and the sheets that were played."""
    for number, (name, files) in enumerate(groups(folder)):
        sheets = " ".join(files)
        yield run(f"judge/{name}-text", f"score {sheets} --explain --hints --strict")
        if number % 2:
            yield run(f"judge/{name}-json", f"score {sheets} --format json --hints")
        if number % 6 == 0:
            yield run(f"judge/{name}-check", f"check {sheets} --hints")
            yield run(f"judge/{name}-copy", f"score {sheets} --pdf copy.pdf -p {'letter' if number % 4 else 'a4'}")
            text = (folder / "inputs" / files[0].removeprefix("in/")).read_text("utf-8")
            yield run(f"judge/{name}-stdin", "score - --format json", stdin=text)
    for path in sorted((folder / "inputs/streams").iterdir()):
        for number, words in enumerate(
            ["score --format jsonl --hints --explain", "check --format jsonl --strict", "score"]
        ):
            yield run(f"stream/{path.name}-{number}", f"{words} in/streams/{path.name}", cold=path.name == "good.jsonl")
    table = "in/sheets/docs/examples/table.yaml"
    wrong = ["in/missing.yaml", "in", "in/sheets", "", f"--game upwords {table}", f"--font x.ttf {table}"]
    for number, words in enumerate(wrong):
        yield run(f"judge/wrong-{number}", f"score {words}", cold=True)


def garbled(folder: Path) -> Iterator[Case]:
    """Sheets and forms changed or filled in at random."""
    for path in sorted((folder / "inputs/garbled").iterdir()):
        files = [f"in/garbled/{path.name}/{file.name}" for file in sorted(path.iterdir())]
        for group in batches(files, 1 if path.name == "upwards" else TOGETHER):
            yield run(f"garbled/{path.name}/{Path(group[0]).name}", f"score {' '.join(group)}")
    for path in sorted((folder / "inputs/forms").rglob("*.pdf")):
        form = path.relative_to(folder / "inputs/forms")
        game = f"--game {EXAMPLE}" if "lantern_walk" in form.parts else ""
        more = "--pdf copy.pdf" if form.stem[-1] in "13" else "--explain --hints"
        yield run(f"form/{form.with_suffix('')}", f"score in/forms/{form} {game} {more}")


def balancing(codes: dict[str, list[str]]) -> Iterator[Case]:
    for game, form in product(GAMES, ("text", "json", "pdf")):
        yield run(f"balance/{game}-{form}", f"balance {game} --games 6 --workers 1 --seed b --format {form}")
    for game, number in product(GAMES, "126"):
        options = f"--games 2 --workers 1 --players {number} --player greedy"
        yield run(f"balance/{game}-of-{number}", f"balance {game} {options}")
    for name, drawn in fewer(codes):
        command = f"balance {name.split('-')[0]} --set {drawn[0]} --games 2 --workers 1 --player random"
        yield run(f"balance/set-{name}", command)
    for variant in ("blocks", "blocks+event-die", "rows", "rows+event-die", "snake", "snake+event-die", "none"):
        yield run(f"balance/upwards-{variant}", f"balance upwards --games 4 --workers 1 --variant {variant}")
    yield run("balance/workers", "balance elevator_up --games 40 --workers 2", cold=True)
    yield run("balance/search", "balance from_the_ground_up --games 8 --workers 1 --search 2", cold=True)


def filling(checkout: Path, folder: Path) -> Iterator[Case]:
    """Blank sheets, filled in line by line and judged as they are; the field map of each sheet."""
    typed = ["", "\n" * 150, "?\nAnn\n\nBen\n\nshow\n1\n2\nundo\n3\n" + "1\n2\nx\n4\n\n" * 40 + "done\n"]
    typed.append("Ann\nBen\n\n" + "5\n6\nrubbish\n\n" * 20 + "show\ndone\n")
    for game, sheet in sheets(checkout):
        label, blank = f"{Path(game).name}-{sheet}", f"new-sheet {game} --sheet {sheet}"
        yield run(f"new-sheet/{label}", f"{blank} --players Ann,Ben -o blank.yaml", "score blank.yaml", blank)
        for number, answers in enumerate(typed):
            yield run(f"fill/{label}-{number}", f"fill {game} --sheet {sheet} sheet.yaml", stdin=answers)
        for size, form in (("a4", "text"), ("letter", "json"), ("a3", "text")):
            yield run(f"fields/{label}-{size}", f"fields {game} {sheet} -p {size} --format {form}")


def looking(codes: dict[str, list[str]]) -> Iterator[Case]:
    for game, form in product([*GAMES, EXAMPLE], ("text", "json")):
        yield run(f"rules/{Path(game).name}-{form}", f"rules {game} --format {form}", cold=True)
        yield run(f"games/{Path(game).name}-{form}", f"games {game} --format {form}")
    for shell in ("bash", "zsh", "fish", "tcsh"):
        yield run(f"completion/{shell}", f"completion {shell}", cold=True)
    throw, dice = "red=AEIO,orange=C=,green=NSR,light-blue=G,blue=/T,purple=K", codes["rolling_cubes-dice-02"][0]
    more = ["AEIOC=NSRG/TK", "rubbish!", "red=AEIOU", f"{throw} --set {dice}", f"{throw} --throw AAEEIOUNSRTGK"]
    for number, words in enumerate([throw, f"{throw} --format json --top 50", *more]):
        yield run(f"words/{number}", f"words --throw {words}")


# ---- what is read ---------------------------------------------------------------------------------------------------


def gather(checkout: Path, inputs: Path) -> None:
    """Copies the sheets and definitions of a checkout, so that a later checkout reads the same ones."""
    for path in [*checkout.glob("tests/games/*/good"), *checkout.glob("tests/games/*/bad"), checkout / "docs/examples"]:
        shutil.copytree(path, inputs / "sheets" / path.relative_to(checkout))
    shutil.copytree(checkout / EXAMPLE.removeprefix("in/"), inputs / EXAMPLE.removeprefix("in/"))
    shutil.copytree(checkout / "data/elevator_up", inputs / "examples/elevator_up")
    shutil.copytree(checkout / "templates/elevator_up", inputs / "examples/elevator_up/templates")


def groups(folder: Path) -> list[tuple[str, list[str]]]:
    """The sheets that one command judges, with a name: several games, or one game of several Upwards! sheets."""
    sheets = folder / "inputs/sheets"
    lone = [
        path
        for pattern in ("tests/games/*/good/*", "tests/games/*/bad/*/*", "docs/examples/*")
        for path in sheets.glob(pattern)
    ]
    upwards = [sorted(path.iterdir()) if path.is_dir() else [path] for path in sorted(lone) if "upwards" in str(path)]
    upwards += [sorted(sheets.glob("docs/examples/upwards_[no]*"))]
    played = product(sorted(sheets.glob("played/upwards-*")), ("game-00001", "game-00002"))
    upwards += [sorted(path.glob(f"{start}*")) for path, start in played]
    others = [path for path in sorted([*lone, *sheets.glob("played/*/*.yaml")]) if "upwards" not in str(path)]
    groups = upwards + [
        several
        for _, group in groupby(others, lambda path: path.parts[-4:-2])
        for several in batches([*group], TOGETHER)
    ]
    return [
        (
            f"{number:03}-{group[0].relative_to(sheets).with_suffix('')}",
            [f"in/{path.relative_to(folder / 'inputs')}" for path in group],
        )
        for number, group in enumerate(groups)
    ]


def components(checkout: Path, game: str) -> dict[str, dict[str, Any]]:
    return dict(yaml.safe_load((checkout / "data" / game / "game.yaml").read_text("utf-8"))["components"])


def sheets(checkout: Path) -> Iterator[tuple[str, str]]:
    """Each score sheet with its game."""
    for game in GAMES:
        yield from ((game, name) for name, part in components(checkout, game).items() if part["kind"] == "sheet")
    yield EXAMPLE, "sheet"


def garble(folder: Path) -> None:
    """Writes randomly changed sheets: as text, and as data in YAML, JSON and JSON Lines."""
    rng = random.Random("garbled")
    inputs = folder / "inputs"
    for name in ("garbled", "streams", "wrong"):
        (inputs / name).mkdir()
    lines: list[str] = []
    whole: list[str] = []
    for number, path in enumerate(sorted((inputs / "sheets").rglob("*.yaml"))):
        text = path.read_text("utf-8")
        kind = next((game for game in GAMES if game in f"{path}"), "other")
        (place := inputs / "garbled" / kind).mkdir(exist_ok=True)
        (place / f"{number:03}-text.yaml").write_text(garbled_text(text, rng), "utf-8")
        if (data := yaml.load(text, Loader)) is None:
            continue
        whole.append(json.dumps(data, ensure_ascii=False, default=str))
        changed = [garbled_data(data, rng) for _ in range(4)]
        lines += [json.dumps(data, ensure_ascii=False, default=str) for data in changed]
        (place / f"{number:03}-data.yaml").write_text(dumped(changed[0]), "utf-8")
        pretty = json.dumps(changed[1], ensure_ascii=False, indent=1, default=str)
        if number % 2:
            (place / f"{number:03}-data.json").write_text(
                pretty if number % 4 == 1 else garbled_text(pretty, rng), "utf-8"
            )
        if number % 16 == 0:
            (inputs / f"streams/documents-{number:03}.yaml").write_text(
                "---\n".join(map(dumped, [data, *changed])), "utf-8"
            )
    lines = [garbled_line(line, rng) if number % 9 == 0 else line for number, line in enumerate(lines)]
    for number, several in enumerate(batches(lines, 100)):
        (inputs / f"streams/garbled-{number:02}.jsonl").write_text("\n".join(several) + "\n", "utf-8")
    (inputs / "streams/good.jsonl").write_text("\n".join(whole) + "\n", "utf-8")
    for number in range(80):
        wrong = inputs / f"wrong/{number:03}"
        shutil.copytree(inputs / ("examples/lantern_walk" if number % 3 else "examples/elevator_up"), wrong)
        path = rng.choice(sorted(path for path in wrong.rglob("*") if path.suffix in (".yaml", ".csv", ".j2", ".svg")))
        path.write_text(garbled_text(path.read_text("utf-8"), rng), "utf-8")


class Loader(yaml.SafeLoader):
    """Reads `=`, which is special in YAML 1.1, as a text."""


Loader.add_constructor("tag:yaml.org,2002:value", Loader.construct_yaml_str)
RUBBISH = [
    "rubbish",
    "",
    "-1",
    "0",
    "7",
    "999999",
    "no",
    "~",
    "[1, 2]",
    "{a: b}",
    "x" * 90,
    "1.5",
    "Ann",
    '"\\u0007"',
    "≠",
    "010",
    "2024-01-01",
    "!!python/none x",
    "&a [*a]",
    "*b",
    "1:30",
    "true",
    "a: b: c",
    "'",
    "{{ x }}",
    "<b>",
    "NaN",
    "-",
    ". . .",
]
VALUES = [
    "rubbish",
    "",
    -1,
    0,
    7,
    999999,
    None,
    True,
    False,
    [1, 2],
    [],
    {},
    {"a": "b"},
    1.5,
    "Ann",
    "≠",
    "1",
    "x" * 90,
    [[]],
    float("nan"),
    "- . x",
    "a1 a2",
    10**30,
]


def misspelt(word: str, rng: random.Random) -> str:
    place = rng.randrange(len(word) + 1)
    return rng.choice(
        [word[:place] + word[place + 1 :], word[:place] + "q" + word[place:], word.upper(), word[::-1], word + "s"]
    )


def garbled_text(text: str, rng: random.Random) -> str:
    """Text with a line left out, repeated, misspelt, given another value, indented or cut off."""
    lines = text.splitlines() or [""]
    place = rng.choice(
        [number for number, line in enumerate(lines) if line.strip() and not line.startswith("#")] or [0]
    )
    line = lines[place]
    words = [*re.finditer(r"[\w-]+(?=:|\"|,|]|$)", line)] or [*re.finditer(".?", line)]
    word = rng.choice(words)
    new: list[list[str]] = [
        [],
        [line, line],
        [line[: word.start()] + misspelt(word[0], rng) + line[word.end() :]],
        ["  " + line],
        ["\t" + line],
        [line[1:]],
        [line[: word.start()] + rng.choice(RUBBISH) + line[word.end() :]],
        [f"{line.partition(chr(58))[0]}: {rng.choice(RUBBISH)}"],
        [line[: word.start()] + f"[{word[0]}]" + line[word.end() :]],
        [line, f"{misspelt('player', rng)}: 1"],
        [line[: len(line) // 2]],
    ]
    lines[place : place + 1] = rng.choice([*new, *[new[2], new[6], new[7]] * 3])
    return "\n".join(lines) + "\n"


def garbled_data(data: Any, rng: random.Random) -> Any:
    """Data with a key or a value left out, misspelt, repeated, put into a list, or replaced."""
    data = copy.deepcopy(data)
    holder, key = rng.choice([*places(data)])
    value = holder[key]
    way = rng.choice(["drop", "misspell", "rubbish", "rubbish", "rubbish", "list", "double", "text", "swap"])
    if way == "drop":
        del holder[key]
    elif way == "misspell" and isinstance(holder, dict):
        holder[misspelt(str(key), rng)] = holder.pop(key)
    elif way == "double" and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(value))
    elif way == "swap":
        other, name = rng.choice([*places(data)])
        holder[key] = copy.deepcopy(other[name])
    else:
        holder[key] = {"list": [value], "text": str(value)}.get(way, rng.choice(VALUES))
    return data


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every value of the data, as its container and its key in it."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(value, (dict, list)):
            yield from places(value)


def garbled_line(line: str, rng: random.Random) -> str:
    """A line of JSON with a repeated key, cut off, or with something JSON does not allow."""
    return rng.choice(
        [
            line.replace("{", '{"player": "Eve", ', 1),
            line.replace("{", '{"game": "upwards", ', 1),
            line[: len(line) // 2],
            line.replace('"', "'", 2),
            line.replace(":", "", 1),
            line + line,
            line.replace(",", ",,", 1),
            "",
            "[]",
            "1",
        ]
    )


def dumped(data: Any) -> str:
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100))


def batches(items: list[Any], size: int) -> list[list[Any]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def filled(form: Path, rng: random.Random, gently: bool) -> bytes:
    """A PDF form filled in at random; if `gentle`, only with values that are allowed."""
    reader = PdfReader(form)
    texts = ["1", "2", "3"] if gently else ["1", "2", "3", "4", "5", "6", "7", "", "", "x", "Ann", "o", "rubbish"]
    values = {}
    for name, field in (reader.get_fields() or {}).items():
        if field.get("/FT") == "/Btn":
            values[name] = rng.choice(["/Off", *field.get("/_States_", [])])
        elif re.fullmatch(r"players?\.\d(\.name)?|player", name):
            values[name] = f"Player {name}"
        elif rng.random() < (0.1 if gently else 0.6):
            values[name] = rng.choice(texts)
    writer = PdfWriter(clone_from=reader)
    for page in writer.pages:
        writer.update_page_form_field_values(page, values, auto_regenerate=False)
    writer.write(out := BytesIO())
    return out.getvalue()
