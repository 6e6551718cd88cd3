"""Compiled templates are kept for the next command, in a folder that is the user's alone."""

import os

import pytest
from jinja2 import FunctionLoader

from generator.faces import sandbox
from generator.faces.sandbox import CompiledTemplates, Sandbox

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs the owners of files")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "pencilbox/templates"


def render(monkeypatch, text, *, compiles):
    """Renders a template as a new process does, which compiles it or finds it compiled."""
    monkeypatch.setattr(sandbox, "_COMPILED", CompiledTemplates())
    environment = Sandbox(FunctionLoader(lambda _: (text, "card.xml.j2", lambda: True)), {})
    environment.sizes["card"] = len(text)
    environment.budget.start()
    compile_, compiled_ = environment.compile, []
    environment.compile = lambda *args, **options: compiled_.append(1) or compile_(*args, **options)
    rendered = environment.get_template("card").render(title="Moon")
    assert bool(compiled_) is compiles
    assert environment.traits["card"].names == {"title"}
    return rendered


def test_a_template_is_compiled_once(folder, monkeypatch):
    assert render(monkeypatch, "<b>{{ title }}</b>", compiles=True) == "<b>Moon</b>"
    assert render(monkeypatch, "<b>{{ title }}</b>", compiles=False) == "<b>Moon</b>"
    assert render(monkeypatch, "<i>{{ title }}</i>", compiles=True) == "<i>Moon</i>"
    assert folder.stat().st_mode & 0o777 == 0o700 and len(list(folder.iterdir())) == 2


def test_a_damaged_file_is_replaced(folder, monkeypatch):
    render(monkeypatch, "{{ title }}", compiles=True)
    for content in (b"", b"\xff", b"N", b"(\x01\x00\x00\x00N"):
        for file in folder.iterdir():
            file.write_bytes(content)
        assert render(monkeypatch, "{{ title }}", compiles=True) == "Moon"


@pytest.mark.parametrize("others", ["write", "own", "link"])
def test_code_of_others_is_not_run(folder, monkeypatch, tmp_path, others):
    render(monkeypatch, "{{ title }}", compiles=True)
    if others == "write":
        folder.chmod(0o777)
    elif others == "own":
        monkeypatch.setattr("os.getuid", lambda: folder.stat().st_uid + 1)
    else:
        folder.rename(tmp_path / "elsewhere")
        folder.symlink_to(tmp_path / "elsewhere")
    render(monkeypatch, "{{ title }}", compiles=True)


def test_old_templates_are_deleted(folder, monkeypatch):
    monkeypatch.setattr(sandbox, "MAX_FILES", 3)
    for number in range(9):
        render(monkeypatch, "{{ title }}" + str(number), compiles=True)
    assert len(list(folder.iterdir())) <= 4
