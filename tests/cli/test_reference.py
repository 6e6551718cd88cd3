"""docs/cli.md is generated from the commands."""

import importlib.util

from generator import paths


def test_the_reference_is_up_to_date():
    spec = importlib.util.spec_from_file_location("commands", paths.ROOT / "docs/commands.py")
    commands = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(commands)
    assert commands.FILE.read_text("utf-8") == commands.page(), "run `make answers`"
