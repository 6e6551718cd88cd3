"""What the faces of a deck share, and what they must not."""

import pytest

from generator import faces, paths
from generator.faces.check import UnusualError
from generator.geometry.frame import ungrouped
from generator.model.game import Card, FontFile, Style, Theme
from generator.printing.game_faces import CardSides, about_faces

CARD = {"title": "Fox", "tint": "#123456", "shown": True, "boxes": ("1", "2")}
PLAIN = object()


@pytest.fixture
def shared_faces(tmp_path):
    """Writes `card.xml.j2` (and others by name) and returns what draws its cards."""
    (tmp_path / "icons").mkdir()
    for name in ("star", "moon"):
        (tmp_path / f"icons/{name}.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'/>")
    lato = paths.SHARED_DATA / "fonts/Lato-Regular.ttf"
    theme = Theme({"ink": "#20262e"}, {"regular": (FontFile(lato),)}, {"body": Style(size=3.0)}, (tmp_path / "icons",))

    def written(card, **files):
        for name, text in {"card": card, **files}.items():
            (tmp_path / f"{name}.xml.j2").write_text(text, encoding="utf-8")
        templates = faces.Templates((tmp_path,), theme)
        context = {"rules": {"n": 3, "file": ""}}
        return CardSides(lambda card, template: PLAIN, templates, context, about_faces((63.5, 88.9), 0.0, 0.0), theme)

    return written


def side(shared, **card):
    return shared.side(Card("4", {**CARD, **card}), "card")


def words(shared, **card):
    """The words of every text."""
    return [getattr(item, "text", "") or f":{item.name}:" for item in ungrouped(side(shared, **card).items)]


@pytest.fixture
def reader(shared_faces):
    return shared_faces("<face/>").reader


def test_faces_that_differ_in_their_texts_are_the_same_element(reader):
    row = '<row gap="1"><icon name="star"/><text>A <b>few</b> words &amp; more</text></row>'
    (first, texts), (second, others) = (reader.read(f"<face>\n{row}<text>{n}</text> </face>") for n in (1, 2))
    assert first is second
    assert (texts, others) == tuple(["A <b>few</b> words &amp; more", n] for n in "12")
    third, _ = reader.read(f"<face>{row}</face>")
    assert third is not first
    assert third.children[0] is first.children[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "face",
        "<face>",
        "<face/><face/>",
        "<face></face",
        "<face>words</face>",
        "<face><text>a</b></text></face>",
        "<face><text>a & b</text></face>",
        "<face><text>]]></text></face>",
        "<face><text>\x01</text></face>",
        "<face><text>&#233;</text></face>",
        "<face><text> > </text></face>",
        "<face><text></face>",
        "<face><text/><rows/></face>",
        '<face fill="nothing"/>',
        '<face fill="a<b"/>',
        "<face><!-- < --></face>",
        "<face><face/></face>",
        "<row/>",
        '<face><icon name="moo"/></face>',
        '<face><icon name="star"></icon></face>',
        '<face><stack><text grow="1">a</text></stack></face>',
        '<face><slot id="a"/></face>',
        "<face>" + "<row>" * 50 + "</row>" * 50 + "</face>",
        "<!DOCTYPE face><face/>",
    ],
)
def test_what_is_unusual_is_left_to_the_whole_check(reader, text):
    with pytest.raises(UnusualError):
        for content in reader.read(text)[1]:
            reader.pieces(content)


def test_a_reader_reads_like_the_whole_check(reader, shared_faces):
    text = (
        '<face padding="2"><row gap="1" ><text grow="1" style="body">A <i>b</i>\n :c &#39; &lt;</text>\t'
        '<icon name="star" size="3"/></row><text/><stack></stack>\n<text> &gt; </text></face >'
    ).replace("</face >", "</face>")
    built = faces.build(shared_faces(text).templates, "card", {}, name="card 4", size=(63.5, 88.9))
    root, texts = reader.read(text)
    contents = iter(texts)

    def told(element, pieces):
        own = pieces(element) if element.tag == "text" else ()
        return element.tag, dict(element.attributes), own, [told(child, pieces) for child in element.children]

    assert told(built.root, lambda element: element.pieces) == told(root, lambda _: reader.pieces(next(contents)))


def test_a_face_that_does_not_mention_the_card_is_built_once(shared_faces, monkeypatch):
    shared = shared_faces("<face><text>{{ rules.n }}</text></face>")
    first = side(shared)
    monkeypatch.setattr(shared.templates, "render", None)
    assert side(shared, title="Owl") is first


@pytest.mark.parametrize(
    "card",
    [
        "<face>{% include 'part.xml.j2' %}</face>",
        "{% from 'part.xml.j2' import m with context %}<face>{{ m() }}</face>",
        "<face>{% include rules.file or 'part.xml.j2' %}</face>",
    ],
)
def test_included_templates_may_mention_the_card(shared_faces, card):
    text = "<text>{{ card.title }}</text>"
    shared = shared_faces(card, part=f"{{% macro m() %}}{text}{{% endmacro %}}{text}")
    assert side(shared, title="Fox") != side(shared, title="Owl")


def test_variables_of_a_template_do_not_affect_the_next_card(shared_faces):
    shared = shared_faces(
        "{% if card.shown %}{% set said = card.title %}{% endif %}{% set n = (n or 0) + 1 if n is "
        "defined else 1 %}<face><text>{{ said | default('none') }} {{ n }}</text></face>"
    )
    assert words(shared) == ["Fox 1"]
    assert words(shared, shown=False) == ["none 1"]
    assert words(shared, title="Owl") == ["Owl 1"]


def test_a_failed_card_does_not_affect_the_next_one(shared_faces):
    shared = shared_faces("{% set a = card.title %}<face><text>{{ a }}{{ card.boxes[0] }}</text></face>")
    assert words(shared) == ["Fox1"]
    assert side(shared, title="Elk", boxes=()) is PLAIN
    assert words(shared, title="Owl") == ["Owl1"]


def test_few_texts_are_remembered_in_one_place(shared_faces, monkeypatch):
    monkeypatch.setattr("generator.layout.shared.MAX_WORDINGS", 5)
    shared = shared_faces("<face><at><text>{{ card.title }}</text></at></face>")
    for number in range(20):
        assert words(shared, title=f"Fox {number % 8}") == [f"Fox {number % 8}"]
    wordings = [step.spot for spot in shared.placer._spots.values() for step in spot.plan.steps]
    assert 0 < len(wordings[0].known) <= 5


def test_everything_is_forgotten_before_it_grows_too_large(shared_faces, monkeypatch):
    monkeypatch.setattr("generator.faces.check.MAX_ELEMENTS_KEPT", 30)
    shared = shared_faces('<face padding="{{ card.title }}"><text>{{ card.tint }}</text></face>')
    sides = [side(shared, title=str(n / 100)) for n in range(40)]
    assert len({next(ungrouped(frame.items)).x for frame in sides}) == len(sides)
    assert not shared.reader.is_full or len(shared.placer._boxes) < 40
