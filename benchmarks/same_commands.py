"""The commands that `same_output.py` runs, and the sheets and games that they read."""

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
    """Commands run one after another in a folder of their own, where `in` leads to what they read."""

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
    "blank",
    "fill",
    "verify",
    "score",
    "check",
    "balance",
    "rules",
    "words",
    "cells",
    "completion",
]
EXAMPLE = "in/examples/lantern_walk"
SHOWN = ("cards", "dealer", "dice", "strip", "board")
"""Components that show a random set."""
TOGETHER = 6
"""So many sheets are judged by one command."""


# ---- what is run ----------------------------------------------------------------------------------------------------


def one(name: str, *argv: str, **more: Any) -> Case:
    return Case(name, [list(argv)], **more)


def options_of(checkout: Path, game: str) -> Iterator[tuple[str, list[str]]]:
    """Each recipe of a game with the options of `randomise` that draw by it."""
    draws = yaml.safe_load((checkout / "data" / game / "sets.yaml").read_text("utf-8"))["draws"]
    for what, draw in draws.items():
        for recipe, options in draw["recipes"].items():
            words = ["--what", what]
            for name, value in options.items():
                first = value[-1] if isinstance(value, list) else value
                words += {"run": ["--run", "3"], "each": ["--each"]}.get(name, [f"--{name}", str(first)])
            yield f"{game}-{what}-{recipe}", words


def draws(checkout: Path) -> list[Case]:
    """Random sets; every recipe of every game."""
    return [
        case
        for game in GAMES
        for name, words in options_of(checkout, game)
        for case in (
            one(
                f"randomise/{name}-json",
                "randomise",
                game,
                *words,
                "--seed",
                "same",
                "--format",
                "json",
                *(["--count", "2"] if "--run" not in words else []),
            ),
            one(f"randomise/{name}-text", "randomise", game, *words, "--seed", "words", "-o", "sets.txt"),
        )
    ]


def plays() -> list[Case]:
    """Games with simulated players, kept as sheets."""
    return [
        one(
            f"balance/{game}-{who}-keep",
            "balance",
            game,
            "--games",
            "4",
            "--seed",
            who,
            "--player",
            who,
            "--workers",
            "1",
            "--players",
            "3",
            "--keep",
            "sheets",
        )
        for game in GAMES
        for who in ("random", "careful")
    ]


def forms() -> list[Case]:
    """Score sheets to fill in."""
    return [one(f"form/make-{Path(game).name}", "make", game, "--no-booklet", cold=True) for game in [*GAMES, EXAMPLE]]


def commands_of(checkout: Path, folder: Path, drawn: dict[str, str]) -> list[Case]:
    """Every other command, with the sets that `draws` drew and the sheets that `plays` played."""
    codes = {
        name.removeprefix("randomise/").removesuffix("-json"): list(
            dict.fromkeys(re.findall(r"\b[A-Z]{2}-1\w{3}(?:-\w{5})+-\w\w\b", text))
        )
        for name, text in drawn.items()
        if name.startswith("randomise/") and name.endswith("-json")
    }
    return [
        *helps(),
        *printing(checkout),
        *sets_printed(checkout, codes),
        *judging(folder),
        *garbled(folder),
        *balancing(codes),
        *filling(checkout, folder),
        *looking(checkout, codes),
        *definitions(folder),
    ]


def helps() -> Iterator[Case]:
    for command in COMMANDS:
        yield one(f"help/{command}", command, "--help", cold=True)
        yield one(f"help/{command}-bare", command, "--nonsense")
    for number, argv in enumerate(
        [
            ["--help"],
            ["--version"],
            [],
            ["mkae"],
            ["games"],
            ["games", "--format", "json"],
            ["rules"],
            ["make"],
            ["make", "upward"],
            ["make", "upwards", "shet"],
            ["make", "upwards", "-p", "b4"],
        ]
    ):
        yield one(f"help/{number}", *argv, cold=number < 5)


