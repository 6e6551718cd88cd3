"""Hostile templates are refused with one clear line and in bounded memory."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from generator import faces
from generator.errors import InputError
from generator.faces import budget

ATTACKS = Path(__file__).with_name("attacks.py")
_known: dict[str, Any] = {}
exec(compile(ATTACKS.read_text(encoding="utf-8"), str(ATTACKS), "exec"), _known)
ENDLESS: Mapping[str, str] = _known["ENDLESS"]
GROWING: Mapping[str, str] = _known["GROWING"]
REACHING: Mapping[str, str] = _known["REACHING"]


def ids(attack: str) -> str:
    return attack.replace(" ", "")[:40].encode("ascii", "replace").decode()


@pytest.mark.parametrize("attack", [*ENDLESS, *GROWING, *REACHING], ids=ids)
def test_an_attack_is_refused_with_one_line(
    templates: Any, attack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = {**ENDLESS, **GROWING, **REACHING}[attack]
    if "1 s" not in what:  # a slow machine may take longer until the steps are used up
        monkeypatch.setattr(budget, "MAX_SECONDS", 600)
    problem = templates.problem(_known["face"](attack), {"folder": tmp_path, "helper": lambda: "x", "kind": str})
    assert what in problem
    assert problem.startswith("card.xml.j2") and len(problem) < 400 and "\n" not in problem
    if attack not in GROWING:
        assert problem.startswith("card.xml.j2:2: ") or "extends" in attack or "{% import 'card" in attack
        assert problem.startswith(("card.xml.j2:1: ", "card.xml.j2:2: "))


CHILD = """
import json, resource, sys
from pathlib import Path
from generator import faces
from generator.model.game import Theme
from generator.errors import InputError
from generator.faces import budget
budget.MAX_SECONDS = 600
known = {}
exec(open(sys.argv[1], encoding="utf-8").read(), known)
folder, refused = Path(sys.argv[2]), []
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 300 * 2**20,) * 2)
for attack in known["GROWING"]:
    (folder / "card.xml.j2").write_text(known["face"](attack), encoding="utf-8")
    try:
        faces.build(faces.Templates((folder,), Theme({}, {}, {}, ())), "card", {}, name="card 4", size=(1, 1))
    except InputError as error:
        refused.append(str(error))
