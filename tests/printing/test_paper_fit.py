"""Papers smaller than A4 and Letter: what is printed one on a page instead of two, and what is refused."""

import pytest
from msgspec.structs import replace

from generator.errors import InputError
from generator.printing.press import Press, refuse_too_small, sheet_paper
from generator.reading.sizes import is_small, paper, papers, usual_papers
from tests.presses import press_of, with_settings


@pytest.fixture(scope="module")
def press():
    return press_of("upwards")


def refused(press, names, name):
    with pytest.raises(InputError) as error:
        refuse_too_small(press, names, paper(name))
    (problem,) = error.value.problems
    return problem


def test_only_papers_with_less_room_than_a4_or_letter_are_small():
    assert {name for name, each in papers().items() if is_small(each)} == {"executive", "a5", "a6"}
    assert not any(map(is_small, usual_papers()))
    assert is_small(paper("200x400mm")) and is_small(paper("210x270mm"))


def test_a_half_page_sheet_fills_small_paper_whose_half_is_too_small(press):
    part = press.part("sheet")
    for name in ("a5", "executive"):
        small = paper(name)
        assert press.paper_of(part, small) is small
        page, *_ = press.sheet_pages(part, small)
        assert (page.width, page.height, len(page.placed)) == (small.width, small.height, 1)
    assert (
        len(with_settings(press, copies=2).sheet_pages(part, paper("a5"))) == 2
    )  # a pad has one sheet on each page too
    assert press.paper_of(part, paper("a4")) == sheet_paper(part, paper("a4"))


def test_half_pages_stay_halves_where_they_fit(press):
    assert press.paper_of(press.part("folder"), paper("executive")) == sheet_paper(
        press.part("folder"), paper("executive")
    )


def test_one_message_names_what_is_too_large_the_papers_and_the_rest(press):
    problem = refused(press, ["sheet", "dice", "tray", "rules"], "a6")
    assert problem.message == "Upwards!: sheet and tray do not fit on a6 (105 × 148 mm)"
    assert problem.hint == "use --paper a4 or --paper letter; on a6, you can print dice"
    assert refused(press, ["tray"], "a5").hint == "use --paper a4 or --paper letter"


def test_faults_that_larger_paper_does_not_mend_are_left_to_printing(press):
    part = press.part("tray")
    wide = replace(part, definition=replace(part.definition, room=(400, 90, 18)))
    own = Press(replace(press.game, components={"tray": wide}), press.deck)
    refuse_too_small(own, ["tray"], paper("a5"))
    refuse_too_small(press, ["tray"], paper("a4"))  # never anything on A4


def test_cards_and_booklets_are_only_named_where_they_fit(press):
    assert "you can print dice and rules" in refused(press, ["tray", "dice", "rules"], "a5").hint
    own = press_of("from_the_ground_up")
    names = ["box", "cards", "rules"]
    assert refused(own, names, "a6").hint.endswith("on a6, you can print cards")
    assert "you can print" not in refused(own, names, "50x60mm").hint


def test_make_writes_nothing_if_the_paper_is_too_small(pencilbox, tmp_path):
    code, _, err = pencilbox("make", "upwards", "tray", "dice", "--paper", "a5", "-o", tmp_path)
    assert code == 2 and "tray does not fit on a5" in err and "you can print dice" in err
    assert not list(tmp_path.rglob("*.pdf"))
