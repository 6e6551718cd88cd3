"""Which elements cards share, and which must not be shared."""

import pytest

from generator import faces, paths
from generator.definitions.models import Card, FontFile, Style, Theme
from generator.errors import InputError
from generator.faces import Words, inline
from generator.faces.marks import RICH
from generator.faces.markup import assembled
from generator.faces.patterns import NotSharedError
from generator.faces.templates import RepeatedContext
from generator.layout.texts import Fixed
from generator.printing.card_cache import CARD as NAME
from generator.printing.card_cache import CardCache

CARD = {"title": "Fox", "tint": "#123456", "shown": True, "boxes": ("1", "2")}
PLAIN = object()


@pytest.fixture
def shared_faces(tmp_path):
    """Writes `card.xml.j2` (and others by name) and returns the cache for its cards."""
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
        return CardCache(lambda card, template: PLAIN, templates, context, theme, size=(63.5, 88.9))

    return written


def find(shared, **card):
    """The pattern that a card shares, and its values; None if it shares none."""
    context = RepeatedContext(shared.context, NAME).of({**CARD, **card})
    rendered = shared.templates.render_marked("card", context, "card 4")
    try:
        return rendered and shared.patterns.face(*rendered)
    except (InputError, NotSharedError):
        return None


def face(shared, **card):
    result = find(shared, **card)
    return result and result[0]


def side(shared, **card):
    return shared.side(Card("4", {**CARD, **card}), "card")


def words(shared, **card):
    """The words of every text."""
    return [getattr(item, "text", "") or f":{item.name}:" for item in side(shared, **card).items]


def fixed(frame):
    return [block for block in frame.items.blocks if isinstance(block, Fixed)]


def test_cards_that_differ_only_in_words_share_a_face(shared_faces):
    shared = shared_faces("<face><text>Card {{ card.title }}!</text><text>{{ rules.n }}</text></face>")
    assert face(shared) is face(shared, title="A much longer title")
    assert words(shared, title="Owl") == ["Card Owl!", "3"]


def test_values_that_only_paint_do_not_split_a_face(shared_faces):
    shared = shared_faces(
        '<face fill="{{ card.tint }}"><row><text grow="1">{{ card.title }}</text>'
        '<icon name="{{ card.sign }}" size="9"/><icon name="moon" size="9"/></row>'
        '<line stroke="{{ card.tint }}"/></face>'
    )
    first, second = side(shared, sign="star"), side(shared, sign="moon", tint="#654321", title="Owl")
    assert face(shared, sign="star") is face(shared, sign="moon", tint="#654321")
    assert [item.name for item in second.items if hasattr(item, "name")] == ["moon", "moon"]
    assert fixed(first)[2] is fixed(second)[2], "both show the same moon"


def test_elements_are_shared_beside_different_ones(shared_faces):
    shared = shared_faces(
        '<face>{% for box in card.boxes %}<at x="{{ box }}" y="2" width="9" height="9"><text>{{ card.title }}</text>'
        '</at>{% endfor %}<at x="0" y="30" width="20" height="20" fill="ink"/></face>'
    )
    one, two = (find(shared, boxes=boxes)[0].root.children for boxes in (("1", "2"), ("2",)))
    assert one[1:] == two


@pytest.mark.parametrize(
    "template",
    [
        '<face padding="{{ card.boxes[0] }}"/>',
        "<face>{% if card.shown %}<line/>{% endif %}</face>",
        "<face>{% for box in card.boxes %}<slot id='{{ loop.index }}' width='9' height='9'/>{% endfor %}</face>",
        "<face><text>{{ card.title | length }}</text>{% if card.title | length > 4 %}<line/>{% endif %}</face>",
        "{% macro one(card) %}{{ card.title }}{% endmacro %}<face>{% if one(card) == 'Fox' %}<line/>{% endif %}</face>",
        "{% set about %}{{ card.title }}{% endset %}<face><text>{{ about if about == 'Fox' else '' }}</text></face>",
    ],
)
def test_values_that_affect_more_than_words_are_not_shared(shared_faces, template):
    shared = shared_faces(template)
    other = face(shared, tint="#654321", shown=False, boxes=("3",), title="Another")
    assert face(shared) is not other


def test_the_markup_of_a_value_is_part_of_it(shared_faces):
    shared = shared_faces("<face><text>{{ card.title | rich }}.</text></face>")
    assert face(shared, title="**Fox**") is face(shared, title="a :star:")
    assert words(shared, title="**Fox** & :star:") == ["Fox & ", ":star:", "."]