def printing(checkout: Path) -> Iterator[Case]:
    """`make` of each game, in every way."""
    for game, size, way in product([*GAMES, EXAMPLE], ["a4", "letter"], [[], ["--low-ink"]]):
        yield one(f"make/{Path(game).name}-{size}{''.join(way)}", "make", game, "-p", size, *way)
    ways = [*(["--duplex", way] for way in ("short", "gutterfold", "none")), ["-q", "-p", "a3", "-p", "a2"]]
    for game, way in product([*GAMES, EXAMPLE], ways):
        yield one(f"make/{Path(game).name}{''.join(way)}", "make", game, "--no-booklet", "--no-fillable", *way)
    yield one("make/all", "make", "--all", "-o", "there", "--no-fillable", cold=True)
    for game in GAMES:
        for number, (name, part) in enumerate(components(checkout, game).items()):
            pad = ["--copies", "12"] if part["kind"] == "sheet" else ["--no-booklet"]
            yield one(
                f"make/{game}-only-{name}", "make", game, name, *pad, "--low-ink", "--format", "json", quick=number == 0
            )
        yield one(f"make/{game}-copies", "make", game, "--copies", "2", "--no-booklet", "-c", name)
        yield one(f"make/{game}-random", "make", game, "--random", "--seed", "make", cold=True)


def fewer(codes: dict[str, list[str]]) -> list[tuple[str, list[str]]]:
    """The codes of every recipe, but only a third of the many that the cards of one game have."""
    cards = [name for name in codes if name.startswith("from_the_ground_up")]
    return [(name, drawn) for name, drawn in codes.items() if name not in cards or name in cards[::3]]


def sets_printed(checkout: Path, codes: dict[str, list[str]]) -> Iterator[Case]:
    """Sets made again by their codes; what shows them, and one thing that does not, verified."""
    for name, drawn in fewer(codes):
        game, code = name.split("-")[0], drawn[0]
        size = "letter" if code[-1] > "H" else "a4"
        printed = [part for part in components(checkout, game) if part in SHOWN]
        yield Case(
            f"make/set-{name}",
            [
                [
                    "make",
                    game,
                    "--set",
                    code,
                    *(word for part in printed for word in ("-c", part)),
                    "-o",
                    ".",
                    "-p",
                    size,
                    *(["--low-ink"] if code[-1] in "02468ACEGJMPRTWY" else []),
                ],
                *(["verify", f"{game}/{part}-{size}-{code}.pdf"] for part in printed),
            ],
        )
        yield Case(
            f"verify/{name}",
            [
                ["verify", code],
                ["verify", code.lower(), "--format", "json"],
                ["verify", code[:-1] + ("0" if code[-1] != "0" else "1")],
                ["verify", code[:9]],
            ],
        )
    for game in GAMES:
        several = [code for name, drawn in codes.items() if name.startswith(game) for code in drawn][:3]
        yield one(
            f"make/sets-{game}", "make", game, "--no-booklet", *(word for code in several for word in ("--set", code))
        )
        yield one(f"make/sets-{game}-wrong", "make", game, "--set", several[0][:-1] + "U")
        yield Case(
            f"verify/standard-{game}",
            [
                ["make", game, "--no-booklet", "--no-fillable"],
                *(["verify", f"output/{game}/{part}-a4.pdf"] for part in components(checkout, game)),
            ],
        )


def judging(folder: Path) -> Iterator[Case]:
    """Each sheet of the tests and the documentation, and those that were played."""
    for number, (name, files) in enumerate(groups(folder)):
        yield one(f"judge/{name}-text", "score", *files, "--explain", "--hints", "--strict")
        if number % 2:
            yield one(f"judge/{name}-json", "score", *files, "--format", "json", "--hints")
        if number % 6 == 0:
            yield one(f"judge/{name}-check", "check", *files, "--hints")
            yield one(
                f"judge/{name}-copy", "score", *files, "--pdf", "copy.pdf", "-p", "letter" if number % 4 else "a4"
            )
            text = (folder / "inputs" / files[0].removeprefix("in/")).read_text("utf-8")
            yield one(f"judge/{name}-stdin", "score", "-", "--format", "json", stdin=text)
    for path in sorted((folder / "inputs/streams").iterdir()):
        for command, *options in (
            ["score", "--format", "jsonl", "--hints", "--explain"],
            ["check", "--format", "jsonl", "--strict"],
            ["score"],
        ):
            yield one(
                f"stream/{path.name}-{command}-{len(options)}",
                command,
                *options,
                f"in/streams/{path.name}",
                cold=path.name == "good.jsonl",
            )
    for number, argv in enumerate(
        [
            ["score", "in/missing.yaml"],
            ["score", "in"],
            ["check", "in/sheets"],
            ["score"],
            ["score", "in/wrong.pdf"],
            ["score", "--game", "upwords", "in/sheets/docs/examples/table.yaml"],
            ["score", "--font", "x.ttf", "in/sheets/docs/examples/table.yaml"],
        ]
    ):
        yield one(f"judge/wrong-{number}", *argv, cold=True)


