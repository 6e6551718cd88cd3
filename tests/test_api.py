"""The interface for the rules.py of users: it is recorded, documented, and only ever added to."""

import importlib.util
import inspect

import pytest

from generator import api, paths


@pytest.fixture(scope="module")
def python_api():
    """docs/python_api.py, which lists and documents the interface."""
    spec = importlib.util.spec_from_file_location("python_api", paths.ROOT / "docs/python_api.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_interface_is_the_recorded_one(python_api):
    recorded = python_api.RECORD.read_text("utf-8")
    assert python_api.listing() == recorded, "run python docs/python_api.py --record"


def test_a_name_or_parameter_that_goes_needs_a_new_major_version(python_api):
    old = "version 1.0\nGame\nGame.key: str\nranks(keys: Keys)\n"
    assert python_api.broken(old, old + "Game.title: str\n") == []
    assert python_api.broken(old, "version 1.1\nGame\nranks(keys: Keys, high: bool)\n") == [
        "Game.key: str",
        "ranks(keys: Keys)",
    ]
    assert python_api.broken(old, "version 2.0\nGame\n") == []


def test_the_reference_is_up_to_date(python_api):
    text = python_api.PAGE.read_text("utf-8")
    assert python_api.page(text) == text, "run `make answers`"


def test_every_name_is_in_the_reference_once(python_api):
    names = [name for group in python_api.GROUPS.values() for name in group]
    assert sorted([*names, "VERSION"]) == sorted(api.__all__)


@pytest.mark.parametrize("name", [name for name in api.__all__ if name != "VERSION"])
def test_every_name_and_method_is_documented(python_api, name):
    assert inspect.getdoc(getattr(api, name))
    members = [function for _, function in python_api.members(name) if function]
    assert [function.__name__ for function in members if not (function.__doc__ or name == "Card")] == []


def test_promised_members_exist(python_api):
    listing = python_api.listing()
    for name, members in python_api.READ.items():
        for member in members:
            assert f"\n{name}.{member}" in listing
