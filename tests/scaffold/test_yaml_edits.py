"""Changing a key of a YAML file leaves everything else in it as it is."""

import pytest

from generator.errors import InputError
from generator.scaffold.edits import edited_yaml

THEME = """\
# My colours.   Keep!

colours:
  accent: "#24507a"             # backs

  ink:    navy                  # like the sea
  # card-1 comes later

sizes: {title: 12pt}   # small
styles:
  card-text:
    size: 9pt
"""


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("colours", "accent"), '"#ff0000"', '"#24507a"', '"#ff0000"'),
        (("colours", "ink"), "teal", "navy", "teal"),
        (("colours", "sky"), "teal", "  # card-1", "  sky: teal\n  # card-1"),
        (("colours", "Old Kiln: a"), "teal", "  # card-1", '  "Old Kiln: a": teal\n  # card-1'),
        (("sizes", "title"), "15pt", "12pt", "15pt"),
        (("sizes", "text"), "10pt", "12pt}", "12pt, text: 10pt}"),
        (("sizes", "title"), None, "title: 12pt", ""),
        (("font",), "[fonts/a.ttf]", "    size: 9pt\n", "    size: 9pt\nfont: [fonts/a.ttf]\n"),
        (("a", "b", "c"), "1", "    size: 9pt\n", "    size: 9pt\na: {b: {c: 1}}\n"),
        (("colours", "ink"), None, "ink:    navy                  # like", "# like"),
        (("styles",), None, "styles:\n  card-text:\n    size: 9pt\n", ""),
        (("sizes",), "{text: 8pt}", "{title: 12pt}", "{text: 8pt}"),
        (("nothing",), None, "# My", "# My"),
        (("nothing", "here"), None, "# My", "# My"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_the_key_changes(path, value, old, new, newline):
    text = THEME.replace("\n", newline)
    expected = THEME.replace(old, new).replace("\n", newline)
    assert edited_yaml(text, {path: value}, "theme.yaml") == expected


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ("", ("a",), "1", "a: 1\n"),
        ("# only a comment", ("a", "b"), "1", "# only a comment\na: {b: 1}\n"),
        ("colours:\n# none yet\n", ("colours", "ink"), "red", "colours: {ink: red}\n# none yet\n"),
        ("colours: {}\n", ("colours", "ink"), "red", "colours: {ink: red}\n"),
        ("a: 1", ("b",), "2", "a: 1\nb: 2\n"),
        ("a: {b: 1, c: 2}\n", ("a", "c"), None, "a: {b: 1}\n"),
        ("a: {b: 1, c: 2}\n", ("a", "b"), None, "a: {c: 2}\n"),
        ("a:\n  b: |\n    long\n    text\nc: 1\n", ("a", "d"), "x", "a:\n  b: |\n    long\n    text\n  d: x\nc: 1\n"),
        ("a: {b: 1,\n    c: 2}\n", ("a", "d"), "3", "a: {b: 1,\n    c: 2, d: 3}\n"),
    ],
)
def test_all_forms_of_mappings(text, path, value, expected):
    assert edited_yaml(text, {path: value}, "f.yaml") == expected


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a: &x {c: 1}\nb: *x\n", ("b", "c")),
        ("a: |\n  text\n", ("a",)),
        ("a:\n  - 1\n", ("a",)),
        ("a: text\n", ("a", "b")),
    ],
)
def test_what_is_not_clear_is_refused(text, path):
    with pytest.raises(InputError, match="cannot be changed here"):
        edited_yaml(text, {path: "2"}, "f.yaml")