@pytest.mark.parametrize(
    ("text", "is_like_a_value"),
    [
        ("{{ card.title }}", True),
        (" No. {{ card.title }} &amp; {{ card.tint }}:\n  end ", True),
        ("<b>{{ card.title }}</b>, <i>or <u>two</u></i><br/>{{ card.words | rich }}", True),
        ("{{ card.words | rich }} at {{ card.tint }}", True),
        ("<icon name='star'/>{{ card.title }} <icon name='{{ card.sign }}'/>, {{ card.tint }}", True),
        ("<icon name='{{ card.sign | rich }}'/> {{ card.words | rich }}", True),
        ("<icon name='{{ card.si }}{{ card.gn }}'/> {{ card.title }}", False),
        ("<span colour='{{ card.tint }}'>{{ card.title }}</span>", False),
        ("<span colour='ink'>{{ card.title }}</span>", False),
    ],
)
def test_own_words_and_tags_around_values(shared_faces, text, is_like_a_value):
    shared = shared_faces(f"<face><text>{text}</text></face>")
    card = {"words": "**two words** :moon:, <a>", "sign": "moon", "si": "mo", "gn": "on", "title": 'O’Hara & "Sons"'}
    found, values = find(shared, **card)
    (pattern,) = found.root.children
    content = pattern.filled(values[pattern.own_marks :])
    assert bool(content) == is_like_a_value
    assert side(shared, **card) is not PLAIN
    if content:
        read = assembled(inline.raw_pieces(content[1:]) if content[0] == RICH else [Words(content)])
        assert read == shared.patterns.pieces(pattern, values[pattern.own_marks :])


@pytest.mark.parametrize(
    ("card", "files"),
    [
        (
            "{% extends 'base' + '.xml.j2' %}{% block a %}{{ card.title }}{% endblock %}",
            {"base": "<face><text>{% block a %}{% endblock %}{{ self.a() | length }}</text></face>"},
        ),
        (
            "{% macro m() %}{% include 'part.xml.j2' %}{% endmacro %}<face><text>{{ m() | length }}</text></face>",
            {"part": "{{ 'abcdef' }}"},
        ),
        ("<face><text>{% filter upper %}{% block a %}{{ card.title }}{% endblock %}{% endfilter %}</text></face>", {}),
        (
            "{% extends 'base.xml.j2' %}{% block a %}{{ super() }}{% endblock %}",
            {"base": "<face>{% block a %}<text>{{ card.title }}</text>{% endblock %}</face>"},
        ),
        ("<face><text>\ue000{{ card.title }}</text></face>", {}),
    ],
)
def test_a_template_that_captures_output_is_not_shared(shared_faces, card, files):
    """A template can inspect captured output, which must contain values, not marks."""
    shared = shared_faces(card, **files)
    assert find(shared) is None
    built = faces.build(shared.templates, "card", {"card": CARD}, name="card 4", size=(63.5, 88.9))
    assert "Fox" in str(built.root).replace("FOX", "Fox") or "6" in str(built.root)


def test_faces_with_blocks_and_includes_are_shared(shared_faces):
    shared = shared_faces(
        "{% extends 'base.xml.j2' %}{% block a %}<text>{{ card.title }}</text>{% endblock %}",
        base="<face>{% include 'part.xml.j2' %}{% block a %}{% endblock %}</face>",
        part="<text>{{ card.tint }}</text>",
    )
    assert words(shared) == ["#123456", "Fox"]
    assert face(shared) is face(shared, title="Owl", tint="red")


@pytest.mark.parametrize("value", ["", " ", "a\ue000b", "a\x01b", "\ud800", None])
def test_values_outside_running_text_are_not_replaced(shared_faces, value):
    shared = shared_faces("<face><text>{{ card.title }}</text></face>")
    result = find(shared, title=value)
    assert result is None or not result[1]


def test_a_face_that_does_not_mention_the_card_is_built_once(shared_faces, monkeypatch):
    shared = shared_faces("<face><text>{{ rules.n }}</text></face>")
    first = side(shared)
    monkeypatch.setattr(shared.templates, "render_marked", None)
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
    first, second = (find(shared, title=title) for title in ("Fox", "Owl"))
    assert first is None or first != second
    assert side(shared, title="Fox") is PLAIN or side(shared, title="Fox") != side(shared, title="Owl")


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
    with pytest.raises(InputError):
        find(shared, title="Elk", boxes=())
    assert words(shared, title="Owl") == ["Owl1"]


def test_a_cache_forgets_everything_before_it_grows_too_large(shared_faces, monkeypatch):
    monkeypatch.setattr("generator.printing.card_cache.MAX_MADE", 30)
    shared = shared_faces('<face padding="{{ card.title }}"><text>{{ card.tint }}</text></face>')
    sides = [side(shared, title=str(n / 100)) for n in range(40)]
    assert len({frame.items[0].x for frame in sides}) == len(sides)
    assert len(shared.patterns.texts) == 1
    assert shared.patterns.made < 30


@pytest.mark.parametrize(
    "template",
    [
        "<face><text>{{ card.titel }}</text></face>",
        "<face>{% for a in range(9999) %}{% for b in range(9999) %}{{ a }}{% endfor %}{% endfor %}</face>",
        "<face>{% for a in range(9000) %}{{ 'x' * 900 }}{% endfor %}</face>",
    ],
)
def test_a_failing_template_reports_the_usual_error(shared_faces, template):
    shared = shared_faces(template)
    with pytest.raises(InputError) as error:
        find(shared)
    with pytest.raises(InputError) as plain:
        faces.build(shared_faces(template).templates, "card", {"card": CARD}, name="card 4", size=(63.5, 88.9))
    assert [problem.message for problem in error.value.problems] == [
        plain_problem.message for plain_problem in plain.value.problems
    ]
