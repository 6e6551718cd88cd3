"""Files are written completely or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from generator import paths
from generator.errors import InputError
from generator.files import save


def test_a_file_is_written_in_a_new_folder_and_replaced(tmp_path):
    path = tmp_path / "output" / "game" / "cards-a4.pdf"
    save(b"one", path)
    save(b"two", path)
    assert path.read_bytes() == b"two"
    assert [file.name for file in path.parent.iterdir()] == ["cards-a4.pdf"]


def test_parts_that_a_killed_process_left_are_removed_after_an_hour(tmp_path):
    names = [".0123456789abcdef.part", ".fedcba9876543210.part", ".notes.part", "0123456789abcdef.part"]
    for name in names:
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (0, 0))
    os.utime(tmp_path / names[1])
    save(b"one", tmp_path / "a.pdf")
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(["a.pdf", *names[1:]])


def test_a_new_file_may_be_read_by_others(tmp_path):
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


def test_a_path_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match=r"file/a\.pdf: cannot be written: "):
        save(b"one", tmp_path / "file" / "a.pdf")
    (tmp_path / "folder.pdf").mkdir()
    with pytest.raises(InputError, match=r"folder\.pdf: is a folder"):
        save(b"one", tmp_path / "folder.pdf")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder.pdf"]


def test_a_link_stays_and_its_target_is_written(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.pdf").symlink_to("folder/target.pdf")
    for content in (b"new", b"newer"):
        save(content, tmp_path / "link.pdf")
        assert (tmp_path / "link.pdf").is_symlink()
        assert (tmp_path / "folder" / "target.pdf").read_bytes() == content
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(InputError, match="round: cannot be written: too many levels"):
        save(b"x", tmp_path / "round")


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_the_mode_of_a_file_is_kept(tmp_path, mode):
    path = tmp_path / "a.pdf"
    path.write_bytes(b"old")
    path.chmod(mode)
    save(b"new", path)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", mode)


def test_a_file_is_never_open_to_more_users_than_at_the_end(tmp_path):
    path, modes, before = tmp_path / "a.pdf", [], os.umask(0)
    path.write_bytes(b"old")
    path.chmod(0o600)
    try:
        save(lambda stream: modes.append(os.fstat(stream.fileno()).st_mode & 0o777), path)
    finally:
        os.umask(before)
    assert modes == [0o600]


def test_a_read_only_file_is_refused(tmp_path):
    path = tmp_path / "a.pdf"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(InputError, match=r"a\.pdf: is read-only"):
        save(b"new", path)
    assert path.read_bytes() == b"old"


def test_devices_pipes_and_folders_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/null")
    for path in (Path("/dev/null"), tmp_path / "pipe", tmp_path / "link"):
        with pytest.raises(InputError, match="is a device or a pipe, not a file"):
            save(b"x", path)
    assert Path("/dev/null").is_char_device() and (tmp_path / "pipe").is_fifo()
    with pytest.raises(InputError, match="is a folder"):
        save(b"x", tmp_path)


def test_a_name_that_is_too_long_is_reported(tmp_path):
    save(b"x", tmp_path / ("x" * 255))
    with pytest.raises(InputError, match="cannot be written: file name too long"):
        save(b"x", tmp_path / ("x" * 256))
    with pytest.raises(InputError, match="cannot be written"):
        save(b"x", tmp_path / "a\0b")
    assert [len(file.name) for file in tmp_path.iterdir()] == [255]


@pytest.mark.usefixtures("default_signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_waits_until_the_file_is_complete(tmp_path, name):
    code = (
        "import os, pathlib, signal\nfrom generator.files import save\n"
        "replace = pathlib.Path.replace\n"
        f"def killed(self, target): os.kill(os.getpid(), signal.{name}); replace(self, target)\n"
        "pathlib.Path.replace = killed\n"
        "save(b'whole', pathlib.Path('a.pdf'))\nprint('not reached')"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={"PYTHONPATH": str(paths.ROOT)},
    )
    assert (result.returncode, result.stdout) == (-getattr(signal, name), b"")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("a.pdf", b"whole")]
