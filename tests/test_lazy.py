"""Modules that are not needed are not loaded."""

import sys

import pytest

from generator import lazy


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A package that can be imported: `late` has a regular expression, `late.inner` uses it."""
    (tmp_path / "late").mkdir()
    (tmp_path / "late/__init__.py").write_text("import re\nWORDS = re.compile('[a-z]+')\nloaded = True\n")
    (tmp_path / "late/inner.py").write_text("import re\nfrom . import WORDS\nCAPITALS = re.compile('[A-Z]+', re.I)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "late", raising=False)
    monkeypatch.delitem(sys.modules, "late.inner", raising=False)


def test_a_module_is_loaded_when_one_of_its_names_is_used(library):
    lazy.load_later("late", "late", "no_such_module")
    import late
    import late as again

    assert again is late
    assert "loaded" not in vars(late)
    assert late.loaded
    with pytest.raises(AttributeError, match="module 'late' has no attribute 'nothing'"):
        _ = late.nothing
    assert type(late) is type(sys)
    assert "no_such_module" not in sys.modules


def test_a_module_of_a_package_is_loaded_later(library):
    lazy.load_later("late.inner")
    from late import inner

    assert "CAPITALS" not in vars(inner)
    from late.inner import CAPITALS

    assert CAPITALS.match("a")


def test_a_module_that_fails_to_load_fails_each_time(library, tmp_path):
    (tmp_path / "late/__init__.py").write_text("raise OSError('broken')\n")
    lazy.load_later("late")
    import late

    for _ in range(2):
        with pytest.raises(OSError, match="broken"):
            _ = late.loaded
