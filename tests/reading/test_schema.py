"""The published schemas match the models, and every shipped definition file is valid."""

import json
import re

import jsonschema
import pytest
import yaml

from docs.publish_schema import PUBLISHED, schema
from generator import paths

SCHEMAS = paths.ROOT / "docs" / "schema"
SCHEMA_COMMENT = re.compile(r"^# yaml-language-server: \$schema=(\S+)", re.MULTILINE)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_schema_equals_the_models(name):
    assert json.loads((SCHEMAS / f"{name}.json").read_text()) == schema(name), "run: make schema"


def definition_files():
    roots = [paths.DATA, paths.ROOT / "examples"]
    return [path for root in roots for path in sorted(root.rglob("*.yaml")) if SCHEMA_COMMENT.search(path.read_text())]


@pytest.mark.parametrize("path", definition_files(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_file_names_its_schema_and_is_valid_under_it(path):
    schema_file = (path.parent / SCHEMA_COMMENT.search(path.read_text())[1]).resolve()
    assert schema_file.parent == SCHEMAS
    jsonschema.validate(yaml.safe_load(path.read_text()), json.loads(schema_file.read_text()))


def test_every_shipped_game_file_names_a_schema():
    assert set(paths.DATA.glob("[a-z]*/*.yaml")) <= set(definition_files())
