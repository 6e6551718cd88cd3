"""The colours of the five games: what is printed can be read, and what must be told apart looks different to people
with any colour vision, or has a mark beside its colour."""

from functools import cache
from itertools import combinations

import pytest

from generator import games
from generator.geometry.frame import Icon, Run, leaves
from generator.model.colours import brightness, contrast
from generator.model.print_settings import PrintSettings
from generator.printing.pieces import box_panels, net_side
from generator.printing.press import Press, sheet_paper
from generator.printing.variants import Grounds, least_contrast
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.contrasts import ground_at, outlines, texts
from tests.games.colour_vision import SEEN, difference
from tests.presses import press_of

TEXT, OUTLINE, DIFFERENT, DARK = 4.5, 3.0, 20.0, 0.3
A4 = paper("a4")
PARTS = {
    "cosmic_consequences": ("board", "cards", "pawns", "dice", "box", "log"),
    "elevator_up": ("cards", "reference", "box", "cover", "log"),
    "from_the_ground_up": ("cards", "reference", "box", "table", "tally"),
    "rolling_cubes": ("dice", "box", "tournament", "one-by-one", "last-die"),
    "upwards": ("sheet", "dice", "box", "folder"),
}
"""What each game prints. Its other components repeat the colours of these."""

SPECIALS = zip(("penthouse", "new-building", "stuck", "lobby", "door-closed"), "PNKLD", strict=True)
DICE = ("red", "orange", "green", "light-blue", "blue", "purple")
TOLD_APART = {
    "elevator_up": [{special: ("cards", letter) for special, letter in SPECIALS}],
    "rolling_cubes": [
        {colour: ("dice", f"mark-{colour}") for colour in DICE},
        {f"sign-{colour}": ("tournament", f"mark-{colour}") for colour in DICE},
    ],
    "from_the_ground_up": [
        {"top": ("cards", "5–6"), "high": ("cards", "3–4"), "low": ("cards", "1–2")},
        {"top": ("tally", "1"), "high": ("tally", "2"), "low": ("tally", "3")},
    ],
    "upwards": [
        {"berry": ("sheet", "A"), "grape": ("sheet", "B"), "sun": ("sheet", "C")},
        {"leaf": ("sheet", "Reserve"), "lime": ("sheet", "Event die")},
    ],
    "cosmic_consequences": [
        {"gold": ("cards", "dragon"), "teal": ("cards", "tiger"), "zero": ("cards", "art-zero")},
        {"draw": ("board", "draw"), "discard": ("board", "discard")},
        {f"region-{name}": ("board", f"region-{name}") for name in ("is", "em", "weak", "hd", "bh", "ap")},
        {f"pawn-{number}": ("pawns", letter) for number, letter in enumerate("RCPSTA", start=1)},
    ],
}
"""The sets of colours that a player must tell apart. With each colour, the component and the mark beside the colour: an
icon, or the beginning of a text."""


@cache
def press(key, low_ink):
    return Press(load(key), games.deal(load(key)), PrintSettings(low_ink=True)) if low_ink else press_of(key)


