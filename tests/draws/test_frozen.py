"""Published codes never change. Compares recipes and sets with frozen.yaml."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from generator import games
from generator.draws import draw, parse
from generator.reading.load import load, shipped

FROZEN = yaml.safe_load((Path(__file__).parent / "frozen.yaml").read_text(encoding="utf-8"))


def order(deck):
    return [card.id for card in deck.cards["cards"]]


def board(deck):
    """The shuffled spaces, as kind and card, and where the arrows into the rings lead."""
    graph = deck.components["board"].board
    spaces = [
        f"{name}: {space.kind} {space.values['card'] or ''}".strip()
        for name, space in graph.spaces.items()
        if space.kind in ("cc", "green", "orange", "arrow")
    ]
    return [
        *spaces,
        *(
            f"{edge.start} to {edge.end}"
            for edge in graph.edges
            if not edge.along and graph.spaces[edge.start].kind == "arrow"
        ),
    ]


def dice(deck):
    return [f"{die.id}: {' '.join(die.faces)}" for die in deck.components["dice"].cards]


def letters(deck):
    throws = [throw for page in deck.components["strip"].cards for throw in page.throws]
    return [f"{number}: {' '.join(letter for _, letter in colours)}" for number, colours in throws]


def strips(deck):
    """The targets of a challenge, if any, followed by the throws of all strips."""
    pages = deck.components["strip"].cards
    return [
        *(f"{medal}: {points}" for medal, points in pages[0].targets.items()),
        *(
            f"{number}: {' '.join(map(str, throw.dice))} {throw.event}"
            for page in pages
            for number, throw in page.throws
        ),
    ]


DESCRIPTIONS = {
    ("from_the_ground_up", "C"): lambda deck: [
        f"{card.id}: {card.star} {' '.join(card.symbols)}" for card in deck.cards["cards"]
    ],
    ("elevator_up", "D"): order,
    ("cosmic_consequences", "D"): order,
    ("cosmic_consequences", "B"): board,
    ("rolling_cubes", "R"): dice,
    ("rolling_cubes", "S"): letters,
    ("upwards", "S"): strips,
}
"""Functions that describe a set, by game and kind."""
ALL_CODES = [(key, entry) for key, game in FROZEN.items() for entry in game["sets"]]


def bare(value):
    """Plain data with only lists and dicts in it, for JSON."""
    if isinstance(value, Mapping):
        return {key: bare(inner) for key, inner in value.items()}
    return [bare(inner) for inner in value] if isinstance(value, tuple) else value


def fingerprint(recipe):
    text = json.dumps(bare(recipe), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def test_published_recipes_do_not_change():
    """A changed recipe gets a new id and a line in frozen.yaml; the old recipe stays."""
    fingerprints = {
        key: {name: fingerprint(recipe) for name, recipe in load(key).sets.get("recipes", {}).items()}
        for key in shipped()
    }
    assert {key: recipes for key, recipes in fingerprints.items() if recipes} == {
        key: game["recipes"] for key, game in FROZEN.items() if "recipes" in game
    }


@pytest.mark.parametrize(("key", "entry"), ALL_CODES, ids=[entry["code"] for _, entry in ALL_CODES])
def test_frozen_codes_name_the_same_sets(key, entry):
    game = load(key)
    code = parse(entry["code"], prefix=game.definition.prefix)
    deck = games.random_sets(game).deal(game, code)
    assert deck.code == entry["code"]
    assert DESCRIPTIONS[key, code.kind](deck) == entry["cards"]


@pytest.mark.parametrize(("key", "entry"), [pair for pair in ALL_CODES if "seed" in pair[1]])
def test_frozen_seed_texts_give_the_same_codes(key, entry):
    code = parse(entry["code"])
    assert str(draw(code.prefix, code.kind, code.recipe, entry["seed"], entry["index"])) == entry["code"]


def frozen(key, seed, index, kind, **options):
    """An entry for a new set, to add at the end of frozen.yaml."""
    game = load(key)
    code = games.new_code(game, seed, index, kind, options)
    return {
        "code": str(code),
        "seed": seed,
        "index": index,
        "cards": DESCRIPTIONS[key, code.kind](games.deal(game, code)),
    }


def test_every_recipe_has_frozen_sets():
    for key, game in FROZEN.items():
        recipes = {recipe for draw in load(key).draws.values() for recipe in draw.recipes}
        assert {parse(entry["code"]).recipe for entry in game["sets"]} >= recipes, key


def test_a_set_has_the_cards_of_every_deck_drawn_or_not():
    for key, kind in DESCRIPTIONS:
        game = load(key)
        code = next(code for entry in FROZEN[key]["sets"] if (code := parse(entry["code"])).kind == kind)
        assert games.deal(game, code).cards.keys() == games.standard_cards(game).keys(), (key, kind)
