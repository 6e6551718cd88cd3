import pytest

from generator.games.upwards.play import numbers
from generator.reading.load import load


@pytest.fixture(scope="session")
def game():
    return load("upwards")


@pytest.fixture(scope="session")
def known(game):
    return numbers(game)