print(json.dumps(refused))
"""


class Endless:
    """A value that must not be converted to text."""

    def __repr__(self) -> str:
        raise AssertionError("written out")


@pytest.mark.parametrize(
    "expression",
    [
        "[huge] | upper",
        "[huge] | e",
        "[huge] | safe",
        "[huge] | title",
        "'%r' % huge",
        "'%s' | format([huge])",
        "[huge] | refuse",
        "[1] | map(huge) | list",
        "[1] | select([huge]) | list",
        "[1][[huge]]",
        "card[[huge]]",
        "[huge] | join",
        "range(9) | batch([huge])",
        "1 | round([huge])",
        "'ink' | mix('paper', [huge])",
    ],
)
def test_no_filter_converts_a_value_of_unlimited_length(templates: Any, expression: str) -> None:
    problem = templates.problem(f"<face>{{{{ {expression} }}}}</face>", {"huge": Endless(), "card": {}})
    assert problem.startswith("card.xml.j2:1: ") and "written out" not in problem


@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory of a process")
def test_growing_templates_stay_within_300_mib(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(ATTACKS), str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    refused = json.loads(run.stdout)
    assert len(refused) == len(GROWING)
    assert not [line for line in refused if "memory" in line.lower()]


def test_a_hostile_deck_is_refused_once(templates: Any) -> None:
    """No template is rendered after one has exhausted the budget: otherwise every card of a deck would take as long."""
    templates.write(card="<face>{{ 'x' * n }}</face>", back="<face/>")
    loaded = templates.loaded()
    messages = []
    for template, n in (("card", 10**9), ("card", 3), ("back", 0)):
        with pytest.raises(InputError) as caught:
            faces.build(loaded, template, {"n": n}, name=f"{template} {n}", size=(1, 1))
        messages.append(str(caught.value))
    assert messages[0] == messages[1] == messages[2]


def test_each_face_has_its_own_budget(templates: Any) -> None:
    templates.write(card="<face>{% for i in range(9000) %}{% if i in [1, 2] %}{% endif %}{% endfor %}</face>")
    loaded = templates.loaded()
    for i in range(9):
        faces.build(loaded, "card", {}, name=f"card {i}", size=(1, 1))


def test_limits_also_apply_in_other_threads(templates: Any) -> None:
    templates.write(card="<face>{% for i in range(n) %}{% for i in range(n) %}{% endfor %}{% endfor %}</face>")
    results: dict[int, str] = {}

    def build(n: int) -> None:
        try:
            faces.build(templates.loaded(), "card", {"n": n}, name=f"card {n}", size=(1, 1))
            results[n] = "built"
        except InputError as error:
            results[n] = str(error)

    threads = [threading.Thread(target=build, args=(n,)) for n in (3, 9999)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[3] == "built" and "takes more than" in results[9999]


# ---- honest mistakes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("<face>\n{{ crad.title }}</face>", "card.xml.j2:2: card 4: “crad” is not known here; did you mean card?"),
        ("<face>\n\n{{ card.titel }}</face>", "card.xml.j2:3: card 4: a mapping has no “titel”; did you mean title?"),
        ("<face>{{ card.titel() }}</face>", "card.xml.j2:1: card 4: a mapping has no “titel”; did you mean title?"),
        ("<face>\n{% for</face>", "card.xml.j2:2: unexpected '<'"),
        ("<face>\n{{ 1 | ritch }}</face>", "card.xml.j2:2: No filter named 'ritch'."),
        ("<face>{{ 1 / 0 }}</face>", "card.xml.j2:1: card 4: division by zero"),
        ("<face>\n{{ 'a' + 1 }}</face>", 'card.xml.j2:2: card 4: can only concatenate str (not "int") to str'),
        (
            "<face>{{ [1] }}</face>",
            "card.xml.j2:1: card 4: a list cannot be written as text; join it or name one of its values",
        ),
        ("<face>{{ 1e999 - 1e999 }}</face>", "card.xml.j2:1: a number of this size is not allowed in templates"),
        ("<face>\n{{ crad|refuse }}</face>", "card.xml.j2:2: card 4: “crad” is not known here; did you mean card?"),
        (
            "<face>\n{{ [card]|refuse }}</face>",
            "card.xml.j2:2: card 4: a list cannot be written as text; join it or name one of its values",
        ),
        (
            '<face>\n{% filter map("upper") %}x{% endfilter %}</face>',
            "card.xml.j2:2: card 4: a list cannot be written as text; join it or name one of its values",
        ),
        ("<face>\n{% raw %}</face>", "card.xml.j2:2: Missing end of raw directive"),
        (
            "<face>{{ '%s' % [card] }}</face>",
            "card.xml.j2:1: card 4: a list cannot be formatted; name one of its values",
        ),
        (
            "<face>{{ [1] | map(card) | list }}</face>",
            "card.xml.j2:1: card 4: the name of a filter or test must be text, not a dict",
        ),
        ("<face>{{ [1][[card]] }}</face>", "card.xml.j2:1: card 4: a list cannot be used as a key of a list"),
        ("<face>{{ 1 | round(1, 2) }}</face>", "card.xml.j2:1: card 4: “round” gets the wrong arguments"),
        (
            "\n{% include 'rul.xml.j2' %}",
            "card.xml.j2:2: card 4: no template “rul.xml.j2”; did you mean rule.xml.j2 or word.xml.j2?",
        ),
        ("\n{% include 'rule.xml.j2' %}", "rule.xml.j2:3: card 4: “nothing” is not known here; known: card"),
        ("{% extends 'wrong.xml.j2' %}", "wrong.xml.j2:2: Encountered unknown tag 'blok'."),
    ],
)
def test_mistakes_are_reported_with_file_and_line(templates: Any, card: str, said: str) -> None:
    templates.write(rule="\n\n{{ nothing }}", wrong="\n{% blok %}")
    assert templates.problem(card, {"card": {"title": "Fog"}}) == said


def test_missing_templates(templates: Any) -> None:
    templates.write(card="<face/>")
    for name, said in (
        ("crad", "no template “crad.xml.j2”; did you mean card.xml.j2"),
        ("../card", "“../card.xml.j2” is outside the template folders"),
        ("", "no template “.xml.j2”"),
        ("a b", "“a b.xml.j2” cannot be a template name"),
    ):
        with pytest.raises(InputError) as caught:
            faces.build(templates.loaded(), name, {}, name="card 4", size=(1, 1))
        assert str(caught.value).startswith(said)


def test_a_template_is_utf8(templates: Any) -> None:
    templates.folder.mkdir()
    (templates.folder / "card.xml.j2").write_bytes(b"<face>\n\xff</face>")
    with pytest.raises(InputError, match=r"card\.xml\.j2:2: not UTF-8 text"):
        faces.build(templates.loaded(), "card", {}, name="card 4", size=(1, 1))
