"""What templates remember from one card to the next does not change what they write."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from jinja2 import nodes
from markupsafe import escape

from generator.faces.constants import KEEP, KEEP_TEXT
from generator.faces.marks import MARK, RICH
from generator.faces.templates import SUFFIX, RepeatedContext

KIT = """\
{% macro kind(value) %}{{ value | string }} {{ value == 1 }} {{ value is number }} {{ value is boolean }}{% endmacro %}
{% macro long(value) %}{{ value | string | length }}{% endmacro %}
{% macro sized(values) %}{{ values | join("+") }} {{ values | length }}{% endmacro %}
{% macro around(value) %}{% for _ in range(2) %}[{{ kind(value) }}]{% endfor %}{% endmacro %}
"""
TEMPLATES = (
    "{{ width * 2 }} {{ columns.title }} {{ card.n }} {{ card[columns.title] }}",
    "{% set a = width * 2 %}{% set b = a + card.n %}{% set a = b %}{{ a + 1 }} {{ b }}",
    "{% if card.n > 1 %}{% set a = width %}{% else %}{% set a = 1 %}{% endif %}{{ a * 2 }}",
    "{% if width > 90 %}{% set a = 1 %}{% elif card.n > 1 %}{% set a = 2 %}{% else %}{% set a = 3 %}{% endif %}{{ a }}",
    "{% set a = width %}{% for n in range(3) %}{{ n * width }} {{ loop.index }}{% set a = n %}{% endfor %}{{ a + 1 }}",
    "{% set a %}{{ card.n }}{% endset %}{{ a ~ width }} {{ columns.title ~ 'x' }}",
    "{% macro own(x) %}{{ card.n + x }}{% endmacro %}{{ own(width) }} {{ own(1) | length }}",
    "{% macro own(x) %}{{ width + x }}{% endmacro %}{{ own(1) }} {{ own(card.n) }}",
    "{% with a = card.n %}{{ a + width }}{% endwith %}{{ [width, card.n, width] | max }} {{ [1, width] | max }}",
    "{% import 'kit.xml.j2' as kit %}{{ kit.kind(1) }}{{ kit.kind(1.0) }}{{ kit.kind(true) }}{{ kit.kind('1') }}",
    "{% import 'kit.xml.j2' as kit %}{% for n in (0.0, 0, '', none, false) %}{{ kit.kind(n) }}|{% endfor %}",
    "{% import 'kit.xml.j2' as kit %}{{ kit.long(card.title) }} {{ kit.long(card.title | e) }} {{ kit.kind(1) }}",
    "{% import 'kit.xml.j2' as kit %}{{ kit.sized([card.n, 1]) }} {{ kit.sized([1, card.title]) }} {{ kit.sized([]) }}",
    "{% from 'kit.xml.j2' import around, long as far %}{{ around(card.n) }} {{ far(width) }} {{ kit is defined }}",
    "{% import 'kit.xml.j2' as kit with context %}{{ kit.kind(width) }} {{ kit.long(card.n) }}",
    "{{ columns.title if card.n > 1 else width + 1 }} {{ (card.n, columns.title) | join }} {{ {'a': card.n}['a'] }}",
    "{% set note %}<b>{{ columns.title }}</b>{% endset %}{{ note }}{{ '<' ~ columns.title }}{{ '<' ~ card.title }}",
    "{% macro own(x) %}<b>{{ x }}</b>{{ card.n }}{% endmacro %}{{ own(card.title) }}{{ own(width) }}{{ own('\\n') }}"
    "{% macro two(x) %}{{ own(x) }}|{{ own(1) }}{% endmacro %}{% set a = two(card.title) %}{{ a }}{{ a | upper ~ a }}",
    "{% set a %}{% for n in (1, 2) %}{{ card.title }}{{ card.title | rich }}{% endfor %}{% endset %}{{ a }}{{ a | e }}",
    "{% macro own() %}{{ width }}{% endmacro %}{% set a = own() %}{% for n in (1, 2) %}{{ a }}{{ own() }}{% endfor %}",
    "{% macro own(x) %}{{ x }}{{ caller(x) }}{% endmacro %}{% call(y) own(card.title) %}{{ y }}, {{ y }}{% endcall %}"
    "{% filter upper %}{{ own | string | length if card.n > 9 else card.title }}{% endfilter %}",
    "{% set list = columns.words | map('upper') %}{{ list | join }} {{ list | length }} {{ card.n }}",
)


def inserted(parts: tuple[str, ...], values: tuple[str, ...]) -> str:
    """A marked text with its values."""
    first, *others = "".join(parts).split(MARK)
    written = [value[1:] if value.startswith(RICH) else str(escape(value)) for value in values]
    return first + "".join([value + other for value, other in zip(written, others, strict=True)])


@pytest.mark.parametrize("source", TEMPLATES)
def test_what_is_kept_is_what_would_be_worked_out_again(templates: Any, source: str) -> None:
    templates.write(card=source, kit=KIT)
    marked, plain = templates.loaded(), templates.loaded()
    plain._sandbox._result = lambda macro, arguments: macro(*arguments)
    columns = SimpleNamespace(title="title", words=("a", "b"))
    context = {"width": 30, "columns": columns}
    repeated = RepeatedContext(context, "card")
    cards = [{"n": n, "title": title} for n in (1, 2, 1.0, True, 0) for title in ("A & B", "", "<i>")]
    for card in [{"n": 5, "title": "first"}, *cards, *cards]:
        text = inserted(*marked.render_marked("card", repeated.of(card), "card"))
        assert text == plain.render("card", {**context, "card": card}, "card").text


def test_only_what_no_card_changes_is_kept(templates: Any) -> None:
    templates.write(card="{% set a = width * 2 %}{{ a }}{{ a + card.n }}{% for n in a %}{{ width + 1 }}{% endfor %}")
    sandbox = templates.loaded()._sandbox
    sandbox.budget.start()
    source = sandbox.loader.get_source(sandbox, "card" + SUFFIX)[0]
    tree = sandbox._parse(source, "card" + SUFFIX, "card")
    calls = [call for call in tree.find_all(nodes.Call) if isinstance(call.node, nodes.EnvironmentAttribute)]
    assert [call.node.name for call in calls if call.node.name in (KEEP, KEEP_TEXT)] == [KEEP, KEEP_TEXT]


def test_macros_with_long_arguments_or_results_are_not_remembered(templates: Any) -> None:
    templates.write(
        card="{% import 'kit.xml.j2' as kit %}{{ kit.long(card.text) }}{{ kit.sized([card.text, card.text]) }}", kit=KIT
    )
    loaded = templates.loaded()
    for text, count in (("a" * 20_000, 0), ("a" * 6_000, 1), ("a" * 100, 3)):
        assert loaded.render("card", {"card": {"text": text}}, "card").text.startswith(str(len(text)))
        assert len(loaded._sandbox._results) == count
