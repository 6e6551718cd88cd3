"""The rule texts in data/_shared/rules and the code that finds breaches name the same rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator import games, paths
from generator.games.base import rule_book
from generator.reading.load import load


@pytest.mark.parametrize("file", sorted((paths.SHARED_DATA / "rules").glob("*.yaml")), ids=lambda file: file.stem)
def test_the_code_uses_every_rule_with_a_text(file):
    key = file.stem.removesuffix("_together")
    source = "".join(module.read_text() for module in (Path(games.__file__).parent / key).glob("*.py"))
    texts = {rule.id for rule in rule_book(file.stem).rules}
    claimed = {name for name in texts if name.startswith("claimed-")} if 'f"claimed-{' in source else set()
    assert {name for name in texts - claimed if f'"{name}"' not in source} == set()
    others = {rule.id for other in file.parent.glob(f"{key}*.yaml") for rule in rule_book(other.stem).rules}
    numbers = set(load(key).rules)  # code looks these up in `rules` too
    assert set(re.findall(r'(?<!\.)rules\["([a-z-]+)"\]', source)) <= others | numbers
