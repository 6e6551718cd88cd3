"""Which faces are shared, and which must not be shared."""

import pytest

from generator import faces
from generator.definitions.models import Style, Theme
from generator.errors import InputError
from generator.printing.card_cache import MAX_FACES, SharedFaces

CARD = {"title": "Fox", "tint": "#123456", "shown": True, "boxes": ("1", "2")}


@pytest.fixture
def shared_faces(tmp_path):
    """Writes `card.xml.j2` (and others by name) and returns the faces that cards share."""
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons/star.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    theme = Theme({"ink": "#20262e"}, {}, {"body": Style(size=3.0)}, (tmp_path / "icons",))

    def written(card, **files):
        for name, text in {"card": card, **files}.items():
            (tmp_path / f"{name}.xml.j2").write_text(text, encoding="utf-8")
        return SharedFaces(faces.Templates((tmp_path,), theme), {"rules": {"n": 3, "file": ""}}, size=(63.5, 88.9))

    return written


def find(shared, **card):
    return shared.find("card", {**CARD, **card}, "card 4")


def face(shared, **card):
    result = find(shared, **card)
    return result and result[0]


def words(shared, **card):
    """The words of every gap once it is filled."""
    shared_face, values = find(shared, **card)
    return [
        "".join(getattr(piece, "text", "") or f":{piece.icon}:" for piece in gap.pieces(values))
        for gap in shared_face.gaps
    ]


def test_cards_that_differ_only_in_words_share_a_face(shared_faces):
    shared = shared_faces("<face><text>Card {{ card.title }}!</text><text>{{ rules.n }}</text></face>")
    assert face(shared) is face(shared, title="A much longer title")
    assert words(shared, title="Owl") == ["Card Owl!", "3"]


@pytest.mark.parametrize(
    "template",
    [
        '<face fill="{{ card.tint }}"/>',
        "<face>{% if card.shown %}<line/>{% endif %}</face>",
        "<face>{% for box in card.boxes %}<slot id='{{ loop.index }}' width='9' height='9'/>{% endfor %}</face>",
        "<face><text>{{ card.title | length }}</text>{% if card.title | length > 4 %}<line/>{% endif %}</face>",
        "{% macro one(card) %}<text>{{ card.title }}</text>{% endmacro %}<face>{{ one(card) }}</face>",
        "{% set about %}{{ card.title }}{% endset %}<face><text>{{ about if about == 'Fox' else '' }}</text></face>",
    ],
)
def test_values_that_affect_more_than_words_are_not_shared(shared_faces, template):
    shared = shared_faces(template)
    other = face(shared, tint="#654321", shown=False, boxes=("1",), title="Another")
    assert face(shared) is not other


def test_the_markup_of_a_value_is_part_of_it(shared_faces):
    shared = shared_faces("<face><text>{{ card.title | rich }}.</text></face>")
    assert face(shared, title="**Fox**") is face(shared, title="a :star:")
    assert words(shared, title="**Fox** & :star:") == ["Fox & :star:."]


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
    assert result is None or not result[0].gaps


def test_a_face_that_does_not_mention_the_card_is_built_once(shared_faces, monkeypatch):
    shared = shared_faces("<face><text>{{ rules.n }}</text></face>")
    first = find(shared)
    monkeypatch.setattr(shared.templates, "render_marked", None)
    assert find(shared, title="Owl")[0] is first[0]


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
    results = [find(shared, title=title) for title in ("Fox", "Owl")]
    first, second = (each and (each[0], each[1]) for each in results)
    assert first is None or first != second


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


def test_a_template_with_too_many_faces_is_not_shared(shared_faces):
    shared = shared_faces('<face padding="{{ card.title }}"/>')
    results = [face(shared, title=str(n / 100)) for n in range(MAX_FACES + 5)]
    assert results[0] is not None
    assert results[-1] is None


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
