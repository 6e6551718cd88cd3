"""Writes docs/examples/otto.jpg and pebbles.jpg, the photos that the documentation scores: sheets that are filled in
and photographed by the simulator of the tests:

    PYTHONPATH=. python docs/pictures/sheet_photo.py
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from render import example  # beside this file

from tests.photo.simulate import photo_of

ROOT = Path(__file__).resolve().parents[2]
ROWS = ("2222", "3333", "4..4")
"""From the ground up."""
GRID = {f"grid.{'abcd'[x]}{y}": mark for y, row in enumerate(ROWS, 1) for x, mark in enumerate(row) if mark != "."}
CLAIMED = {"columns.1": "2", "columns.2": "1", "columns.3": "1", "columns.4": "2", "option": "10", "total": "16"}
MARKS = {
    "player": "Otto",
    "option.rows": "x",
    **GRID,
    **{f"claimed.{name}": mark for name, mark in CLAIMED.items()},
}


PLAYERS = {"Ada": ("12 9 15 0 22", "3", "78"), "Bo": ("10 14 8 30 3", "1", "75")}
"""The rounds, golden pebbles and totals of docs/score_pad.md."""
PEBBLES = {
    f"players.{number}.{name}": mark
    for number, (player, (rounds, golden, total)) in enumerate(PLAYERS.items(), 1)
    for name, mark in {
        "name": player,
        **{f"rounds.{round_}": mark for round_, mark in enumerate(rounds.split(), 1)},
        "golden": golden,
        "claimed.total": total,
    }.items()
}


def main(seed: int = 20, pebbles_seed: int = 10) -> None:
    shot = photo_of("upwards", "sheet", MARKS, seed=seed, kind="easy", size=(1200, 1600))
    (ROOT / "docs/examples/otto.jpg").write_bytes(shot.jpeg)
    with TemporaryDirectory() as name:
        key = example("score_pad", Path(name) / "pebble_toss")
        shot = photo_of(key, "pad", PEBBLES, seed=pebbles_seed, kind="easy", size=(1200, 1600))
    (ROOT / "docs/examples/pebbles.jpg").write_bytes(shot.jpeg)


if __name__ == "__main__":
    main()