def garbled(folder: Path) -> Iterator[Case]:
    """Sheets that were changed by chance: YAML and JSON one by one, and as lines of a stream (`judging` has those)."""
    for path in sorted((folder / "inputs/garbled").iterdir()):
        files = [f"in/garbled/{path.name}/{file.name}" for file in sorted(path.iterdir())]
        for several in batches(files, 1 if "upwards" in path.name else TOGETHER):
            yield one(f"garbled/{path.name}/{Path(several[0]).name}", "score", *several)


def balancing(codes: dict[str, list[str]]) -> Iterator[Case]:
    for game, form in product(GAMES, ("text", "json", "pdf")):
        yield one(
            f"balance/{game}-{form}", "balance", game, "--games", "6", "--workers", "1", "--seed", "b", "--format", form
        )
    for game, number in product(GAMES, "126"):
        yield one(
            f"balance/{game}-of-{number}",
            "balance",
            game,
            "--games",
            "2",
            "--workers",
            "1",
            "--players",
            number,
            "--player",
            "greedy",
        )
    for name, drawn in fewer(codes):
        yield one(
            f"balance/set-{name}",
            "balance",
            name.split("-")[0],
            "--set",
            drawn[0],
            "--games",
            "2",
            "--workers",
            "1",
            "--player",
            "random",
        )
    for variant in ("blocks", "blocks+event-die", "rows", "rows+event-die", "snake", "snake+event-die", "none"):
        yield one(
            f"balance/upwards-{variant}", "balance", "upwards", "--games", "4", "--workers", "1", "--variant", variant
        )
    yield one("balance/workers", "balance", "elevator_up", "--games", "40", "--workers", "2", cold=True)
    yield one(
        "balance/search", "balance", "from_the_ground_up", "--games", "8", "--workers", "1", "--search", "2", cold=True
    )


def filling(checkout: Path, folder: Path) -> Iterator[Case]:
    """Blank sheets, filled line by line and judged as they are; where the fields of a sheet lie."""
    for game, sheet in sheets(checkout):
        label = f"{Path(game).name}-{sheet}"
        yield Case(
            f"blank/{label}",
            [
                ["blank", game, "--sheet", sheet, "--players", "Ann,Ben", "-o", "blank.yaml"],
                ["score", "blank.yaml"],
                ["blank", game, "--sheet", sheet],
            ],
        )
        for number, answers in enumerate(
            [
                "",
                "\n" * 150,
                "?\nAnn\n\nBen\n\nshow\n1\n2\nundo\n3\n" + "1\n2\nx\n4\n\n" * 40 + "done\n",
                "Ann\nBen\n\n" + "5\n6\nrubbish\n\n" * 20 + "show\ndone\n",
            ]
        ):
            yield one(f"fill/{label}-{number}", "fill", game, "--sheet", sheet, "sheet.yaml", stdin=answers)
        for size, form in (("a4", "text"), ("letter", "json"), ("a3", "text")):
            yield one(f"cells/{label}-{size}", "cells", game, sheet, "-p", size, "--format", form)
    for path in sorted((folder / "inputs/forms").iterdir()):
        yield one(
            f"form/{path.stem}",
            "score",
            f"in/forms/{path.name}",
            *(["--pdf", "copy.pdf"] if path.stem[-1] == "1" else ["--explain"]),
        )


def looking(checkout: Path, codes: dict[str, list[str]]) -> Iterator[Case]:
    for game, form in product([*GAMES, EXAMPLE], ("text", "json")):
        yield one(f"rules/{Path(game).name}-{form}", "rules", game, "--format", form, cold=True)
        yield one(f"games/{Path(game).name}-{form}", "games", game, "--format", form)
    for shell in ("bash", "zsh", "fish", "tcsh"):
        yield one(f"completion/{shell}", "completion", shell, cold=True)
    throw = "red=AEIO,orange=C=,green=NSR,light-blue=G,blue=/T,purple=K"
    for number, argv in enumerate(
        [
            [throw],
            [throw, "--format", "json", "--top", "50"],
            ["AEIOC=NSRG/TK"],
            ["rubbish!"],
            ["red=AEIOU"],
            [throw, "--set", codes["rolling_cubes-dice-02"][0]],
            [throw, "--throw", "AAEEIOUNSRTGK"],
        ]
    ):
        yield one(f"words/{number}", "words", "--throw", *argv)


