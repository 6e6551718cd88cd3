"""The `rules` of a copied game must have the keys and types of those of the shipped game."""

import shutil

import pytest
import yaml

from generator import games, nodes, paths
from generator.reading.load import load, shape_problems


def rules_of(game):
    text = (paths.DATA / game / "game.yaml").read_text()
    return dict(nodes.document(text, "game.yaml"))["rules"], yaml.safe_load(text)["rules"]


def leaves(data, path=()):
    if isinstance(data, (dict, list)):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*path, key))
    yield path


def replaced(data, path, value):
    if not path:
        return value
    if isinstance(data, dict):
        return {key: replaced(inner, path[1:], value) if key == path[0] else inner for key, inner in data.items()}
    return [replaced(inner, path[1:], value) if key == path[0] else inner for key, inner in enumerate(data)]


def problems(data, shipped):
    text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True)
    return list(shape_problems(nodes.document(text, "game.yaml"), shipped))


@pytest.mark.parametrize("game", games.SHIPPED)
def test_the_shipped_rules_are_valid(game):
    shipped, data = rules_of(game)
    assert problems(data, shipped) == []


@pytest.mark.parametrize("game", games.SHIPPED)
def test_every_value_of_another_type_is_reported_with_its_line(game):
    shipped, data = rules_of(game)
    for path in leaves(data):
        reported = problems(replaced(data, path, {"strange": [{}]}), shipped)
        assert reported, path
        assert all(problem.place.file == "game.yaml" and problem.place.line for problem in reported)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("dice", "three", "“rules.dice” must be a whole number from 0 to 100, not “three”"),
        ("dice", 10**6, "“rules.dice” must be a whole number from 0 to 100, not “1000000”"),
        ("dice", -1, "“rules.dice” must be a whole number from 0 to 100, not “-1”"),
        ("dice", None, "“rules.dice” must be a whole number from 0 to 100, not empty"),
        ("die", "6-1", "“rules.die” must be a range of whole numbers such as 1-6, not “6-1”"),
        ("die", "1-99999", "“rules.die” must be a range of whole numbers such as 1-6, not “1-99999”"),
        ("shared_scoring", "yes", "“rules.shared_scoring” must be true or false, not “yes”"),
        ("columns", [], "“rules.columns” must have from 1 to 100 entries, not 0"),
        ("tie", [], "“rules.tie” must be a word such as draw, not a list"),
        ("end", {"after": "x"}, "“rules.end” needs the key rounds_more; copy what is missing from the shipped"),
        ("tie", True, "“rules.tie” must be a word such as draw, not “true”"),
        ("tie", 3, "“rules.tie” must be a word such as draw, not “3”"),
        ("colums", 1, "“rules” has no key “colums”; did you mean columns?"),
    ],
)
def test_messages_say_what_is_wrong_and_what_is_allowed(key, value, message):
    shipped, data = rules_of("upwards")
    (problem,) = problems({**data, key: value}, shipped)
    assert message in str(problem)


@pytest.fixture
def copy(tmp_path):
    folder = shutil.copytree(paths.DATA / "upwards", tmp_path / "upwards")
    shutil.copytree(paths.TEMPLATES / "upwards", folder / "templates")
    return folder


def test_a_copy_may_change_values_but_not_their_types(copy):
    file = copy / "game.yaml"
    file.write_text(file.read_text().replace("  rows: 8", "  rows: 7"))
    assert load(str(copy)).rules["rows"] == 7
