"""Writes docs/examples/otto.jpg, the photo that the documentation scores: a sheet that is filled in and photographed by
the simulator of the tests:

    PYTHONPATH=. python docs/pictures/sheet_photo.py
"""

from __future__ import annotations

from pathlib import Path

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


def main(seed: int = 20) -> None:
    shot = photo_of("upwards", "sheet", MARKS, seed=seed, kind="easy", size=(1200, 1600))
    (ROOT / "docs/examples/otto.jpg").write_bytes(shot.jpeg)


if __name__ == "__main__":
    main()
