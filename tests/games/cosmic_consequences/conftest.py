import pytest

from generator.reading.load import load


@pytest.fixture(scope="session")
def game():
    return load("cosmic_consequences")