@cache
def frames(key, name, low_ink=False):
    """The faces of a component: of many cards or dice, some from all over the deck."""
    printing = press(key, low_ink)
    part = printing.game.components[name]
    some = list({card.id: card for card in part.cards}.values())
    some = some[:: max(1, len(some) // 12)]
    if part.kind == "deck":
        fronts = [printing.side(part, card, part.definition.face[0]) for card in some]
        return fronts + ([printing.side(part, some[0], part.definition.back)] if part.definition.back else [])
    if part.kind == "sheet":
        return printing.blank_corners(part, sheet_paper(part, A4))
    if part.kind == "dice":
        return [net_side(printing, part, die, 1) for die in part.cards]
    if part.kind == "pawns":
        return [printing.card(part, card, part.definition.face[0]) for card in some]
    if part.kind == "page":
        return printing.whole_frames(part, printing.paper_of(part, A4))
    return [printing.board(part)] if part.kind == "board" else list(box_panels(printing, part).values())


@pytest.mark.parametrize("low_ink", [False, True])
@pytest.mark.parametrize("key", PARTS)
def test_texts_and_fields_stand_out(key, low_ink):
    folders, pale = press(key, low_ink).theme.icon_folders, []
    for name in PARTS[key]:
        for frame in frames(key, name, low_ink):
            pale += [
                f"{name}: “{text.run.text}” is {text.colour} on {text.ground}"
                for text in texts(frame, folders)
                if least_contrast(text.colour, text.ground) < TEXT
            ]
            pale += [
                f"{name}: the outline of {edge.slot} is {edge.colour} between {edge.inside} and {edge.outside}"
                for edge in outlines(frame, folders)
                if max(least_contrast(edge.colour, edge.inside), _step(edge.inside, edge.outside)) < OUTLINE
            ]
    assert not pale, "\n".join(dict.fromkeys(pale))


@pytest.mark.parametrize("key", games.SHIPPED)
def test_every_field_of_a_sheet_has_an_outline_or_a_line(key):
    """Where nothing is drawn around a field, there is no outline whose contrast could be measured."""
    printing, bare = press(key, False), []
    for part in printing.game.components.values():
        for frame in frames(key, part.name) if part.kind == "sheet" else ():
            bare += [f"{part.name}: {field}" for field in _bare(frame, printing.theme.icon_folders)]
    if key == "from_the_ground_up":
        bare = [line for line in bare if not _above_its_roof(printing.game.components["cards"].cards, line)]
    assert not bare, "\n".join(bare)


def _above_its_roof(cards, line):
    """Whether a field is a crate that its card does not have."""
    tower, _, crate = line.removeprefix("table: towers.").split(".")
    return int(crate) > len(cards[int(tower) - 1].symbols) + 1


def _bare(frame, folders):
    """The fields without an outline or tiles around them, and without a line below them."""
    drawn = [area.box for area in Grounds(frame, folders).areas if area.stroke]
    for slot in frame.slots():
        if not all(
            any(
                left < box.x + 1
                and right > box.right - 1
                and abs(low - box.bottom) < 1
                and (abs(top - box.y) < 1 or low - top < 0.1)
                for left, top, right, low in drawn
            )
            for box in slot.boxes or (slot.box,)
        ):
            yield slot.id


@pytest.mark.parametrize("key", games.SHIPPED)
def test_covers_of_booklets_are_light_in_low_ink(key):
    """Little of them is dark, and their texts stand out."""
    printing, (width, height) = press(key, True), (148.5, 210)
    folders = printing.theme.icon_folders
    for face in ("book_cover", "book_back"):
        frame = printing.picture(face, (width, height), {})
        grounds = Grounds(frame, folders)
        spots = [(width * (i + 0.5) / 24, height * (j + 0.5) / 32) for i in range(24) for j in range(32)]
        seen = [min(map(brightness, ground_at(grounds, spot))) for spot in spots]
        assert sum(light < DARK for light in seen) / len(seen) < 0.1, face
        assert sum(seen) / len(seen) > 0.9, face
        pale = [text.run.text for text in texts(frame, folders) if least_contrast(text.colour, text.ground) < TEXT]
        assert not pale, face


def _step(inside, outside):
    """The contrast between a field and what surrounds it, which shows its edge as well as a line does."""
    return min((least_contrast(colour, outside) for colour in inside or ()), default=21.0)


@pytest.mark.parametrize("key", TOLD_APART)
def test_colours_look_different_or_have_marks(key):
    themes = [press(key, False).theme.colours, press(key, True).theme.colours]
    for marked in TOLD_APART[key]:
        pairs = [(colours[one], colours[other]) for colours in themes for one, other in combinations(marked, 2)]
        if min(difference(*pair, seen) for pair in pairs for seen in SEEN) < DIFFERENT:
            assert len(set(marked.values())) == len(marked)
            assert [(colour, *mark) for colour, mark in marked.items() if mark[1] not in _printed(key, mark[0])] == []


@cache
def _printed(key, name):
    """The icons that a component prints, its texts and the words they begin with."""
    items = [item for frame in frames(key, name) for item, _ in leaves(tuple(frame.items))]
    written = [item.text.strip() for item in items if isinstance(item, Run)]
    icons = {item.name for item in items if isinstance(item, Icon)}
    return {*icons, *written, *(text.split(" ")[0] for text in written if text)}


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert least_contrast("#777777", frozenset(("#ffffff", "#777777"))) == 1
