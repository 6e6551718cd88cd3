"""YAML is read with line numbers and within limits."""

import pickle
import re
from random import Random

import pytest

from generator import nodes
from generator.errors import InputError, Place


def problem(text):
    with pytest.raises(InputError) as caught:
        nodes.document(text, "f.yaml")
    return str(caught.value)


def test_values_stay_as_written():
    read = nodes.document("a: no\nb: 1:30\nc: 010\nd: =\ne: on\n", "f.yaml")
    assert [value.text for _, value in read.pairs] == ["no", "1:30", "010", "=", "on"]
    assert [value.place.line for _, value in read.pairs] == [1, 2, 3, 4, 5]


def test_dot_tilde_null_and_empty_quotes_are_blank():
    read = nodes.document('[., ~, , "", x, "null"]'.replace(", ,", ", null,"), "f")
    assert [entry.blank for entry in read.entries] == [True, True, True, True, False, False]


def test_every_duplicate_key_is_reported():
    assert problem("a: 1\nb: 2\na: 3\nb: 4").count("appears twice") == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1, 2\nb: 3", "f.yaml:2: not readable as YAML"),
        ("\ta: 1", "indent with spaces"),
        ("", "the file is empty"),
        ("a: 1\n---\nb: 2", "a second document"),
        ("{[1]: 2}", "cannot be a key"),
        ("a: *b", "no anchor before it"),
        ("[" * 100 + "]" * 100, "nested more than"),
        ("- " * 5000 + "x", "nested more than"),
    ],
)
def test_mistakes_are_reported(text, message):
    assert message in problem(text)


def test_an_alias_bomb_is_refused():
    levels = [
        f"{name}: &{name} [{', '.join(['*' + before] * 10)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    assert "more than 200,000 values" in problem("\n".join(["a: &a [x, x, x, x, x, x, x, x, x, x]", *levels]))


def test_an_alias_that_contains_itself_is_refused():
    assert "f.yaml" in problem("a: &a [*a]")


def test_reading_stops_at_an_unreadable_document():
    """To read on after an error could take unlimited time. Streams of sheets are split beforehand."""
    deep = "[" * 100 + "]" * 100
    read = list(nodes.documents(f"a: 1\n---\n{deep}\n---\nb: 2\n", "f"))
    assert [isinstance(document, InputError) for document in read] == [False, True]


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "huge.yaml"
    with path.open("wb") as stream:
        stream.truncate(200_000_000)
    with pytest.raises(InputError, match="larger than 4 MB"):
        nodes.read_text(path)


@pytest.mark.parametrize(
    ("raw", "message"), [(b"a: \xff\xfe", "x:1: not UTF-8"), (b"a: 1\nb: \0", "x:2: not a text file")]
)
def test_files_that_are_not_text_are_refused(raw, message):
    with pytest.raises(InputError, match=message):
        nodes.decode(raw, "x")


def test_nodes_are_plain_data_and_keep_their_places_when_copied():
    read = nodes.document("a: [1, {b: c}]\nd:\n  e", "f.yaml")
    assert read == {"a": ["1", {"b": "c"}], "d": "e"}
    copied = pickle.loads(pickle.dumps(read))
    assert (copied, copied["a"].place, copied["d"].place) == (read, read["a"].place, read["d"].place)
    assert copied["d"].place.line == 3


def test_plain_data_becomes_nodes():
    node = nodes.from_plain({"a": [None, True, "null", "x"]}, Place("f", 4))
    assert node == nodes.document('{"a": [null, true, "null", "x"]}', "f")
    assert [entry.blank for entry in node["a"]] == [True, False, False, False]
    assert {node.place, node["a"].place, node["a"][3].place} == {Place("f", 4)}


BROKEN = """game: upwards
player: "Ann"
grid: [". . . .", '1 2 o .']
reserve: {1: 2x, 2: &a 3, 3: *a}
notes: |
  a text
- !t x
? a
: b
%c
"""
OF_THE_LIBRARY = re.compile(
    "token|scalar|directive|block |flow|did not|while |expected <|found |indicator|stream|simple key|event"
)


def test_no_message_of_the_yaml_library_is_shown():
    messages = set()
    random = Random(7)
    for _ in range(1500):
        text, signs = [*BROKEN], "&*!%@`|>?:-[]{},#'\"\\\t\n\x07 "
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(text))
            text[at : at + random.randint(0, 2)] = random.choice(signs)
        for read in nodes.documents("".join(text), "f.yaml"):
            messages |= {problem.message for problem in read.problems} if isinstance(read, InputError) else set()
    syntax = {message.removeprefix(nodes.UNREADABLE) for message in messages if message.startswith(nodes.UNREADABLE)}
    assert len(syntax) > 15
    assert not [message for message in syntax if OF_THE_LIBRARY.search(message)]
