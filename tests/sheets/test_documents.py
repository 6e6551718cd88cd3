"""Splitting files into documents: several in one file, unreadable ones in between, and limits."""

import json
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.sheets import Document, documents
from generator.sheets.documents import MAX_BYTES
from tests.processes import run


def read(raw: bytes, name: str = "f.yaml") -> list[str]:
    """Each document as its first line and first value, each error as its text."""
    return [
        str(document) if isinstance(document, InputError) else f"{document.place.line}: {first(document)}"
        for document in documents(BytesIO(raw), name)
    ]


def first(document: Document) -> str:
    assert isinstance(document.data, dict)
    return str(next(iter(document.data.values())))


@pytest.mark.parametrize(
    "raw",
    [
        b"a: 1\n---\na: 2\n",
        b"---\na: 1\n---\na: 2\n---\n",
        b"a: 1\r\n---\r\na: 2\r\n",
        b"\xef\xbb\xbfa: 1\n--- # two\na: 2\n---",
        b"a: 1\n---\n---\n# nothing\n---\na: 2",
    ],
)
def test_documents_between_markers(raw: bytes) -> None:
    assert [document.split()[1] for document in read(raw)] == ["1", "2"]


def test_documents_begin_at_their_lines() -> None:
    assert read(b"a: 1\n\n---\n\na: 2\n---\na: 3\n...\n") == ["1: 1", "5: 2", "7: 3"]


def test_json_lines_are_recognised_by_name_or_content() -> None:
    raw = b'{"a": 1}\n\n{"a": 2}\n{"a": 3}'
    assert read(raw) == read(raw, "f.jsonl") == ["1: 1", "3: 2", "4: 3"]
    assert read(b'{"a": 1}', "f.ndjson") == ["1: 1"]
    assert read(b'{"a":\n 1}\n') == ["1: 1"]


def test_an_unreadable_document_does_not_affect_the_others() -> None:
    assert read(b"a: 1\n---\na: [\n---\na: 3\n") == [
        "1: 1",
        "f.yaml:4: not readable as YAML: a value is missing at the end; close it with “]” or “}”",
        "5: 3",
    ]
    assert [line.split(":")[0] for line in read(b'{"a": 1}\n{"a": \n{"a": 3}\n')] == ["1", "f.yaml", "3"]
    assert read(b"a: 1\n---\nb: 1\nb: 2\n---\na: 3\n")[1] == "f.yaml:4: key “b” appears twice; first on line 3"
    assert read(b"a: 1\n---\n\xff\n---\na: 3\n")[1] == "f.yaml:3: not UTF-8 text; save the file as UTF-8"


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (b'{"a": 1}\n"b": 2}\n{"c": 3}\n', ["1", "2: a line must begin with “{”", "3"]),
        (b'{"a": 1}\n{"b": 2\n{"c": 3}\n', ["1", "2: it ends too early; add the “}” or “]” that closes it", "3"]),
        (b'{"a": 1\n{"b": 2}\n{"c": 3}\n', ["1: it ends too early; add the “}” or “]” that closes it", "2", "3"]),
        (b'"a": 1}\n{"b": 2}\n{"c": 3}\n', ["1: a line must begin with “{”", "2", "3"]),
        (b'{"a": 1}\n\nnonsense\n{"c": 3}', ["1", "3: a line must begin with “{”", "4"]),
        (b'{"a": 1}\n{"b" 2}\n{"c": 3}', ["1", "2: a “:” is missing (column 6)", "3"]),
        (b'{"a": 1}\n{"b": 2} x\n{"c": 3}', ["1", "2: there is more after the end of the document (column 10)", "3"]),
    ],
)
def test_only_the_invalid_line_of_json_is_reported(raw: bytes, lines: list[str]) -> None:
    for name in ("f.yaml", "f.jsonl"):
        answers = read(raw, name)
        assert [answer.removeprefix(f"{name}:").replace("not readable as JSON: ", "") for answer in answers] == [
            line if ":" in line else f"{line}: {number}" for number, line in enumerate(lines, 1)
        ]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (
            b'{"a": 1,\n "b": [1, 2,\n "c": 3}\n',
            "3: not readable as JSON: a comma or a closing bracket is missing (column 5)",
        ),
        (b'{"a": "x}', "1: not readable as JSON: the text that begins here has no closing quotation mark (column 7)"),
        (b'[{"a": 1}, {', "1: not readable as JSON: it ends too early; add the “}” or “]” that closes it"),
        (b"a:\n\tb: 1", "2: not readable as YAML: this line is indented with a tab; indent with spaces"),
        (b"a: @b", "1: not readable as YAML: this value begins with “@”; quote it"),
        (b"a: 'b\nc: 1\nd: 2", "1: not readable as YAML: a quotation mark is not closed; add the closing one"),
        (b"a: 1\nb\nc: 2", "2: not readable as YAML: this line has no “:”; write “key: value”"),
        (b"a: 1\nb: \x01", "2: not readable as YAML: an invisible character: control character (U+0001); delete it"),
        (
            b"a: [1, 2\nb: 3",
            "2: not readable as YAML: a “[” is not closed, or a comma is missing after a value; "
            "quote a value that contains a comma, a bracket or a quotation mark",
        ),
    ],
)
def test_invalid_syntax_is_explained_in_plain_words(raw: bytes, message: str) -> None:
    assert read(raw) == [f"f.yaml:{message}"]


