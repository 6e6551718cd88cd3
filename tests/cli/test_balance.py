"""pencilbox balance: forms of the report, any number of workers, saved sheets, searches and Ctrl-C."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures.process import BrokenProcessPool

import pytest
from click.testing import CliRunner

from generator import games, paths
from generator.cli.balance import command
from generator.cli.randomise import command as randomise
from generator.errors import InputError
from generator.judging.judge import Judge
from generator.printing.balance_report import share_levels, share_ticks
from generator.reading.load import load
from generator.rules.results import plain
from generator.simulation import report as reports
from generator.simulation import simulate
from generator.simulation.report import (
    FIGURES,
    balance_score,
    figures,
    read_balance,
    summarise,
)
from generator.simulation.simulate import Job, Tally
from generator.workers import SerialExecutor
from tests.page_texts import page_texts

GAME = "from_the_ground_up"
DEAL, CHALLENGE = "EU-1D03-7Y9CW-HTB7W-N8", "UP-1S12-TCVK3-Q921Q-B1"
SMALL = ("--games", "24", "--workers", "1", "--player", "random")


def run(*words):
    return CliRunner().invoke(command, words, catch_exceptions=False)


def json_report(*words):
    return json.loads(run(*words, "--format", "json").stdout)


@pytest.mark.parametrize("game", games.SHIPPED)
def test_the_text_fits_eighty_columns_and_says_what_the_json_report_says(game):
    words = (game, "--games", "5", "--workers", "1", "--player", "random", "--players", "3")
    result = run(*words)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    data = json_report(*words)
    assert data["games"] == 5
    assert f"{data['length']['mean']['value']:.2f} ±" in result.stdout
    assert sum(data["length"]["counts"].values()) + round(5 * data["endless"]["value"]) == 5
    assert set(data["figures"]) == set(FIGURES)
    for share in (data["ties"], data["all_lose"], *(place["wins"] for place in data["places"])):
        assert 0 <= share["low"] <= share["value"] <= share["high"] <= 1


def test_the_number_of_workers_changes_nothing():
    words = (GAME, "--games", "150", "--player", "greedy", "--player", "random", "--seed", "same")
    alone, three = (json_report(*words, "--workers", number) for number in ("1", "3"))
    assert alone == three
    assert alone != json_report(*words[:-1], "other", "--workers", "1")


def test_jobs_of_any_size_add_up_to_the_same_games():
    job = Job("elevator_up", ("random",) * 3, seed="parts", stop=20)
    added = simulate.Tally()
    for part in reversed(list(job.parts(3))):
        added.add(simulate.play(part).tally)
    assert added == simulate.play(job).tally


def test_players_sit_in_the_order_they_are_named_and_take_turns_to_begin():
    data = json_report(
        GAME, "--games", "60", "--workers", "1", "--player", "greedy", "--player", "random", "--player", "careful"
    )
    assert [(who["name"], who["player"]) for who in data["players"]] == [
        ("Ann", "greedy"),
        ("Ben", "random"),
        ("Cat", "careful"),
    ]
    sheets = simulate.play(Job(GAME, ("random",) * 3, stop=3, keep=True)).sheets
    assert [sheet["log"][0]["player"] for _, (sheet,) in sheets] == ["Ann", "Ben", "Cat"]


def test_saved_games_are_valid_and_their_totals_agree(tmp_path):
    data = json_report(GAME, *SMALL, "--keep", str(tmp_path / "games"))
    files = sorted((tmp_path / "games").iterdir())
    assert [file.name for file in files[:2]] == ["game-00001.yaml", "game-00002.yaml"]
    assert len(files) == 24
    answers = [plain(answer) for file in files for answer in Judge().answers([str(file)])]
    assert all(answer["valid"] for answer in answers)
    totals = [player["total"] for answer in answers for player in answer["players"]]
    counted = [int(points) for points, times in data["points"]["counts"].items() for _ in range(times)]
    assert sorted(totals) == sorted(counted)
    assert sum(not answer["winners"] for answer in answers) == round(24 * data["all_lose"]["value"])


def test_saved_games_of_upwards_have_a_file_for_each_player(tmp_path):
    run("upwards", "--games", "1", "--players", "2", "--workers", "1", "--player", "random", "--keep", str(tmp_path))
    files = sorted(map(str, tmp_path.iterdir()))
    assert [os.path.basename(file) for file in files] == ["game-00001-ann.yaml", "game-00001-ben.yaml"]  # noqa: PTH119
    (answer,) = Judge().answers(files)
    assert plain(answer)["valid"]
    assert plain(answer)["winners"]


def test_the_report_fits_on_one_pdf_page(tmp_path):
    file = tmp_path / "balance.pdf"
    assert run(GAME, *SMALL, "--format", "pdf", "-o", str(file)).stdout.strip() == str(file)
    content = file.read_bytes()
    (text,) = page_texts(content)
    assert all(words in text for words in ("balance report", "24 games of", "card 12"))
    run(GAME, *SMALL, "--format", "pdf", "-o", str(file), "--force")
    assert file.read_bytes() == content


def test_the_report_is_a_web_page_in_one_file(tmp_path):
    file = tmp_path / "balance.html"
    assert run(GAME, *SMALL, "--format", "html", "-o", str(file)).stdout.strip() == str(file)
    page = file.read_text()
    assert page.startswith("<!doctype html>") and "<script" not in page
    assert all(address.startswith("#") for address in re.findall(r'(?:href|src)="([^"]*)', page))
    assert "<th>card 12</th>" in page and page.count('class="card"') == 12
    assert page.count("<svg") == page.count("</svg>") and "NaN" not in page


def test_axes_of_shares_have_round_numbers():
    assert [label for _, label in share_levels(0.54)[1]] == ["0%", "20%", "40%", "60%"]
    assert [label for _, label in share_levels(1.0)[1]] == ["0%", "20%", "40%", "60%", "80%", "100%"]
    assert [label for _, label in share_levels(0.09)[1]] == ["0%", "2%", "4%", "6%", "8%", "10%"]
    assert share_ticks(0.25) == ((0.0, "0%"), (50.0, "12.5%"), (100.0, "25%"))


def test_existing_files_are_not_replaced_without_asking(tmp_path):
    """Outside output/, a report and saved games follow the same rule as every other file."""
    report, sheets = tmp_path / "report.txt", tmp_path / "kept"
    words = (GAME, "--games", "2", "--workers", "1", "-o", str(report), "--keep", str(sheets))
    assert run(*words).exit_code == 0
    report.write_text("mine")
    (sheets / "game-00002.yaml").write_text("mine")
    with pytest.raises(InputError) as refusal:
        run(*words)
    files = (report, sheets / "game-00001.yaml", sheets / "game-00002.yaml")
    assert str(refusal.value) == f"3 files already exist: {', '.join(map(str, files))}; --force replaces them"
    assert report.read_text() == (sheets / "game-00002.yaml").read_text() == "mine"
    assert run(*words, "--force").exit_code == 0
    assert "mine" not in report.read_text() + (sheets / "game-00002.yaml").read_text()
    with pytest.raises(InputError, match="--force only works with --output FILE or --keep DIR"):
        run(GAME, "--force")


@pytest.mark.parametrize("game", games.SHIPPED)
def test_every_game_gets_a_pdf_page(tmp_path, game):
    file = tmp_path / "balance.pdf"
    run(game, "--games", "3", "--workers", "1", "--player", "random", "--format", "pdf", "-o", str(file))
    assert len(page_texts(file)) == 1


def test_a_search_finds_the_best_balanced_set():
    words = (GAME, "--games", "40", "--workers", "1", "--player", "random", "--search", "8")
    data = json_report(*words)
    assert data["searched"] == 8
    assert len(data["ranking"]) == 5
    scores = [entry["score"] for entry in data["ranking"]]
    assert scores == sorted(scores)
    assert {entry["games"] for entry in data["ranking"]} == {40}
    best = data["best"]
    assert best["set"] == data["ranking"][0]["set"]
    scale = read_balance(load(GAME))
    counted = sum(
        entry.weight
        * (best["figures"][entry.figure] if entry.aim is None else abs(best["figures"][entry.figure] - entry.aim))
        for entry in scale.score
    )
    assert counted == pytest.approx(scores[0], abs=1e-4)
    again = json_report(*words[:-2], "--set", best["set"])
    assert again["length"] == best["length"]
    assert best["set"] in run(*words).stdout


@pytest.mark.parametrize(
    ("game", "options", "players", "kind"),
    [
        (GAME, ("--profile", "fierce", "--players", "3"), 3, "GU-1CF9"),
        ("elevator_up", ("--players", "3"), 3, "EU-1D03"),
        ("rolling_cubes", ("--language", "german", "--players", "2"), 2, "RC-1R02"),
        ("rolling_cubes", ("--rounds", "24"), 4, "RC-1S12"),
        ("upwards", (), 4, "UP-1S01"),
        ("upwards", ("--per-player", "--players", "2"), 2, "UP-1S02"),
        ("upwards", ("--kind", "challenge"), 1, "UP-1S11"),
        ("cosmic_consequences", (), 4, "CC-1D01"),
        ("cosmic_consequences", ("--kind", "board"), 4, "CC-1BB1"),
    ],
)
def test_every_kind_of_random_set_can_be_searched(game, options, players, kind):
    """The sets are those that randomise draws from the same seed."""
    data = json_report(game, "--games", "4", "--workers", "1", "--player", "random", "--search", "2", *options)
    draw_options = options if game != "rolling_cubes" else options[:2]  # its dice are for any number of players
    drawn = CliRunner().invoke(randomise, [game, *draw_options, "--seed", "1", "--count", "2", "--format", "json"])
    assert {entry["set"] for entry in data["ranking"]} == {entry["set"] for entry in json.loads(drawn.stdout)}
    assert {entry["set"][: len(kind)] for entry in data["ranking"]} == {kind}
    assert len(data["best"]["players"]) == players


def test_a_challenge_is_scored_by_its_own_figures():
    scale = read_balance(load("upwards"))
    seats = simulate.prepare("upwards", CHALLENGE, 1, "")
    job = Job("upwards", ("greedy",), CHALLENGE, stop=10)
    report = summarise(job, seats, simulate.play(job).tally)
    assert balance_score(scale, report) == pytest.approx(0)  # no rivals, no ties
    values = figures(report)
    assert balance_score(scale, report, "challenge") == pytest.approx(
        10 * abs(values["least_finished"] - 0.1) + 2 * abs(values["finished_gap"] - 0.5) - 0.1 * values["points_spread"]
    )
    assert [piece.name for piece in report.pieces][:3] == ["bronze", "silver", "gold"]
    shares = [piece.fates["reached"].value for piece in report.pieces[:3]]
    assert shares == sorted(shares, reverse=True)
    result = reports.text(report)
    assert "advantage" not in result
    assert "won outright" not in result


def test_an_advantage_is_reported_only_if_chance_hardly_explains_it():
    job = Job(GAME, ("random",) * 4)
    seats = simulate.prepare(GAME, None, 4, "")

    def headline(won, games):
        tally = Tally(games=games)
        tally.place_won.update({0: won, 1: games - won})
        return reports.headline(summarise(job, seats, tally)).partition(". ")[2]

    assert headline(33, 92) == "In 92 games, going first made no clear difference."  # its 95% interval excludes 25%
    assert headline(330, 920) == "The first player wins 36% of the games with one winner; a fair share is 25%."


@pytest.mark.parametrize(
    ("games", "endless", "sentence"),
    [
        (400, 400, "400 of 400 games did not end, so nothing can be said about the length of a game or its winner."),
        (400, 201, "201 of 400 games did not end, so nothing can be said about the length of a game or its winner."),
        (1, 1, "1 of 1 game did not end, so nothing can be said about the length of a game or its winner."),
        (400, 200, "A game lasts about 6 rounds, but 200 of 400 games did not end."),
        (1000, 1, "A game lasts about 6 rounds, but 1 of 1,000 games did not end."),
        (400, 0, "A game lasts about 6 rounds."),
    ],
)
def test_a_headline_states_nothing_that_endless_games_make_meaningless(games, endless, sentence):
    job, seats = Job(GAME, ("random",) * 4), simulate.prepare(GAME, None, 4, "")
    ended = games - endless
    tally = Tally(games=games, endless=endless, lengths=Counter({6: ended} if ended else {}))
    tally.place_won.update({place: ended // 4 for place in range(4) if ended})
    report = summarise(job, seats, tally)
    fair = f" In {ended} games, going first made no clear difference." if 2 * endless <= games else ""
    assert reports.headline(report) == sentence + fair
    if endless:
        assert reports.verdict(report) == reports.headline(report)
    lines = reports.text(report).splitlines()
    assert any(line.startswith("length") for line in lines) == bool(ended)
    assert any(line.startswith("first-player advantage") for line in lines) == bool(ended)


def test_counts_are_reported_in_every_format(tmp_path):
    words = ("cosmic_consequences", "--games", "10", "--workers", "1", "--player", "random", "--players", "6")
    counts = json_report(*words)["counts"]
    assert list(counts) == ["cards drawn", "cards discarded", "jumps with a card", "pawns met", "laps"]
    run(*words, "--format", "pdf", "-o", str(tmp_path / "page.pdf"))
    page = page_texts(tmp_path / "page.pdf")[0]
    result = run(*words).stdout
    for name, count in counts.items():
        assert sum(count["counts"].values()) == 10
        assert f"{name:<24}{count['mean']['value']:.2f} ± " in result
        assert f"{count['mean']['value']:.2f} (" in page
        assert name.upper() in page.upper()


def test_the_score_is_the_weighted_sum(tmp_path):
    game = own_game(tmp_path, "score:\n  - {figure: ties, weight: 3}\n  - {figure: length, weight: 2, aim: 10}\n")
    scale = read_balance(load(str(game)))
    seats = simulate.prepare(GAME, None, 2, "standard")
    job = Job(GAME, ("random",) * 2, stop=10)
    report = summarise(job, seats, simulate.play(job).tally)
    values = figures(report)
    assert balance_score(scale, report) == pytest.approx(3 * values["ties"] + 2 * abs(values["length"] - 10))


def test_every_figure_is_documented():
    page = (paths.ROOT / "docs/balance.md").read_text()
    assert [name for name in FIGURES if f"`{name}`" not in page] == []


def test_every_key_of_the_json_is_documented():
    page = (paths.ROOT / "docs/balance.md").read_text().partition("### As JSON")[2].partition("## More processors")[0]

    def keys(data):
        for key, value in data.items() if isinstance(data, dict) else ():
            if key not in ("counts", "figures", "pieces"):
                yield from keys(value)
            yield key
        for entry in data if isinstance(data, list) else ():
            yield from keys(entry)

    data = json_report(GAME, "--games", "10", "--workers", "1", "--player", "random", "--search", "2")
    printed_keys = set(keys(data))
    assert {"searched", "ranking", "p95", "high"} <= printed_keys
    assert [key for key in sorted(printed_keys) if f"`{key}`" not in page and f'"{key}"' not in page] == []
    assert all(f"`{key}`" in page for key in ("piece", "met"))
    assert {*data["best"]["pieces"][0]} == {"piece", "met", "finished", "flipped", "decides"}


def own_game(folder, text):
    (folder / "game.yaml").write_text(
        "title: x\nprefix: XX\nplayers: 2\ncomponents:\n"
        "  cards: {kind: deck, title: x, cards: cards.yaml, face: card}\n"
    )
    (folder / "cards.yaml").write_text("cards: [{id: a}]")
    (folder / "balance.yaml").write_text(text)
    return folder


def test_every_wrong_figure_is_reported_with_its_line(tmp_path):
    game = own_game(tmp_path, "score:\n  - {figure: tise, weight: 1}\n  - {figure: wins, weight: 1}\n")
    with pytest.raises(InputError) as caught:
        read_balance(load(str(game)))
    first, second = map(str, caught.value.problems)
    assert re.search(r"balance\.yaml:2: there is no figure “tise”; did you mean ties\?", first)
    assert "balance.yaml:3" in second


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("upwards", "--variant", "snakes"), "no variant “snakes”; did you mean snake"),
        ((GAME, "--players", "3", "--player", "random", "--player", "greedy"), "--player is given 2 times"),
        (("elevator_up", "--players", "6"), "is for 2-5 players, not 6"),
        ((GAME, "--set", "GU-1C01"), "not a valid set code"),
        ((GAME, "--search", "3", "--keep", "x"), "--search cannot be used with"),
        (("elevator_up", "--set", DEAL, "--players", "4"), f"is for 3 players with {DEAL}, not 4"),
        (("upwards", "--set", CHALLENGE, "--players", "2"), f"is for 1 player with {CHALLENGE}, not 2"),
        (
            ("upwards", "--set", CHALLENGE, "--variant", "rows"),
            "“rows” cannot be played with UP-1S12.*choose from snake.event-die",
        ),
        (
            ("cosmic_consequences", "--search", "2", "--kind", "deal", "--variant", "race"),
            "“race” cannot be played with",
        ),
        (("upwards", "--search", "2", "--kind", "strips"), "has no kind of random set “strips”"),
        (("upwards", "--search", "2", "--language", "german"), "--language does not apply to the strip"),
        (("upwards", "--kind", "strip"), "--kind only works with --search"),
    ],
)
def test_impossible_runs_are_refused(monkeypatch, words, says):
    monkeypatch.chdir(paths.ROOT)
    with pytest.raises(InputError, match=says):
        run(*words)


@pytest.mark.usefixtures("default_signals")
def test_ctrl_c_reports_what_was_played(tmp_path):
    """The games so far are reported, their sheets are complete, and the exit code is 130."""
    words = [
        "balance",
        GAME,
        "--games",
        "1000000",
        "--workers",
        "2",
        "--player",
        "random",
        "--format",
        "json",
        "--keep",
        str(tmp_path / "kept"),
    ]
    playing = subprocess.Popen(
        [sys.executable, "-m", "generator", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(paths.ROOT)},
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not list(tmp_path.glob("kept/*.yaml")):
        time.sleep(0.05)
    os.killpg(playing.pid, signal.SIGINT)
    out, err = playing.communicate(timeout=60)
    assert playing.returncode == 130
    assert "Traceback" not in err
    data = json.loads(out)
    assert 0 < data["games"] < 1_000_000
    sheets = sorted((tmp_path / "kept").iterdir())
    assert {file.suffix for file in sheets} == {".yaml"}
    assert abs(len(sheets) - data["games"]) <= 64
    (answer,) = Judge().answers([str(sheets[-1])])
    assert plain(answer)["valid"]


@pytest.mark.parametrize("words", [(), ("--search", "2")])
def test_losing_all_workers_before_the_first_result_is_an_error(monkeypatch, words):
    def broken(*_):
        raise BrokenProcessPool

    monkeypatch.setattr(SerialExecutor, "submit", broken)
    with pytest.raises(InputError, match="a worker process was killed"):
        run(GAME, *SMALL, *words)


def test_a_copied_game_may_not_name_spaces_that_its_board_lacks(tmp_path):
    folder = shutil.copytree(paths.DATA / "cosmic_consequences", tmp_path / "cosmic_consequences")
    file = folder / "game.yaml"
    file.write_text(file.read_text().replace("  start: big-bang", "  start: nowhere", 1))
    with pytest.raises(
        InputError, match=r"game\.yaml:\d+: “rules.start” names the space “nowhere”, which is not on the board"
    ):
        run(str(folder), *SMALL)


def test_columns_of_the_report_do_not_touch_and_cards_are_named():
    lines = run("elevator_up", "--games", "20", "--workers", "1", "--player", "random").stdout.splitlines()
    assert lines[4].startswith("A game lasts about ")
    (row,) = [line for line in lines if line.startswith("New Building")]
    name, *shares = re.split("  +", row)
    assert (name, len(shares)) == ("New Building", 3)
    assert "100.0% (83.9–100.0)" in shares
