"""Printing with other processes: the same files, messages and exit codes as with one process."""

import json
import pickle
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

import pytest

from generator import __version__, games, workers
from generator.printing import jobs
from generator.reading.load import load
from generator.workers import SerialExecutor, Workers

GAME = "from_the_ground_up"


class Pickling(SerialExecutor):
    """Passes jobs and results on as another process would."""

    def submit(self, function, job):
        return super().submit(lambda: pickle.loads(pickle.dumps(function(pickle.loads(pickle.dumps(job))))))


@pytest.fixture
def opened(monkeypatch):
    """The numbers of processes that were asked for."""
    numbers = []

    @contextmanager
    def open_workers(processes, *_cluster):
        numbers.append(processes)
        yield Workers(Pickling(), 3 * processes)

    monkeypatch.setattr(workers, "open_workers", open_workers)
    return numbers


def pdfs(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.pdf")}


def unread(folder):
    """The files that were not read for each PDF, as they are recorded."""
    files = json.loads((folder / ".pencilbox" / "records.json").read_text())["files"]
    return {name.rpartition("/")[2]: record["unread"] for name, record in files.items()}


@pytest.fixture
def codes(tmp_path):
    game = load(GAME)
    found = [str(games.new_code(game, "jobs", index)) for index in range(4)]
    (tmp_path / "codes.txt").write_text("\n".join(found))
    return found


@pytest.mark.parametrize("words", [("--set", "codes.txt", "-c", "cards"), ("upwards", "own", "dice", "cards")])
def test_other_processes_print_the_same_bytes(pencilbox, tmp_path, opened, codes, words):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "cards.csv").write_text("name\n" + "x" * 90 + "\n")  # too long for the card
    run = ("make", *words)
    alone = pencilbox(*run, "--workers", "1", "-o", "alone")
    shared = pencilbox(*run, "--workers", "2", "-o", "shared")
    assert opened == [2]
    assert [part.replace("shared/", "alone/") if isinstance(part, str) else part for part in shared] == list(alone)
    assert pdfs(tmp_path / "shared") == pdfs(tmp_path / "alone") != {}
    assert unread(tmp_path / "shared") == unread(tmp_path / "alone") != {}


@pytest.mark.usefixtures("opened")
def test_what_a_cluster_has_read_is_not_known(pencilbox, tmp_path):
    """Its machines may have the same files in other folders."""
    assert pencilbox("make", "upwards", "folder", "--scheduler", "tcp://a:1")[0] == 0
    assert unread(tmp_path / "output") == {"folder-a4.pdf": []}


def test_many_files_are_printed_with_all_cores(pencilbox, opened, codes, monkeypatch):
    monkeypatch.setattr(workers, "cores", lambda: 3)
    run = ("make", "--set", "codes.txt", "-c", "cards")
    assert pencilbox(*run)[0] == 0
    assert opened == []
    monkeypatch.setattr("generator.printing.jobs.MANY_FILES", 4)
    assert pencilbox(*run, "--force")[0] == 0
    assert opened == [3]


def test_finished_files_are_kept_if_a_process_is_killed(pencilbox, tmp_path, opened, codes, monkeypatch):
    done = []

    def killed(job):
        if len(done) == 2:
            raise BrokenProcessPool
        done.append(job)
        return print_job(job)

    print_job = jobs.print_job
    monkeypatch.setattr(jobs, "print_job", killed)
    monkeypatch.setattr(Pickling, "submit", SerialExecutor.submit)
    code, out, err = pencilbox("make", "--set", "codes.txt", "-c", "cards", "--workers", "2")
    assert code == 2 and len(out.splitlines()) == 2
    assert "error: a worker process was killed; the files that were finished are complete\n" in err
    assert "Not printed: cards. All other files are ready." in err
    assert {file.name for file in (tmp_path / "output" / GAME).iterdir()} == {
        f"cards-a4-{code}.pdf" for code in codes[:2]
    }


def test_a_worker_with_another_version_is_refused(pencilbox, opened, codes, monkeypatch):
    monkeypatch.setattr(jobs, "__version__", "0.0")
    code, _, err = pencilbox("make", "--set", "codes.txt", "--workers", "2")
    assert (code, err) == (
        2,
        f"error: a worker has Pencilbox 0.0, not {__version__}; install the same version on all\n",
    )


def test_ctrl_c_leaves_complete_files_only(pencilbox, tmp_path, codes, monkeypatch):
    saved = []

    def save(content, file):
        if len(saved) == 2:
            raise KeyboardInterrupt
        saved.append(file)
        real(content, file)

    real = jobs.save
    monkeypatch.setattr(jobs, "save", save)
    assert pencilbox("make", "--set", "codes.txt", "-c", "cards")[0] == 130
    assert [file.read_bytes()[-6:] for file in (tmp_path / "output" / GAME).iterdir()] == [b"%%EOF\n"] * 2
    monkeypatch.setattr(jobs, "save", real)
    out = pencilbox("make", "--set", "codes.txt", "-c", "cards")[1]
    assert ["unchanged" in line for line in out.splitlines()] == [True, True, False, False]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("upwards", "--workers", "0"), "--workers must be from 1 to 1024, not 0"),
        (("upwards", "--workers", "2", "--scheduler", "tcp://a:1"), "--workers cannot be used with --scheduler"),
        (("upwards", "--timeout", "1"), "--timeout needs --scheduler"),
        (("upwards", "--draft", "--workers", "2"), "--workers cannot be used with --draft"),
        (("x.csv", "--scheduler", "tcp://a:1"), "--scheduler is for the games that come with Pencilbox"),
        ((GAME, "--print-run", "200"), "the largest has 29 sets; “randomise --count 200” draws sets that may share"),
        ((GAME, "--print-run", "2", "--set", "x"), "--set and --print-run cannot be used together"),
    ],
)
def test_what_cannot_be_printed_elsewhere_is_refused(pencilbox, tmp_path, words, message):
    (tmp_path / "x.csv").write_text("name\na\n")
    code, _, err = pencilbox("make", *words)
    assert code == 2 and message in err


def test_a_print_run_is_drawn_and_printed(pencilbox, tmp_path):
    run = ("make", GAME, "cards", "--print-run", "3")
    assert pencilbox(*run, "--seed", "club")[0] == 0
    drawn = pencilbox("randomise", GAME, "--print-run", "3", "--seed", "club")[1]
    files = {file.name for file in (tmp_path / "output" / GAME).iterdir()}
    assert len(files) == 3 and all(
        f"-{name.split('a4-')[1]}".strip("-").removesuffix(".pdf") in drawn for name in files
    )


def test_all_wrong_codes_of_a_file_are_reported_with_their_lines(pencilbox, tmp_path, codes):
    wrong = [codes[0], codes[1][:-1] + "*", "card 1  5-6", codes[2][:-3], codes[3][:3] + "?" + codes[3][4:]]
    (tmp_path / "wrong.txt").write_text("\n".join(wrong))
    code, _, err = pencilbox("make", "--set", "wrong.txt")
    assert code == 2
    assert [line.split(": ")[1] for line in err.splitlines()] == ["wrong.txt:2", "wrong.txt:4", "wrong.txt:5"]
