"""docs/faces.md: its tables match the elements, and its examples build."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from generator.faces import budget, filters, kinds, markup, sandbox
from generator.faces import templates as templates_module
from generator.faces.face import ELEMENTS, INLINE, Attribute, Tag
from generator.faces.filters import Guarded
from generator.model.game import Card

DOCS = (Path(__file__).parents[2] / "docs" / "faces.md").read_text(encoding="utf-8")
SHARED = {
    name: attribute
    for name, attribute in ELEMENTS["stack"].attributes.items()
    if ELEMENTS["text"].attributes.get(name) == attribute
}


def rows(attributes: Mapping[str, Attribute]) -> list[str]:
    """The lines of a table of attributes."""
    return [
        f"| `{name}` | {attribute.kind.name} | {attribute.about} | {attribute.omitted or '**required**'} |"
        for name, attribute in attributes.items()
    ]


def section(name: str, tag: Tag) -> Iterator[str]:
    """The section of an element: its description, its shared attributes, and its own."""
    yield f"### {name}"
    yield tag.about
    shared = [key for key, attribute in tag.attributes.items() if SHARED.get(key) == attribute]
    if len(shared) == len(SHARED):
        yield "Has every attribute of boxes."
    elif shared:
        yield f"Of the attributes of boxes: {', '.join(f'`{key}`' for key in shared)}."
    own = {key: attribute for key, attribute in tag.attributes.items() if key not in shared}
    if own:
        yield "| attribute | kind | | omitted |\n|---|---|---|---|\n" + "\n".join(rows(own))


def kind_rows() -> list[str]:
    named = {kind.name: kind for kind in vars(kinds).values() if isinstance(kind, kinds.Kind)}
    return [f"| {name} | {kind.expected} |" for name, kind in named.items() if not name.startswith("`")]


def text_of(heading: str) -> str:
    match = re.search(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", DOCS, re.MULTILINE | re.DOTALL)
    assert match, f"no heading {heading}"
    return match[1]


def table(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("| ")][1:]


@pytest.mark.parametrize("name", ELEMENTS)
def test_the_table_of_an_element_matches_its_documentation(name: str) -> None:
    expected = "\n\n".join(section(name, ELEMENTS[name])) + "\n"
    assert expected in DOCS, f"docs/faces.md should say:\n\n{expected}"
    assert len(table(text_of(name))) == expected.count("\n| `")


def test_no_other_element_is_described() -> None:
    assert re.findall(r"^### (\w+)$", DOCS, re.MULTILINE) == list(ELEMENTS)
    assert table(text_of("What boxes share")) == rows(SHARED)
    assert table(text_of("Inside a text")) == [
        f"| `<{name}{''.join(f' {key}' for key in tag.attributes)}>` | {tag.about} |" for name, tag in INLINE.items()
    ]
    assert table(text_of("Kinds of values")) == kind_rows()


def test_the_documentation_lists_exactly_the_filters() -> None:
    names = set(filters.filters(Guarded(budget.Budget()), {}))
    named = re.findall(r"`([a-z]+)`", text_of("Filters").strip().split("\n\n")[-1])
    own = set(re.findall(r"\*\*`([a-z]+)`\*\*", text_of("Filters")))
    assert set(named) == names - {"d", "e", "count"} - own and own <= names


def test_the_documented_limits_are_correct() -> None:
    limits = {
        budget.MAX_STEPS,
        budget.MAX_CHARACTERS,
        budget.MAX_WEIGHT,
        budget.MAX_BITS,
        markup.MAX_ELEMENTS,
        markup.MAX_DEPTH,
        templates_module.MAX_BYTES,
        sandbox.MAX_NAMES,
    }
    assert {int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text_of("Limits"))} == limits
    assert budget.MAX_SECONDS == 1


EXAMPLES = re.findall(r"^```xml\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_build(templates: Any, tmp_path: Path, example: str) -> None:
    (tmp_path / "fog.png").write_bytes(b"")
    card = Card("4", {"title": "Fog", "suit": "accent", "rule": "Roll **two** :die:.", "boxes": ("a", "b")})
    files = re.split(r"^\{# (\w+)\.xml\.j2 #\}\n", example, flags=re.MULTILINE)
    for name, text in zip(files[1::2], files[2::2], strict=True):
        templates.write(**{name: text})
    body = files[0] if len(files) == 1 else files[-1]
    whole = body if "<face" in body or "extends" in body else f"<face>{body}</face>"
    assert templates.build(whole, {"card": card}).root.children


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 12
