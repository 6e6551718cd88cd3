import pytest

from generator.definitions.load import load
from generator.games.upwards.numbers import numbers


@pytest.fixture(scope="session")
def game():
    return load("upwards")


@pytest.fixture(scope="session")
def known(game):
    return numbers(game)
