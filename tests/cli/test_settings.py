"""Settings: their sources, their order, and problems in the files."""

import json

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from generator.model.print_settings import PrintSettings
from generator.printing.plan import _paper_for
from generator.reading.load import load
from generator.reading.sizes import paper


@pytest.fixture
def pencilbox(pencilbox, tmp_path, monkeypatch):
    """Runs a command with the content of the user's file and of the one in the folder."""
    user_file = tmp_path / "home" / "pencilbox" / "config.toml"
    user_file.parent.mkdir(parents=True)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))

    def run(*words, user="", folder=""):
        user_file.write_text(user)
        (tmp_path / "work" / "pencilbox.toml").write_text(folder)
        return pencilbox(*words)

    return run


def files(pencilbox, *words, **settings):
    code, out, err = pencilbox("make", "from_the_ground_up", "cards", "--format", "json", *words, **settings)
    assert code == 0, err
    return [file["file"] for file in json.loads(out)]


def test_the_command_line_comes_before_the_folder_and_the_folder_before_the_user(pencilbox):
    user = 'paper = "Letter"\nduplex = "short"\nlow_ink = true\noutput = "pdf"\n'
    assert files(pencilbox) == ["output/from_the_ground_up/cards-a4.pdf"]
    assert files(pencilbox, user=user) == ["pdf/from_the_ground_up/cards-letter-duplex-short-low-ink.pdf"]
    folder = 'paper = ["a4", "legal"]\nlow-ink = false\n'
    assert files(pencilbox, user=user, folder=folder) == [
        "pdf/from_the_ground_up/cards-a4-duplex-short.pdf",
        "pdf/from_the_ground_up/cards-legal-duplex-short.pdf",
    ]
    words = ("--paper", "a5", "--duplex", "long", "--low-ink", "-o", "mine")
    assert files(pencilbox, *words, user=user, folder=folder) == ["mine/from_the_ground_up/cards-a5-low-ink.pdf"]
    assert files(pencilbox, "--no-low-ink", user=user)[0].endswith("short.pdf")


def test_the_margin_of_the_printer_comes_from_the_command_line_a_setting_the_game_or_the_paper(pencilbox, tmp_path):
    def margin(*words, **settings):
        (file,) = files(pencilbox, "--force", *words, **settings)
        return PdfReader(file).metadata.get("/PencilboxMargin")

    assert margin() is None, "that of the paper"
    assert margin(user='printer_margin = "0.25in"\n') == "6.35"
    assert margin(user="printer_margin = 5\n", folder="printer_margin = 3\n") == "3"
    assert margin("--printer-margin", "5.5", user="printer_margin = 6\n") == "5.5"
    game = load("from_the_ground_up")
    game = replace(game, definition=replace(game.definition, printer_margin=7.0))
    assert _paper_for(game, paper("a4"), PrintSettings()).margin == 7
    assert _paper_for(game, paper("a4"), PrintSettings(margin=5)).margin == 5


@pytest.mark.parametrize(("value", "message"), [("40", "a margin of 40 mm"), ("wide", "“wide” is not a margin")])
def test_a_margin_must_be_a_length_up_to_30_mm(pencilbox, value, message):
    code, _, err = pencilbox("make", "upwards", "dice", "--printer-margin", value)
    assert (code, message in err) == (2, True)
    code, _, err = pencilbox("config", folder=f'printer-margin = "{value}"\n')
    assert (code, f"“printer-margin”: {message}" in err) == (2, True)


def test_settings_that_a_component_cannot_use_are_ignored(pencilbox):
    user = 'duplex = "none"\nlow_ink = true\n'
    assert pencilbox("make", "upwards", "rules", user=user)[0] == 0


def test_the_configured_folder_is_an_output_folder(pencilbox):
    for _ in range(2):
        assert files(pencilbox, folder='output = "pdf"\n')


