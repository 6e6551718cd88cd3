"""Sheets on the page are judged as `pencilbox score` judges their files."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from generator import paths
from generator.judging.files import documents
from generator.judging.judge import Judge
from generator.reading.load import load, shipped
from generator.rules.results import Unreadable, plain
from generator.studio.app import application
from generator.studio.projects import Projects
from generator.studio.security import Access

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"
TESTS = Path(__file__).parents[1]
EXAMPLES = ("dice_dozen", "kite_day", "potting_shed", "lantern_walk", "picnic", "star_trails")
GOOD = [(game, file) for game in shipped() for file in sorted((TESTS / "games" / game / "good").glob("*.yaml"))]
GOOD += [(f"examples/{name}", paths.EXAMPLES / name / "filled.yaml") for name in EXAMPLES]


@pytest.fixture(scope="module")
def projects():
    return Projects()


@pytest.fixture(scope="module")
def client(projects):
    access = Access(frozenset({HOST}), 8000)
    with TestClient(application(access, projects), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        client.get(f"/?token={access.token}")
        yield client


def address(projects, game):
    return f"/g/{projects.open(game if game in shipped() else paths.EXAMPLES / Path(game).name).key}/score"


def opened(client, address, file, name=None):
    return client.post(f"{address}/open", params={"name": name or file.name}, content=file.read_bytes())


@pytest.mark.parametrize(("game", "file"), GOOD, ids=lambda each: getattr(each, "stem", str(each)))
def test_a_file_that_is_opened_has_the_result_of_score(client, projects, game, file):
    at = address(projects, game)
    sheet = opened(client, at, file).json()
    answer = client.post(f"{at}/judge", json={"sheet": sheet["sheet"], "sheets": [sheet["filled"]]}).json()
    named = None if game in shipped() else str(paths.EXAMPLES / Path(game).name)
    right = plain(Judge(named, explain=True).answer(next(documents(str(file), named)), str(file)))
    findings = [(finding["rule"], finding["where"]) for finding in right["findings"]]
    assert [(problem["rule"], problem["where"]) for problem in answer["problems"]] == findings
    points = [
        (player["name"], player["total"], [(line["label"], line["points"]) for line in player["lines"]])
        for player in right["players"]
    ]
    assert [
        (player["name"], player["total"], [(line["label"], line["points"]) for line in player["lines"]])
        for player in answer["players"]
    ] == points


@pytest.mark.parametrize(("game", "file"), GOOD, ids=lambda each: getattr(each, "stem", str(each)))
def test_what_is_saved_is_the_same_sheet(client, projects, tmp_path, game, file):
    at = address(projects, game)
    sheet = opened(client, at, file).json()
    filling = {"sheet": sheet["sheet"], "sheets": [sheet["filled"]]}
    named = None if game in shipped() else str(paths.EXAMPLES / Path(game).name)
    judge = Judge(named)
    right = plain(judge.answer(next(documents(str(file), named)), str(file)))
    for kind in ("yaml", "json"):
        path = tmp_path / f"sheet.{kind}"
        path.write_bytes(client.post(f"{at}/file/{kind}", json=filling).content)
        answer = judge.answer(next(documents(str(path), named)), str(path))
        assert not isinstance(answer, Unreadable), answer
        assert plain(answer)["players"] == right["players"]
        assert [finding["rule"] for finding in plain(answer)["findings"]] == [f["rule"] for f in right["findings"]]


@pytest.mark.parametrize("game", [*shipped(), *(f"examples/{name}" for name in EXAMPLES)])
def test_every_sheet_lies_on_the_page(client, projects, game):
    at = address(projects, game)
    definition = load(game if game in shipped() else paths.EXAMPLES / Path(game).name)
    assert client.get(at).status_code == 200
    for name, sheet in definition.sheets.items():
        blank = client.get(f"{at}/sheet", params={"sheet": name}).json()
        assert [each["id"] for each in blank["fields"]] == list(sheet.fields)
        for each in blank["fields"]:
            x, y, width, height = each["box"]
            page = blank["pages"][each["page"]]
            assert 0 <= x < x + width <= page["width"]
            assert 0 <= y < y + height <= page["height"]
            assert each["name"]
            assert each["takes"]
        empty = client.post(f"{at}/judge", json={"sheet": name, "sheets": [{}]}).json()
        assert not empty["problems"]