def test_json_may_be_indented_with_tabs() -> None:
    assert read(b'\t{"a": 1}') == read(b'{\n\t"a": 1\n}') == ["1: 1"]


def test_directives_belong_to_the_document_after_them() -> None:
    assert read(b"%YAML 1.2\n---\na: 1\n") == ["3: 1"]
    assert read(b"# one\n%YAML 1.2\n# two\n\n---\na: 1\n...\n%YAML 1.2\n---\na: 2\n") == ["6: 1", "10: 2"]
    assert read(b"%YAML 1.2\r\n---\r\na: [\r\n---\r\na: 2")[1] == "5: 2"


def test_surrogate_pairs_in_json() -> None:
    assert read(json.dumps({"a": "🎲 \\ud83d"}).encode()) == ["1: 🎲 \\ud83d"]


@pytest.mark.parametrize("raw", [b"", b"\n\n", b"# nothing\n", b"---\n---\n", b"~", b"\xef\xbb\xbf"])
def test_a_file_without_a_sheet_is_an_error(raw: bytes) -> None:
    assert read(raw) == ["f.yaml: there is no filled-in sheet in this file"]


@pytest.mark.parametrize("fill", [b"x" * 99, b"x\n", b"- a\n", b"#\n"])
def test_a_document_that_is_too_large_does_not_affect_the_next(fill: bytes) -> None:
    large = fill * (3 * MAX_BYTES // len(fill))
    raw = b"a: 1\n---\n" + large + b"\n---\na: 3\n"
    before, error, after = read(raw)
    assert before == "1: 1"
    assert error == "f.yaml:2: a sheet may not be larger than 1 MB"
    assert after == f"{raw[: raw.rindex(b'a: 3')].count(10) + 1}: 3"


def test_markers_across_the_end_of_a_block() -> None:
    for size in range((1 << 18) - 12, (1 << 18) + 4):
        raw = b"a: " + b"x" * size + b"\n---\na: 2\n"
        assert [document[-1] for document in read(raw)] == ["x", "2"], size


HOSTILE = {  # made when needed, as they are large
    "alias bomb": lambda: (
        b"a: &a [x,x,x,x,x,x,x,x,x]\n"
        + b"".join(
            b"%c: &%c [%s]\n" % (here, here, b",".join([b"*%c" % before] * 9))
            for before, here in pairwise(range(ord("a"), ord("l")))
        )
    ),
    "deep lists": lambda: b"a: " + b"[" * 500_000,
    "deep mappings": lambda: b"{a: " * 200_000,
    "deep blocks": lambda: b"".join(b" " * depth + b"a:\n" for depth in range(1000)),
    "many values": lambda: b"- a\n" * 240_000,
    "many keys": lambda: b"".join(b"k%d: 1\n" % n for n in range(90_000)),
    "self alias": lambda: b"a: &a [*a]",
    "long key": lambda: b"x" * 900_000 + b": 1",
    "one line": lambda: b"a: '" + b"x" * 100_000_000,
    "empty lines": lambda: b"\n" * 100_000_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_input_gets_one_clear_line_in_bounded_memory(kind: str, tmp_path: Path) -> None:
    """In a separate process limited to 300 MiB and 5 seconds of CPU time."""
    path = tmp_path / "hostile.yaml"
    path.write_bytes(b"game: from_the_ground_up\n---\n" + HOSTILE[kind]())

    result = run("check", path, folder=Path(__file__).parents[2], seconds=5)
    assert result.returncode == 2, result
    assert result.peak < 300
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")
