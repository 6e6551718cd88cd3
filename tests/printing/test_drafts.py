"""Drafts: everything is printed, with its flaws marked and numbered as the list numbers them."""

import shutil

import pytest
from PIL import Image

from generator import paths
from generator.errors import InputError, Problem, summary
from generator.games import deal
from generator.geometry.frame import Frame, Run
from generator.geometry.outlines import Rect
from generator.layout.flaws import RED, Draft, Flaw, marked
from generator.printing.game_faces import GameFaces
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.page_texts import page_texts

EXAMPLE = paths.ROOT / "examples" / "lantern_walk"


@pytest.fixture
def own(tmp_path):
    return shutil.copytree(EXAMPLE, tmp_path / "own")


def spoil(own, old, new, file="templates/card.xml.j2"):
    text = (own / file).read_text()
    assert old in text
    (own / file).write_text(text.replace(old, new))


def drafted(own):
    """The frames of the cards of a draft, and the draft."""
    game, draft = load(str(own)), Draft()
    drawn = GameFaces(game, deal(game, None), draft=draft)
    return drawn.fronts(drawn.part("cards")), draft


def words(frame):
    return [item.text for item in frame.items if isinstance(item, Run)]


def red(frame):
    return [item for item in frame.items if RED in (getattr(item, "stroke", ""), getattr(item, "fill", ""))]


CARD = '<text style="letter" height="4">{{ card.colour }}</text>'


@pytest.mark.parametrize(
    ("markup", "message"),
    [
        ("<text>" + "many words " * 200 + "</text>", "too high for its box"),
        ('<text height="4">' + "W" * 80 + "</text>", "too wide for its box"),
        ('<text lines="1" height="8">' + "many words " * 9 + "</text>", "has 1 at"),
        ("<text>\ue000</text>", "the font has no “U+E000”"),
        ('<image file="art/none.png" height="9"/>', "no picture “art/none.png”"),
        ('<icon name="starr" size="9"/>', "no icon “starr”"),
        ('<text>A <icon name="starr"/> falls</text>', "no icon “starr”"),
        ('<row height="3"><icon name="lantern" size="9"/></row>', "too high for the box around it"),
        ('<at x="40" y="80" width="40" height="20"><text>out</text></at>', "leaves the column around it"),
        ('<at x="-3" y="-3" width="4" height="4"><text>x</text></at>', "leaves the safe area"),
        ('<row height="2" padding="4"/>', "its padding alone is too high"),
        ('<icon name="lantern" width="0" height="3"/>', "needs a width and a height"),
        (
            '<slot id="a" height="4"/><at x="5" y="70" width="9" height="9"><slot id="b"/></at>'
            '<at x="6" y="70" width="9" height="9"><slot id="c"/></at>',
            "overlap",
        ),
        ("<txt>x</txt>", "unknown element <txt>"),
        ("<text", "not readable as XML"),
        ("{{ nosuch }}", "“nosuch” is not known here"),
        ("{{ 1 // 0 }}", "zero"),
        ("{% include 'none.xml.j2' %}", "no template “none.xml.j2”"),
    ],
)
def test_a_draft_shows_every_card_and_marks_what_is_wrong(own, markup, message):

    spoil(own, CARD, markup)
    frames, draft = drafted(own)
    assert len(frames) == 9
    assert any(message in str(problem) for problem in draft.problems)
    assert all(red(frame) for frame in frames)
    assert "+1" in words(frames[0])
    for frame in frames:
        assert all(0 <= item.x <= frame.width for item in frame.items if isinstance(item, Run) and item.text[0] == "+")
    game = load(str(own))
    if "the font has no" in message:  # a red box stands for it
        return
    with pytest.raises(InputError):
        GameFaces(game, deal(game, None)).fronts(game.components["cards"])


def test_marks_have_the_numbers_of_the_list(own):
    spoil(
        own,
        CARD,
        '<icon name="{{ "starr" if card.id|int < 4 else "moonn" if card.id|int < 6 else "star" }}" size="4"/>',
    )
    frames, draft = drafted(own)
    numbers = [[word for word in words(frame) if word[0] == "+"] for frame in frames]
    assert numbers == [["+1"]] * 3 + [["+2"]] * 2 + [[]] * 4
    listed = summary(draft.problems)
    assert "starr" in listed[0].message and "3 cards" in listed[0].message and "moonn" in listed[1].message


def test_text_is_cut_to_its_box(own):
    spoil(own, CARD, '<text height="4" style="rule">one two three four five ' + "six " * 40 + "W" * 90 + "</text>")
    frames, _ = drafted(own)
    (cut,) = [item for item in frames[0].items if isinstance(item, Run) and item.text.startswith("one")]
    assert cut.x + cut.width <= frames[0].width - 3
    assert not any("W" * 20 in word for word in words(frames[0]))


def test_a_draft_without_flaws_draws_the_same_faces(own):
    game = load(str(own))
    plain = GameFaces(game, deal(game, None))
    frames, draft = drafted(own)
    assert frames == plain.fronts(plain.part("cards")) and not draft.problems


def test_marks_stay_on_the_card_and_tags_apart():
    draft = Draft()
    theme = load(str(EXAMPLE)).theme
    boxes = [Rect(-50, -50, 10, 10), Rect(200, 200, 1, 1), *[Rect(10, 10, 40, 60)] * 2, Rect(30, 0, 0, 0)]
    flaws = [Flaw(Problem(f"problem {n}"), box) for n, box in enumerate(boxes)]
    frame = marked(Frame("card", 63, 88, ()), flaws, draft, theme)
    tags = [item for item in frame.items if isinstance(item, Run)]
    assert {tag.text for tag in tags} == {"+1", "+2", "+3,4", "+5"}
    assert all(tag.x >= 0 and tag.x + tag.width <= 63 and 0 < tag.y < 88 for tag in tags)
    assert len({(tag.x, tag.y) for tag in tags}) == 4


def test_a_picture_with_damaged_pixels_is_a_crossed_box_with_its_name(own):
    """The damage shows only when the PDF is written."""
    Image.effect_noise((90, 60), 80).save(own / "ferry.png")
    (own / "ferry.png").write_bytes((own / "ferry.png").read_bytes()[:2000])
    spoil(own, CARD, '<image file="ferry.png" fit="auto" height="12"/>')
    game, draft = load(str(own)), Draft()
    pdf = Press(game, deal(game, None), draft=draft).component("cards", paper("a4")).pdf
    assert [str(problem).rpartition("/")[2] for problem in draft.problems] == [
        "ferry.png: this picture is damaged and cannot be decoded; save or download it again"
    ]
    text = page_texts(pdf)[0]
    assert text.count("+1 ferry.png") == 9
    with pytest.raises(InputError, match="this picture is damaged"):
        Press(game, deal(game, None)).component("cards", paper("a4"))
