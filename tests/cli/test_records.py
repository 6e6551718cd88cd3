"""Making a game again: what has not changed is not printed, and everything that decides a byte counts as a change."""

import json
import os
import shutil

import pytest
from msgspec.structs import replace

from generator import paths
from generator.games import deal
from generator.model.print_settings import PrintSettings
from generator.printing import records
from generator.printing.plan import PlannedFile
from generator.reading.load import load
from generator.reading.sizes import paper

LETTER = "output/walk/cards-letter.pdf"
SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#335c81" d="M0 0h9v9H0z"/></svg>'
FILES = "output/walk/cards-a4.pdf", "prints/walk/cards-a4.pdf"


@pytest.fixture
def walk(tmp_path):
    return shutil.copytree(paths.ROOT / "examples" / "lantern_walk", tmp_path / "walk")


def printed(pencilbox, *words):
    """The names of the files that a command prints, not of those that have not changed."""
    code, out, err = pencilbox("make", *words, "--format", "json")
    assert code == 0, err
    return [file["file"].rpartition("/")[2] for file in json.loads(out) if not file["unchanged"]]


def changed(pencilbox, *words):
    """Whether a command printed its file."""
    return bool(printed(pencilbox, "walk", "cards", *words))


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
    assert changed(pencilbox, "-o", "prints", "--replace")  # as --watch does
    assert not changed(pencilbox, "-o", "prints", "--replace")


def test_whatever_decides_a_byte_is_a_change(pencilbox, tmp_path, walk, monkeypatch):
    pdf, folder = tmp_path / FILES[0], tmp_path / "output" / records.FOLDER
    (walk / "pictures").mkdir()
    changes = {
        "a card": lambda: edit(walk / "cards.csv", "Old Ferry", "New Ferry"),
        "a template": lambda: edit(walk / "templates/card.xml.j2", 'padding="4"', 'padding="5"'),
        "the definition": lambda: edit(walk / "game.yaml", "Nine lanterns", "Nine lamps"),
        "a new file": lambda: (walk / "more.yaml").write_text(""),
        "a deleted file": (walk / "more.yaml").unlink,
        "a new link to a folder": lambda: (walk / "art").symlink_to("pictures"),
        "a PDF edited by hand": lambda: pdf.write_bytes(pdf.read_bytes() + b"\n"),
        "a deleted PDF": pdf.unlink,
        "deleted records": lambda: shutil.rmtree(folder),
        "a damaged record": lambda: [file.write_text("{") for file in folder.iterdir()],
        "another version": lambda: monkeypatch.setattr(records, "__version__", "0"),
        "another library": lambda: (monkeypatch.syspath_prepend(tmp_path), (tmp_path / "x-1.dist-info").mkdir()),
    }
    assert changed(pencilbox)
    for temporary in (".~lock.cards.csv#", "~$cards.xlsx", "cards.csv~", "#cards.csv#", ".cards.csv.swp", ".DS_Store"):
        (walk / temporary).write_text("")
    for name, change in changes.items():
        assert not changed(pencilbox), name
        change()
        assert changed(pencilbox), name
    for words in (("--max-dpi", "100"), ("--strict",)):
        assert changed(pencilbox, *words), words
        assert not changed(pencilbox, *words), words


def test_other_commands_know_what_was_printed(pencilbox, tmp_path, walk):
    assert len(printed(pencilbox, "walk")) == 3
    assert printed(pencilbox, "walk", "cards") == []
    assert printed(pencilbox, "walk", "--copies", "3") == ["sheet-a4-pad-3.pdf"]  # copies are only for sheets
    assert printed(pencilbox, "walk", "--paper", "a4", "--paper", "a5", "-c", "cards") == ["cards-a5.pdf"]
    assert printed(pencilbox, "walk", "rolling_cubes", "-c", "cards", "-c", "dice") == ["dice-a4.pdf"]
    code, out, err = pencilbox("make", "walk", "-p", "a4", "-p", "letter", "-c", "cards")
    assert [line.split("  ")[0] for line in out.splitlines() if "unchanged" not in line] == [LETTER]
    assert err == "\nFiles that have not changed were not printed again; --force prints them, too.\n"
    (walk / "cards.csv").write_text("name\n")
    code, out, err = pencilbox("make", "walk", "rolling_cubes", "-c", "cards", "-c", "dice")
    assert code == 2
    assert "dice-a4.pdf  1 page    unchanged" in out
    assert "Not printed: cards." in err


def test_sets_drawn_at_random_are_found_by_their_codes(pencilbox):
    words = "from_the_ground_up", "-c", "cards"
    (name,) = printed(pencilbox, *words, "--random")
    assert printed(pencilbox, *words, "--random") != [name]
    assert printed(pencilbox, *words, "--set", name[9:-4]) == []
    assert printed(pencilbox, *words, "--random", "--seed", "x")
    assert not printed(pencilbox, *words, "--random", "--seed", "x")


def test_what_cannot_be_compared_is_always_printed(pencilbox, walk, monkeypatch):
    for words in (("--trust-code",), ("--draft",)):
        assert changed(pencilbox, *words) and changed(pencilbox, *words), words
    assert changed(pencilbox)
    for words in (("--quiet",), ("--workers", "1"), ()):
        assert not changed(pencilbox, *words), words
    for limit in ("MAX_FILES", "MAX_BYTES"):
        with monkeypatch.context() as context:
            context.setattr(records, limit, 5)
            assert changed(pencilbox), limit


