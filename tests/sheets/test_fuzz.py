"""Every input gets an answer, never a traceback."""

import json
from io import BytesIO
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from generator.judging.judge import Judge
from generator.rules.results import Judged, plain
from generator.rules.text import text
from generator.sheets import documents

JUDGE = Judge()
GOOD = [
    path.read_text("utf-8")
    for path in sorted((Path(__file__).parents[1] / "games/from_the_ground_up").glob("*/**/*.yaml"))
]
FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def judged(raw: bytes) -> None:
    for document in documents(BytesIO(raw), "f.yaml"):
        answer = JUDGE.answer(document, "f.yaml")
        output = json.dumps(plain(answer))
        if isinstance(answer, Judged):
            output += text(answer, width=40)
        assert all(letter.isprintable() or letter == "\n" for letter in output)


@FEW
@given(st.binary(max_size=300))
def test_any_bytes(raw: bytes) -> None:
    judged(raw)


@FEW
@example("\x850\x850")  # line breaks of YAML 1.1
@given(st.text(max_size=300))
def test_any_text(typed: str) -> None:
    judged(typed.encode("utf-8", "surrogatepass"))
    judged(b"game: from_the_ground_up\n" + typed.encode("utf-8", "surrogatepass"))


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    """A sheet from the tests with a few pieces cut out, duplicated or overwritten."""
    sheet = draw(st.sampled_from(GOOD))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(sheet)))
        end = min(len(sheet), start + draw(st.integers(0, 12)))
        new = draw(
            st.sampled_from(
                [
                    "",
                    sheet[start:end] * 2,
                    ".",
                    "-1",
                    "0",
                    "99",
                    "[",
                    "{",
                    ": ",
                    "\n",
                    "- ",
                    "&a ",
                    "*a",
                    "x",
                    "true",
                    "\t",
                    "'",
                    "\\",
                    "---\n",
                    "…",
                ]
            )
        )
        sheet = sheet[:start] + new + sheet[end:]
    return sheet


@FEW
@given(_damaged())
def test_damaged_sheets(sheet: str) -> None:
    judged(sheet.encode())


_NUMBERS = st.integers(-1, 14)
_NAMES = st.sampled_from(["Ann", "Ben", "ann", "", "."])
_CARD = st.fixed_dictionaries(
    {},
    optional={
        "card": _NUMBERS,
        "star": st.integers(1, 6) | st.none(),
        "flipped": st.booleans(),
        "crates": st.lists(st.integers(1, 6) | st.none(), max_size=7),
    },
)
_SHARED = st.fixed_dictionaries(
    {"card": st.integers(1, 12)},
    optional={
        "star": st.integers(1, 6),
        "crates": st.lists(st.integers(1, 6) | st.none(), max_size=6),
        "ticked": st.lists(st.integers(1, 6), unique=True),
    },
)
_PLAYER = st.fixed_dictionaries(
    {"name": _NAMES},
    optional={
        "cards": st.lists(_CARD, max_size=4),
        "discarded": _NUMBERS,
        "claimed": st.fixed_dictionaries({"total": st.integers(-20, 20)}),
    },
)
_MARK = st.fixed_dictionaries(
    {"card": st.integers(1, 12)},
    optional={"crate": st.integers(0, 7), "star": st.booleans(), "tick": st.integers(0, 7)},
)
_ENTRY = st.fixed_dictionaries(
    {"player": st.sampled_from(["Ann", "Ben"])},
    optional={
        "roll": st.integers(1, 6),
        "mark": _MARK,
        "flip": st.integers(1, 12),
        "pass": st.integers(1, 12),
        "star": st.booleans(),
        "tick": st.integers(1, 7),
        "card": st.integers(1, 12),
    },
)
_SHEET = st.fixed_dictionaries(
    {"game": st.just("from_the_ground_up")},
    optional={
        "players": st.lists(_PLAYER, max_size=3),
        "shared": st.lists(_SHARED, max_size=3),
        "variant": st.sampled_from(["stall", None]),
        "log": st.lists(_ENTRY, max_size=6),
        "deal": st.dictionaries(st.sampled_from(["Ann", "Ben"]), st.lists(st.integers(1, 12), max_size=3)),
    },
)


@FEW
@given(_SHEET)
def test_almost_readable_sheets(sheet: dict[str, object]) -> None:
    judged(json.dumps(sheet).encode())


_TURN = st.one_of(
    st.fixed_dictionaries(
        {"player": st.sampled_from(["Ann", "Ben"]), "roll": st.integers(1, 6)},
        optional={
            "mark": st.one_of(
                st.fixed_dictionaries({"card": st.integers(1, 7), "crate": st.integers(1, 7)}),
                st.fixed_dictionaries({"card": st.integers(1, 7), "star": st.just(True)}),
                st.fixed_dictionaries({"card": st.integers(1, 7), "tick": st.integers(1, 7)}),
            ),
            "flip": st.integers(1, 7),
        },
    ),
    st.fixed_dictionaries({"player": st.sampled_from(["Ann", "Ben"]), "pass": st.integers(1, 7)}),
)


@FEW
@given(st.lists(_TURN, max_size=8), st.lists(st.integers(1, 7), max_size=3), st.lists(st.integers(1, 7), max_size=3))
def test_arbitrary_logs(log: list[object], ann: list[int], ben: list[int]) -> None:
    players = [{"name": "Ann"}, {"name": "Ben"}]
    judged(
        json.dumps(
            {"game": "from_the_ground_up", "players": players, "deal": {"Ann": ann, "Ben": ben}, "log": log}
        ).encode()
    )
