"""The code of shipped templates is kept in files, and that of other templates is not."""

from __future__ import annotations

import marshal
import sys
from pathlib import Path
from typing import Any

import pytest

from generator.faces import code_cache
from generator.faces.sandbox import Sandbox

SHARED = '{% import "_shared/outlines.xml.j2" as outlines %}<face><text>{{ 1 }}</text></face>'


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the templates that are compiled. Processes begin with `code_cache._kept.clear()`."""
    names: list[str] = []
    compile_it = Sandbox.compile

    def noted(self: Sandbox, source: Any, name: str, filename: str) -> Any:
        names.append(name)
        return compile_it(self, source, name, filename)

    monkeypatch.setattr(Sandbox, "compile", noted)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(code_cache, "_kept", {})
    return names


def files(folder: Path) -> list[Path]:
    """The kept files. Python keeps the code of its modules in the same folder."""
    return sorted(folder.rglob("*.xml.*"))


def test_the_next_process_reads_the_code_of_shipped_templates(
    templates: Any, compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    face = templates.build(SHARED)
    assert compiled == ["card.xml.j2", "_shared/outlines.xml.j2"]
    kept = files(tmp_path / "kept")
    assert [file.name.partition(".")[0] for file in kept] == ["_shared-outlines"]

    def next_process() -> list[str]:
        code_cache._kept.clear()
        compiled.clear()
        assert templates.build(SHARED) == face
        return compiled

    assert next_process() == ["card.xml.j2"]
    for damaged in (b"", kept[0].read_bytes()[:60], b"x" + kept[0].read_bytes(), kept[0].read_bytes()[:40] + b"?"):
        kept[0].write_bytes(damaged)
        assert next_process() == ["card.xml.j2", "_shared/outlines.xml.j2"]
        assert next_process() == ["card.xml.j2"]
    monkeypatch.setattr(code_cache, "_compilers", lambda: ("a new version",))
    assert next_process() == ["card.xml.j2", "_shared/outlines.xml.j2"]
    assert files(tmp_path / "kept") == kept


def test_what_is_known_of_a_template_is_kept_with_its_code(templates: Any, compiled: list[str]) -> None:
    templates.write(card=SHARED)

    def traits() -> tuple[bool, dict[str, Any], bool]:
        code_cache._kept.clear()
        loaded = templates.loaded()
        loaded.render("card", {}, "card")
        return loaded.can_mark, loaded._sandbox.traits, loaded.mentions("card", "card")

    assert traits() == traits()
    assert compiled == ["card.xml.j2", "_shared/outlines.xml.j2", "card.xml.j2"]


def test_code_that_a_game_brings_along_is_never_run(templates: Any, compiled: list[str], tmp_path: Path) -> None:
    templates.build("<face><text>{{ 1 }}</text></face>")
    assert files(tmp_path / "kept") == []
    planted = compile("raise SystemExit('planted')", "card.xml.j2", "exec")
    cache = templates.folder / "__pycache__"
    cache.mkdir()
    (cache / f"card.xml.{sys.implementation.cache_tag}.pyc").write_bytes(b"0" * 40 + marshal.dumps(planted))
    code_cache._kept.clear()
    templates.build("<face><text>{{ 1 }}</text></face>")
    assert compiled == ["card.xml.j2", "card.xml.j2"]


def test_a_folder_that_cannot_be_written_does_no_harm(templates: Any, compiled: list[str], tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("not a folder")
    assert templates.build(SHARED) == templates.build(SHARED)