def definitions(folder: Path) -> Iterator[Case]:
    """Games with a mistake in their definitions."""
    for path in sorted((folder / "inputs/wrong").iterdir()):
        game = f"in/wrong/{path.name}"
        yield Case(f"definitions/{path.name}", [["make", game, "--no-booklet", "--no-fillable", "-q"]])


# ---- what is read ---------------------------------------------------------------------------------------------------


def gather(checkout: Path, inputs: Path) -> None:
    """Copies the sheets and definitions of a checkout, so that a later one is asked about the same."""
    for path in [*checkout.glob("tests/games/*/good"), *checkout.glob("tests/games/*/bad"), checkout / "docs/examples"]:
        shutil.copytree(path, inputs / "sheets" / path.relative_to(checkout))
    shutil.copytree(checkout / EXAMPLE.removeprefix("in/"), inputs / EXAMPLE.removeprefix("in/"))
    shutil.copytree(checkout / "data/elevator_up", inputs / "examples/elevator_up")
    shutil.copytree(checkout / "templates/elevator_up", inputs / "examples/elevator_up/templates")


def groups(folder: Path) -> list[tuple[str, list[str]]]:
    """The sheets that one command judges, with a name: several games at once, but sheets of Upwards! are one game."""
    sheets = folder / "inputs/sheets"
    lone = [
        path
        for pattern in ("tests/games/*/good/*", "tests/games/*/bad/*/*", "docs/examples/*")
        for path in sheets.glob(pattern)
    ]
    upwards = [sorted(path.iterdir()) if path.is_dir() else [path] for path in sorted(lone) if "upwards" in str(path)]
    upwards += [sorted(sheets.glob("docs/examples/upwards_[no]*"))]
    upwards += [sorted(sheets.glob(f"played/upwards-*/{start}*")) for start in ("game-00001", "game-00002")]
    others = [path for path in sorted([*lone, *sheets.glob("played/*/*.yaml")]) if "upwards" not in str(path)]
    found = upwards + [
        several
        for _, group in groupby(others, lambda path: path.parts[-4:-2])
        for several in batches([*group], TOGETHER)
    ]
    return [
        (
            f"{number:03}-{group[0].relative_to(sheets).with_suffix('')}",
            [f"in/{path.relative_to(folder / 'inputs')}" for path in group],
        )
        for number, group in enumerate(found)
    ]


def components(checkout: Path, game: str) -> dict[str, dict[str, Any]]:
    return dict(yaml.safe_load((checkout / "data" / game / "game.yaml").read_text("utf-8"))["components"])


def sheets(checkout: Path) -> Iterator[tuple[str, str]]:
    """Each score sheet with its game."""
    for game in GAMES:
        yield from ((game, name) for name, part in components(checkout, game).items() if part["kind"] == "sheet")
    yield EXAMPLE, "sheet"


def garble(folder: Path) -> None:
    """Writes the sheets changed by chance: as text, and as data in YAML, in JSON and as lines of a stream."""
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
        lines += [json.dumps(one, ensure_ascii=False, default=str) for one in changed]
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
    """Takes the = of YAML 1.1 for a text."""


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
    """Text with a line dropped, doubled, misspelt, given another value, moved in, or cut off."""
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
    """Data with a key or a value dropped, misspelt, doubled, put into a list, or replaced."""
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
    """Every value of the data, by what holds it and its key there."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(value, (dict, list)):
            yield from places(value)


def garbled_line(line: str, rng: random.Random) -> str:
    """A line of JSON with a key twice, cut off, or with what JSON does not know."""
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


def filled(form: Path, rng: random.Random) -> bytes:
    """A PDF form, filled in by chance."""
    reader = PdfReader(form)
    values = {
        name: rng.choice(["/Yes", "/On", "/Off", *field.get("/_States_", [])])
        if field.get("/FT") == "/Btn"
        else rng.choice(["1", "2", "3", "4", "5", "6", "7", "", "", "x", "Ann", "Ben", "o", "rubbish"])
        for name, field in (reader.get_fields() or {}).items()
        if rng.random() < 0.6
    }
    writer = PdfWriter(clone_from=reader)
    for page in writer.pages:
        writer.update_page_form_field_values(page, values, auto_regenerate=False)
    writer.write(out := BytesIO())
    return out.getvalue()