def test_config_shows_every_value_and_its_source(pencilbox, tmp_path):
    user = str(tmp_path / "home" / "pencilbox" / "config.toml")
    code, out, _ = pencilbox("config", user='\npaper = "letter"\n', folder='output = "pdf"\n')
    assert code == 0
    rows = [line.split() for line in out.splitlines()]
    assert rows[:9] == [
        ["setting", "value", "from"],
        ["paper", "letter", f"{user}:2"],
        ["duplex", "as", "each", "game", "says", "default"],
        ["printer_margin", "of", "each", "paper", "default"],
        ["printer", "none", "default"],
        ["low_ink", "false", "default"],
        ["high_contrast", "false", "default"],
        ["large_print", "false", "default"],
        ["output", "pdf", "pencilbox.toml:1"],
    ]
    assert out.splitlines()[9:] == [
        "To change the settings for this folder, edit pencilbox.toml.",
        f"To change the settings for all folders, edit {user}.",
    ]
    answer = json.loads(pencilbox("config", "--format", "json", folder="low_ink = true")[1])
    assert answer["low_ink"] == {"value": True, "from": "pencilbox.toml:1"}
    assert answer["paper"] == {"value": ["a4"], "from": "default"}


@pytest.mark.parametrize(
    ("folder", "message"),
    [
        ('\npapper = "a4"\n', "pencilbox.toml:2: unknown key “papper”; did you mean paper?"),
        (
            "[make]\npaper = 1\n",
            "pencilbox.toml:1: unknown key “make”; known: duplex, high_contrast, large_print, low_ink, output, ",
        ),
        ('paper = "a44"\n', "pencilbox.toml:1: “paper”: no paper “a44”; did you mean a4?"),
        ("paper = 4\n", "pencilbox.toml:1: “paper”: must be a paper such as"),
        ('duplex = "both"\n', "pencilbox.toml:1: “duplex”: must be one of long, short, gutterfold, none"),
        ("low_ink = 1\n", "pencilbox.toml:1: “low_ink”: must be true or false"),
        ("output = 3\n", "pencilbox.toml:1: “output”: must be a folder"),
        ("x\n", "pencilbox.toml:1: not readable as TOML: "),
        ("a = " + "[" * 5000, "pencilbox.toml: not readable as TOML: "),
        ("# " + "x" * 20_000, "pencilbox.toml: is larger than 16,000 bytes"),
        ("#\n" + "a." * 7_000 + "a = 1", "pencilbox.toml:2: too many dots"),
        ("x = {" + "a." * 7_000 + "a = 1}", "pencilbox.toml:1: too many dots"),
        ("x = " + "[" * 7_000, "pencilbox.toml: not readable as TOML: brackets too deep"),
        (
            "paper = " + "9" * 5_000,
            "pencilbox.toml: not readable as TOML: brackets too deep, or a number too long",
        ),
        ("printer_margin = " + "9" * 4_000, "pencilbox.toml:1: “printer_margin”: “9999"),
        ("printer_margin = nan", "pencilbox.toml:1: “printer_margin”: “nan” is not a margin"),
        ('output = "../x"', "pencilbox.toml:1: “output”: is outside this folder; set it in your own file"),
        ('output = "pdf/../../x"', "pencilbox.toml:1: “output”: is outside this folder"),
        ('output = "~/x"', "pencilbox.toml:1: “output”: is outside this folder"),
        ('output = "/tmp"', "pencilbox.toml:1: “output”: is outside this folder"),
        ('output = "a\\u0000"', "pencilbox.toml:1: “output”: must be a folder such as"),
    ],
)
def test_problems_in_a_file_are_reported(pencilbox, folder, message):
    for command in ("config", "make"):
        code, out, err = pencilbox(command, *(["upwards"] if command == "make" else []), folder=folder)
        assert (code, out) == (2, "") and message in err and err.count("\n") == 1


def test_problems_of_both_files_are_reported_together(pencilbox):
    code, _, err = pencilbox("config", user="low_ink = 1\nx = 2\n", folder='paper = "b9"\n')
    assert (code, err.count("\n")) == (2, 3)
    assert pencilbox("make", "--help", folder="x = 1")[0] == 0


def test_the_users_file_is_where_platformdirs_puts_it(monkeypatch):
    """On Linux its folder is usually found without that library, which takes a while to load."""
    from platformdirs import user_config_path

    from generator.reading.user_settings import user_file

    for home in ("/home/ann", "/", "ann", ""):
        monkeypatch.setenv("HOME", home)
        for folder in ("/elsewhere", "", " ", "in/here"):
            monkeypatch.setenv("XDG_CONFIG_HOME", folder)
            assert user_file() == user_config_path("pencilbox", appauthor=False) / "config.toml"
        monkeypatch.delenv("XDG_CONFIG_HOME")
        assert user_file() == user_config_path("pencilbox", appauthor=False) / "config.toml"
