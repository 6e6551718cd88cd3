"""The rule texts in data/_shared/rules and the code that finds breaches name the same rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator import games, paths
from generator.games.base import rule_book


@pytest.mark.parametrize("file", sorted((paths.SHARED_DATA / "rules").glob("*.yaml")), ids=lambda file: file.stem)
def test_the_code_uses_every_rule_with_a_text(file):
    package = Path(games.__file__).parent / file.stem.removesuffix("_together")
    source = "".join(module.read_text() for module in package.glob("*.py"))
    texts = {rule.id for rule in rule_book(file.stem).rules}
    assert {name for name in texts if f'"{name}"' not in source} == set()
    if not file.stem.startswith("upwards"):  # where `rules` is also the name of a game's numbers
        assert set(re.findall(r'(?<!\.)rules\["([a-z-]+)"\]', source)) <= texts
