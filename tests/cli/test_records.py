"""Making a game again: what has not changed is not printed, and everything that decides a byte counts as a change."""

import json
import shutil

import pytest

from generator import paths
from generator.cli import records

FILES = "output/walk/cards-a4.pdf", "prints/walk/cards-a4.pdf"


@pytest.fixture
def walk(tmp_path):
    return shutil.copytree(paths.ROOT / "examples" / "lantern_walk", tmp_path / "walk")


def changed(pencilbox, *words):
    """Whether a command printed its file."""
    code, out, err = pencilbox("make", "walk", "cards", "--format", "json", *words)
    assert code == 0, err
    return not json.loads(out)[0]["unchanged"]


def edit(file, old, new):
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def test_nothing_is_printed_if_nothing_has_changed(pencilbox, tmp_path, walk):
    command, pdf = ("make", "walk", "cards", "-o", "prints"), tmp_path / FILES[1]
    first = pencilbox(*command)[1]
    printed = pdf.stat()
    code, out, err = pencilbox(*command)  # nobody is asked about files outside output/ that are not replaced
    assert (code, pdf.stat().st_mtime_ns, pdf.stat().st_ino) == (0, printed.st_mtime_ns, printed.st_ino)
    assert out == first.replace("  print at 100%", "  unchanged; print at 100%") != first
    assert err == "\nNothing has changed since these files were printed; --force prints them again.\n"
    assert pencilbox(*command, "--quiet") == (0, "", "")
    content = pdf.read_bytes()
    assert changed(pencilbox, "-o", "prints", "--force")
    assert pdf.read_bytes() == content
    assert not changed(pencilbox, "-o", "prints")
    edit(walk / "cards.csv", "Old Ferry", "New Ferry")
    code, _, err = pencilbox(*command)
    assert (code, err) == (2, f"error: {FILES[1]}: file already exists; --force replaces it\n")


def test_whatever_decides_a_byte_is_a_change(pencilbox, tmp_path, walk, monkeypatch):
    pdf, folder = tmp_path / FILES[0], tmp_path / "output" / records.FOLDER
    changes = {
        "a card": lambda: edit(walk / "cards.csv", "Old Ferry", "New Ferry"),
        "a template": lambda: edit(walk / "templates/card.xml.j2", 'padding="4"', 'padding="5"'),
        "the definition": lambda: edit(walk / "game.yaml", "Nine lanterns", "Nine lamps"),
        "a new file": lambda: (walk / "art.svg").write_text("<svg/>"),
        "a deleted file": (walk / "art.svg").unlink,
        "a PDF edited by hand": lambda: pdf.write_bytes(pdf.read_bytes() + b"\n"),
        "a deleted PDF": pdf.unlink,
        "deleted records": lambda: shutil.rmtree(folder),
        "a damaged record": lambda: [file.write_text("{") for file in folder.iterdir()],
        "another version": lambda: monkeypatch.setattr(records, "__version__", "0"),
        "another library": lambda: (monkeypatch.syspath_prepend(tmp_path), (tmp_path / "x-1.dist-info").mkdir()),
    }
    assert changed(pencilbox)
    for name, change in changes.items():
        assert not changed(pencilbox), name
        change()
        assert changed(pencilbox), name
    for words in (("--paper", "letter"), ("--max-dpi", "100")):
        assert changed(pencilbox, *words), words
        assert not changed(pencilbox, *words), words


def test_what_cannot_be_compared_is_always_printed(tmp_path, walk, monkeypatch):
    options = {
        "words": (str(walk),),
        "sets": (),
        "draw": False,
        "run": None,
        "seed": None,
        "trust_code": False,
        "draft": False,
        "folder": tmp_path,
    }
    assert records.Record.of(options)
    assert records.Record.of(options | {"draw": True, "seed": "x"})
    others = [{}, {"papers": ("a5",)}, {"strict": True}, {"quiet": True}, {"form": "json"}, {"words": (str(walk), "a")}]
    assert len({records.Record.of(options | other).file for other in others}) == len(others) - 2
    for other in ({"draw": True}, {"trust_code": True}, {"draft": True}):
        assert records.Record.of(options | other) is None
    for limit in ("MAX_FILES", "MAX_BYTES"):
        with monkeypatch.context() as context:
            context.setattr(records, limit, 5)
            assert records.Record.of(options) is None


def test_a_record_is_only_saved_if_no_file_was_saved_in_the_meantime(tmp_path, walk, monkeypatch):
    monkeypatch.setattr(records, "MAX_RECORDS", 2)
    options = {
        "sets": (),
        "draw": False,
        "run": None,
        "trust_code": False,
        "draft": False,
        "folder": tmp_path / "output",
    }

    def record(*words):
        return records.Record.of(options | {"words": (str(walk), *words)})

    early = record()
    edit(walk / "cards.csv", "Old Ferry", "New Ferry")
    early.save([], [])
    assert not early.file.exists()
    for words in ("a", "b", "c"):  # only the newest are kept
        record(words).save([], [])
    assert [record(words).unchanged() for words in ("a", "b", "c")] == [None, [], []]
    shutil.rmtree(early.file.parent)
    (tmp_path / "elsewhere").mkdir()
    early.file.parent.symlink_to(tmp_path / "elsewhere")
    record("a").save([], [])
    assert list((tmp_path / "elsewhere").iterdir()) == []
