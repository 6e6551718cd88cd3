import pytest

from generator.definitions.load import load


@pytest.fixture(scope="session")
def game():
    return load("cosmic_consequences")
