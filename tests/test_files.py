"""A file is written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.files import save


def test_a_file_is_written_in_a_new_folder_and_replaced(tmp_path):
    path = tmp_path / "output" / "game" / "cards-a4.pdf"
    save(b"one", path)
    save(b"two", path)
    assert path.read_bytes() == b"two"
    assert [file.name for file in path.parent.iterdir()] == ["cards-a4.pdf"]


def test_other_people_may_read_it(tmp_path):
    save(b"one", tmp_path / "a.pdf")
    (tmp_path / "plain").write_bytes(b"")
    assert (tmp_path / "a.pdf").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    save(b"old", tmp_path / "a.pdf")

    def interrupted(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(b"new", tmp_path / "a.pdf")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a.pdf", b"old")]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match=r"file/a\.pdf: cannot be written: "):
        save(b"one", tmp_path / "file" / "a.pdf")
    (tmp_path / "folder.pdf").mkdir()
    with pytest.raises(InputError, match=r"folder\.pdf: cannot be written: "):
        save(b"one", tmp_path / "folder.pdf")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder.pdf"]
