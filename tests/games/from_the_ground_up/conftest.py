import pytest

from generator.games.from_the_ground_up.play import Spec
from generator.reading.load import load


@pytest.fixture(scope="session")
def game():
    return load("from_the_ground_up")


@pytest.fixture(scope="session")
def specs(game):
    return [Spec(card.id, card.star, card.symbols) for card in game.components["cards"].cards]


@pytest.fixture(scope="session")
def printed(specs):
    return {spec.name: (spec.star.low, spec.star.high, spec.symbols) for spec in specs}
