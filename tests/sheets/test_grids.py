"""Groups typed as they look on the paper."""

from io import BytesIO

import pytest

from generator.definitions.models import FieldFile
from generator.definitions.nodes import Mapping
from generator.definitions.nodes import document as parsed
from generator.errors import InputError
from generator.sheets import documents
from generator.sheets.grids import keyed

GRID = FieldFile(across=2, fields={name: FieldFile(kind="number") for name in ("a3", "b3", "a2", "b2", "a1", "b1")})
TICKS = FieldFile(fields={name: FieldFile(kind="tick") for name in ("big", "small_one")})
OTHER = FieldFile(fields={"name": FieldFile(kind="text")})


def typed(text: str, spec: FieldFile) -> list[tuple[str, str, int]]:
    """(field, mark, line) for each mark."""
    made = keyed(parsed(text, "f.yaml"), spec, "part")
    assert isinstance(made, Mapping)
    return [(key.text, getattr(value, "text", "?"), value.place.line) for key, value in made.pairs]


@pytest.mark.parametrize("text", ["- 1 2\n- 3 4\n- 5 6", "[[1, 2], 3 4, '5,6']", "['12', 3   4, 56]"])
def test_a_grid_is_typed_from_the_top(text: str) -> None:
    assert [mark[:2] for mark in typed(text, GRID)] == [
        ("a3", "1"), ("b3", "2"), ("a2", "3"), ("b2", "4"), ("a1", "5"), ("b1", "6")]


def test_fewer_rows_are_the_lowest() -> None:
    assert typed("- 3 .\n- 5 6", GRID) == [("a2", "3", 1), ("b2", ".", 1), ("a1", "5", 2), ("b1", "6", 2)]
    assert typed("|\n  3 .\n  5 6\n", GRID) == [("a2", "3", 1), ("b2", ".", 1), ("a1", "5", 1), ("b1", "6", 1)]


def test_a_row_may_be_blank() -> None:
    assert [mark[1] for mark in typed("['.', '']", GRID)] == [".", ".", "", ""]


@pytest.mark.parametrize(("text", "names"), [
    ("big", ["big"]), ("BIG", ["big"]), ("[small-one, big]", ["small_one", "big"]), ("[]", [])])
def test_ticks_are_typed_by_their_names(text: str, names: list[str]) -> None:
    assert [mark[0] for mark in typed(text, TICKS)] == names


@pytest.mark.parametrize(("text", "spec", "message"), [
    ("[1 2, 1 2, 1 2, 1 2]", GRID, "part has 4 rows, but there are 3 on the paper"),
    ("[1 2 3]", GRID, "the row a1 to b1 of part has 3 marks instead of 2"),
    ("[{a1: 2}]", GRID, "the row a1 to b1 of part has 0 marks instead of 2"),
    ("bg", TICKS, "part must be big or small_one, not “bg”"), ("[[big]]", TICKS, "not “a list”")])
def test_what_cannot_be_meant(text: str, spec: FieldFile, message: str) -> None:
    with pytest.raises(InputError, match=message):
        typed(text, spec)


def test_other_groups_and_keys_stay_as_they_are() -> None:
    for text, spec in (("{a1: 2}", GRID), ("{big: x}", TICKS), ("word", OTHER)):
        (node,) = documents(BytesIO(text.encode()), "f.yaml")
        assert not isinstance(node, InputError)
        assert keyed(node, spec, "part") is node