def test_records_are_only_saved_if_no_file_was_saved_in_the_meantime(tmp_path, walk, monkeypatch):
    monkeypatch.setattr(records, "MAX_COMMANDS", 2)
    pdf, folder = tmp_path / "cards.pdf", tmp_path / "output"
    pdf.write_bytes(b"%PDF")
    game = load(str(walk))

    def record(word):
        return records.Records(folder, [walk], word)

    def printed_file(pdf):
        return records.PrintedFile("walk", "cards", "a4", str(pdf), 1, None, None, "print at 100%", False, None)

    def save(record, pdf=pdf):
        planned = PlannedFile(game, game, deal(game), "cards", paper("a4"), pdf, PrintSettings())
        record.add(planned, printed_file(pdf), (), elsewhere=False)
        record.save([str(pdf)])

    early = record("a")
    edit(walk / "cards.csv", "Old Ferry", "New Ferry")
    save(early)
    assert not early.file.exists()
    slow = record("d")
    for word in ("a", "b", "c"):  # only the newest commands are kept
        save(record(word))
    assert [record(word).unchanged() for word in "abc"] == [
        None,
        *[[replace(printed_file(pdf), unchanged=True)]] * 2,
    ]
    other = pdf.with_name("other.pdf")
    other.write_bytes(b"%PDF")
    save(slow, other)  # another command at the same time: both are kept
    assert record("c").unchanged()
    assert record("d").unchanged()
    other.unlink()
    save(record("a"))
    assert json.loads(early.file.read_text())["files"].keys() == {str(pdf)}
    shutil.rmtree(early.file.parent)
    (tmp_path / "elsewhere").mkdir()
    early.file.parent.symlink_to(tmp_path / "elsewhere")
    save(record("a"))
    assert list((tmp_path / "elsewhere").iterdir()) == []
    shutil.rmtree(early.file.parent.resolve())
    early.file.parent.unlink()
    early.file.parent.mkdir()
    early.file.symlink_to(tmp_path / "precious.txt")
    save(record("a"))
    assert not (tmp_path / "precious.txt").exists()


@pytest.fixture
def odd(tmp_path):
    """A game with a deck that draws pictures of any name and an icon."""
    folder = tmp_path / "walk"
    files = {
        "game.yaml": "title: Odd\ncomponents:\n"
        "  cards: {kind: deck, title: Cards, cards: cards.csv, size: 44 x 63, face: card, safe: 0}\n",
        "cards.csv": "id,art\na,art.svg\n",
        "art.svg": SQUARE,
        ".git/art.svg": SQUARE,
        "icons/star.svg": SQUARE,
        "templates/card.xml.j2": '<face><column><image file="{{ card.art }}" height="9"/><icon name="star" size="8"/>'
        "</column></face>",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_files_in_odd_places_are_compared_too(pencilbox, odd):
    elsewhere, red = odd / "elsewhere", SQUARE.replace("#335c81", "#8a3b12")
    (odd / "icons").rename(elsewhere)
    (odd / "icons").symlink_to(elsewhere)
    (odd / os.fsdecode(b"\xff")).mkdir()
    (odd / "latin-1").symlink_to(os.fsdecode(b"\xff"))
    (odd / "round").symlink_to(odd)
    assert changed(pencilbox)
    assert not changed(pencilbox)
    (elsewhere / "star.svg").write_text(red)
    assert changed(pencilbox), "an icon in a linked folder"
    assert not changed(pencilbox)
    edit(odd / "cards.csv", "art.svg", ".git/art.svg")
    assert changed(pencilbox)
    assert changed(pencilbox), "a picture in a folder that is not compared"
    edit(odd / "cards.csv", ".git/", "")
    (odd / "templates").rename(odd / "faces")
    (odd / "templates").symlink_to(odd / "faces")
    assert changed(pencilbox)
    edit(odd / "faces/card.xml.j2", 'size="8"', 'size="9"')
    assert changed(pencilbox), "templates in a linked folder"


def test_records_of_any_content_do_no_harm(pencilbox, tmp_path, odd):
    assert changed(pencilbox)
    file = tmp_path / "output" / records.FOLDER / "records.json"
    recorded = json.loads(file.read_text())
    (record,) = recorded["files"].values()
    note = {"place": None, "message": "Note", "hint": ""}
    wrong = [
        *({}, [], {"pages": 1}, record["printed"] | {"pages": "1"}, record["printed"] | {"notes": ["x"]}),
        *(record["printed"] | {"notes": [note | each]} for each in ({"place": "1"}, {"message": []}, {"hint": 1})),
    ]
    contents = ["[" * 100_000, "[]", "{}", '{"files": [], "commands": {}}', '{"files": {"a": 3}, "commands": {"b": 3}}']
    for each in wrong:
        record["printed"] = each
        contents.append(json.dumps(recorded))
        contents.append(json.dumps(recorded | {"commands": {}}))
    for content in contents:
        file.write_text(content)
        assert changed(pencilbox), content[:500]
    assert not changed(pencilbox)
    for path in (file, tmp_path / FILES[0]):
        path.unlink()
        os.mkfifo(path)
        code, _, err = pencilbox("make", "walk", "cards")
        assert (code, err.partition(": ")[2]) in (
            (0, ""),
            (2, f"{FILES[0]}: is a device or a pipe, not a file; name a file\n"),
        )
        path.unlink()
