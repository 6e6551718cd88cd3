"""Files → documents: several in one file, unreadable ones in their place, and nothing that takes too long."""

import json
import resource
import subprocess
import sys
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.sheets import Document, documents
from generator.sheets.documents import MAX_BYTES


def read(raw: bytes, name: str = "f.yaml") -> list[str]:
    """Each document as its first line and first value, each error as its text."""
    return [
        str(one) if isinstance(one, InputError) else f"{one.place.line}: {first(one)}"
        for one in documents(BytesIO(raw), name)
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
    assert [told.split()[1] for told in read(raw)] == ["1", "2"]


def test_documents_know_their_lines() -> None:
    assert read(b"a: 1\n\n---\n\na: 2\n---\na: 3\n...\n") == ["1: 1", "5: 2", "7: 3"]


def test_json_lines_by_name_or_by_looks() -> None:
    raw = b'{"a": 1}\n\n{"a": 2}\n{"a": 3}'
    assert read(raw) == read(raw, "f.jsonl") == ["1: 1", "3: 2", "4: 3"]
    assert read(b'{"a": 1}', "f.ndjson") == ["1: 1"]
    assert read(b'{"a":\n 1}\n') == ["1: 1"]


def test_an_unreadable_document_leaves_the_others() -> None:
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
def test_a_broken_line_of_json_is_reported_alone(raw: bytes, lines: list[str]) -> None:
    for name in ("f.yaml", "f.jsonl"):
        told = read(raw, name)
        assert [one.removeprefix(f"{name}:").replace("not readable as JSON: ", "") for one in told] == [
            line if ":" in line else f"{line}: {number}" for number, line in enumerate(lines, 1)
        ]


@pytest.mark.parametrize(
    ("raw", "wrong"),
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
        (b"a: [1, 2\nb: 3", "2: not readable as YAML: a “[” is not closed, or a comma is missing after a value"),
    ],
)
def test_broken_syntax_is_explained_in_plain_words(raw: bytes, wrong: str) -> None:
    assert read(raw) == [f"f.yaml:{wrong}"]


def test_json_may_be_indented_with_tabs() -> None:
    assert read(b'\t{"a": 1}') == read(b'{\n\t"a": 1\n}') == ["1: 1"]


def test_directives_belong_to_the_document_after_them() -> None:
    assert read(b"%YAML 1.2\n---\na: 1\n") == ["3: 1"]
    assert read(b"# one\n%YAML 1.2\n# two\n\n---\na: 1\n...\n%YAML 1.2\n---\na: 2\n") == ["6: 1", "10: 2"]
    assert read(b"%YAML 1.2\r\n---\r\na: [\r\n---\r\na: 2")[1] == "5: 2"


def test_letters_beyond_the_first_plane_in_json() -> None:
    assert read(json.dumps({"a": "🎲 \\ud83d"}).encode()) == ["1: 🎲 \\ud83d"]


@pytest.mark.parametrize("raw", [b"", b"\n\n", b"# nothing\n", b"---\n---\n", b"~", b"\xef\xbb\xbf"])
def test_nothing_in_it(raw: bytes) -> None:
    assert read(raw) == ["f.yaml: there is no filled-in sheet in this file"]


@pytest.mark.parametrize("fill", [b"x" * 99, b"x\n", b"- a\n", b"#\n"])
def test_a_document_too_large_is_refused_and_the_next_one_read(fill: bytes) -> None:
    large = fill * (3 * MAX_BYTES // len(fill))
    raw = b"a: 1\n---\n" + large + b"\n---\na: 3\n"
    before, told, after = read(raw)
    assert before == "1: 1"
    assert told == "f.yaml:2: a sheet may not be larger than 1 MB"
    assert after == f"{raw[: raw.rindex(b'a: 3')].count(10) + 1}: 3"


def test_markers_on_the_edge_of_what_is_read_at_once() -> None:
    for size in range((1 << 18) - 12, (1 << 18) + 4):
        raw = b"a: " + b"x" * size + b"\n---\na: 2\n"
        assert [told[-1] for told in read(raw)] == ["x", "2"], size


HOSTILE = {
    "alias bomb": b"a: &a [x,x,x,x,x,x,x,x,x]\n"
    + b"".join(
        b"%c: &%c [%s]\n" % (here, here, b",".join([b"*%c" % before] * 9))
        for before, here in pairwise(range(ord("a"), ord("l")))
    ),
    "deep lists": b"a: " + b"[" * 500_000,
    "deep mappings": b"{a: " * 200_000,
    "deep blocks": b"".join(b" " * depth + b"a:\n" for depth in range(1000)),
    "many values": b"- a\n" * 240_000,
    "many keys": b"".join(b"k%d: 1\n" % n for n in range(90_000)),
    "self alias": b"a: &a [*a]",
    "long key": b"x" * 900_000 + b": 1",
    "one line": b"a: '" + b"x" * 100_000_000,
    "empty lines": b"\n" * 100_000_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_input_gets_one_clear_line_in_bounded_memory(kind: str, tmp_path: Path) -> None:
    """In a process of its own, which may use 300 MiB and, as nothing here may hang, 5 seconds of the processor."""
    path = tmp_path / "hostile.yaml"
    path.write_bytes(b"game: from_the_ground_up\n---\n" + HOSTILE[kind])

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))
        resource.setrlimit(resource.RLIMIT_CPU, (5, 5))

    told = subprocess.run(
        [sys.executable, "-m", "generator", "check", str(path)],
        capture_output=True,
        text=True,
        preexec_fn=limits,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert told.returncode == 2, told
    assert told.stderr.count("\n") == 1
    assert told.stderr.startswith("error: ")
