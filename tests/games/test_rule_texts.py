"""The rule texts in data/_shared/rules and the code that finds breaches name the same rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from generator import games, paths


@pytest.mark.parametrize("file", sorted((paths.SHARED_DATA / "rules").glob("*.yaml")), ids=lambda file: file.stem)
def test_the_code_uses_every_rule_with_a_text(file):
    modules = (Path(games.__file__).parent / file.stem).glob("*.py")
    used = {name for module in modules for name in re.findall(r'(?<!\.)rules\["([a-z-]+)"\]', module.read_text())}
    assert used == {rule.id for rule in games.rules_of(file.stem).rules.rules}
