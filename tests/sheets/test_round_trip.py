"""Every score sheet of every game: printed as a form, filled in on a screen and read again, it has the same marks."""

import random

import pytest

from generator import games
from generator.judging.judge import Judge
from generator.reading.load import load
from generator.sheets import pdf_forms
from tests.forms import filled, kind
from tests.presses import form_of

GAMES = {key: load(key) for key in games.SHIPPED}
SHEETS = [(key, name) for key, game in GAMES.items() for name in game.sheets]


def written(field, rng, cards):
    """Something a person could write into the field, as a viewer puts it there."""
    if field.kind == "tick":
        return "/Yes"
    if field.kind == "choice":
        return rng.choice(field.choices)
    if field.kind == "card":
        return rng.choice(cards)
    if field.kind in ("number", "die"):
        low, high = (field.span.low, field.span.high) if field.span else (1, 6)
        return str(rng.randint(low, high))
    return rng.choice(["Ann", "Zoë", "AB"])[: field.length]


@pytest.mark.parametrize(("key", "name"), SHEETS)
def test_print_fill_read_gives_the_same_marks(key, name, tmp_path, monkeypatch):
    game, rng = GAMES[key], random.Random(f"{key} {name}")
    fields = {id_: field for id_, field in game.sheets[name].fields.items() if field.kind != "code"}
    chosen = rng.sample(sorted(fields), max(3, min(60, len(fields) * 2 // 3)))
    cards = [card.id for part in game.components.values() for card in part.cards]
    typed = {id_: written(fields[id_], rng, cards) for id_ in chosen}
    printed = form_of(key, name)
    buttons = {id_ for id_ in chosen if kind(printed, id_) == "/Btn"}
    typed |= {id_: "1" for id_ in chosen if id_ in buttons and fields[id_].kind in ("text", "number")}  # ringed numbers
    values = {id_: f"/{mark.lstrip('/')}" if id_ in buttons else mark for id_, mark in typed.items()}
    path = tmp_path / "filled.pdf"
    path.write_bytes(filled(printed, values))
    form = pdf_forms.read_form(path)
    assert (form.game, form.sheet) == (key, name)
    assert {id_: mark for id_, mark in form.marks.items() if mark} == {
        id_: "x" if mark == "/Yes" else mark for id_, mark in typed.items()
    }
    monkeypatch.setattr(pdf_forms, "read_form", lambda *_: form)
    assert next(iter(Judge().answers([str(path)])), None) is not None
