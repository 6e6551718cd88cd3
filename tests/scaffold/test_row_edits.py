"""A change to a row of a text leaves everything else in the file as it is."""

import pytest

from generator.errors import InputError
from generator.scaffold.edits import NewRow, edited_rows
from generator.tables.delimited import grid_of

LANTERNS = b'Name,Copies,Text\r\n"Paper Moon", 2 ,"Counts ""double"", at night."\r\n# a comment\r\nOld Kiln,1,Still\r\n'


def change(raw, line, *cells, name="cards.csv"):
    return edited_rows(raw, name, [line], [NewRow(cells, line)], 1)


@pytest.mark.parametrize(
    ("raw", "line", "cells", "expected"),
    [
        (LANTERNS, 4, ("Old Kiln", "3", "Still"), LANTERNS.replace(b"Kiln,1", b"Kiln,3")),
        (LANTERNS, 2, ("Moon", "2", 'Counts "double", at night.'), LANTERNS.replace(b"Paper ", b"")),
        (LANTERNS, 2, ("Paper Moon", "5", 'Counts "double", at night.'), LANTERNS.replace(b" 2 ", b" 5 ")),
        (LANTERNS, 4, ("Old Kiln", "1", "a\nb"), LANTERNS.replace(b"Still", b'"a\nb"')),
        (b"\xef\xbb\xbfA;B\nx;1", 2, ("y", "1"), b"\xef\xbb\xbfA;B\ny;1"),
        ("Näme\tB\rx\t1\ry\t2\r".encode("utf-16"), 3, ("z", "2"), "Näme\tB\rx\t1\rz\t2\r".encode("utf-16")),
        ("Name,B\nä,1\nb,2\n".encode("cp1252"), 3, ("é", "2"), "Name,B\nä,1\né,2\n".encode("cp1252")),
        (b"sep=;\nName;Qty\na,b;1\n", 3, ("a,c", "1"), b"sep=;\nName;Qty\na,c;1\n"),
        (
            b"| Name | Qty |\n|---|---|\n| Moon | 2 |\n",
            3,
            ("", "Sun", "2", ""),
            b"| Name | Qty |\n|---|---|\n| Sun | 2 |\n",
        ),
        (b"Name,Cost,Text\nMoon,1\nSun,2,b\n", 2, ("Moon", "1", "new"), b"Name,Cost,Text\nMoon,1,new\nSun,2,b\n"),
    ],
)
def test_only_the_changed_cell_is_written(raw, line, cells, expected):
    assert change(raw, line, *cells) == expected


def test_rows_are_added_removed_and_moved():
    raw = b'Name,Text\n"a","x"\n"b","y"'
    assert edited_rows(raw, "c.csv", [], [NewRow(("c", "z"))], 3) == b'Name,Text\n"a","x"\n"b","y"\n"c","z"'
    assert edited_rows(raw, "c.csv", [], [NewRow(("c", "z"))], 1) == b'Name,Text\n"c","z"\n"a","x"\n"b","y"'
    assert edited_rows(raw, "c.csv", [3], [], 1) == b'Name,Text\n"a","x"'
    moved = [NewRow(("b", "y"), 3), NewRow(("a", "x"), 2)]
    assert edited_rows(raw, "c.csv", [2, 3], moved, 1) == b'Name,Text\n"b","y"\n"a","x"'


@pytest.mark.parametrize(
    ("raw", "cells", "message"),
    [
        ("Name,B\nä,1\nb,2\n".encode("cp1252"), ("漢", "1"), "cannot be written in Windows-1252"),
        (b"A;B\n1,1;3\n2,2;4\n", ("a,b,c;d", "1"), "read differently"),
        (b"Name\nx\n", ("a,b",), ""),
    ],
)
def test_what_would_be_read_differently_is_refused(raw, cells, message):
    try:
        new = change(raw, 2, *cells)
    except InputError as error:
        assert message in str(error)
    else:
        assert grid_of(new, "c.csv")[0].rows[1][1][: len(cells)] == list(cells)
