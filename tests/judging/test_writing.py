"""Written sheets can be read back unchanged."""

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from generator.sheets import documents
from generator.sheets.typed_lines import WIDTH, Rows, flow, of_node, scalar, sheet_text
from generator.spelling import usual_signs

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12).map(usual_signs) | st.sampled_from(
    ["null", "~", "- a", "-3", "a: b", "a #b", "{", "1:30", "no", "=", "≠T", "'", '"', "a,b", "😀", "\u2028", "..."]
)
VALUES = st.recursive(
    WORDS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=12
)


def read(text):
    (document,) = documents(BytesIO(text.encode()), "sheet.yaml")
    return of_node(document.data)


def blanks(value):
    """The value as it is read: blanks become dots."""
    if isinstance(value, dict):
        return {key: blanks(inner) for key, inner in value.items()}
    return [blanks(inner) for inner in value] if isinstance(value, list) else "." if value in ("", "~") else value


@given(st.dictionaries(WORDS, VALUES, min_size=1, max_size=4))
def test_any_text_survives_in_any_structure(document):
    assert blanks(read(sheet_text(document))) == blanks(document)


def test_short_values_are_on_one_line():
    cards = [{"card": "4", "crates": ["6", "."], "mark": {"card": "4"}}]
    assert (
        sheet_text({"players": [{"name": "Ann", "cards": cards}], "claimed": {"total": "3"}})
        == """\
players:
  - name: Ann
    cards:
      - {card: 4, crates: [6, .], mark: {card: 4}}
claimed: {total: 3}
"""
    )
    assert sheet_text({"grid": Rows([". .", "1 1"])}) == 'grid:\n  - ". ."\n  - "1 1"\n'


def test_long_values_are_on_several_lines():
    throw = {colour: "ABCD" for colour in ("red", "orange", "green", "light-blue", "blue", "purple")}
    text = sheet_text({"words": {"Ann": {"throw": throw, "tiles": "X" * 40, "word": "x" * 40}}})
    assert max(map(len, text.splitlines())) <= WIDTH
    assert read(text)["words"]["Ann"]["throw"] == throw


def test_texts_are_quoted_only_where_necessary():
    assert [scalar(text) for text in ("CO=KING", "≠T", "a=4", "b=3+1", "Ann Lee", ".", "-3")] == [
        "CO=KING",
        "≠T",
        "a=4",
        "b=3+1",
        "Ann Lee",
        ".",
        "-3",
    ]
    assert [scalar(text) for text in ("null", "-", "a: b", "")] == ['"null"', '"-"', '"a: b"', '""']
    assert scalar("\x7f") == '"\\u007f"'
    assert flow({"a": ["x, y"]}) == '{a: ["x, y"]}'
