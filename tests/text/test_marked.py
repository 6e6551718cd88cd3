"""Markup is read word by word, and gives the same words as when it is read whole, whatever was read before."""

from __future__ import annotations

import random

import pytest

from generator import paths
from generator.definitions.models import FontFile
from generator.faces import inline
from generator.faces.markup import assembled
from generator.text.lexicon import Lexicon
from generator.text.lines import family

PARTS = (
    *("word", "Sélf,", "1/2", "a &amp; b", "x&lt;", "two-fold", "!", "שלום", "\u4e16", "ᚠ", ""),
    *(
        "<b>bold</b>",
        "<b>two words</b>",
        '<i>three <icon name="star"/> words</i>',
        "<b><i>both of them</i></b>",
        "<b>a</b>b",
    ),
    *(
        "<u>under one</u>",
        "<s>struck</s>,",
        '<icon name="star"/>',
        '<icon name="moon"/>.',
        "<br/>",
        "<b>a<br/>b</b>",
        "<i>c</i> <b></b>",
    ),
)


@pytest.fixture(scope="module")
def fonts():
    def files(name):
        return (FontFile(paths.SHARED_DATA / f"fonts/Lato-{name}.ttf"),)

    return family("regular", {"regular": files("Regular"), "bold": files("Bold"), "italic": files("Italic")})


@pytest.fixture(scope="module")
def icons(tmp_path_factory):
    folder = tmp_path_factory.mktemp("icons")
    for name, width in ("star", 9), ("moon", 5):
        (folder / f"{name}.svg").write_text(f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} 9'/>")
    return (folder,)


@pytest.mark.parametrize(("upper", "tracking", "language"), [(False, 0.0, ""), (True, 0.1, ""), (False, 0.0, "en-US")])
def test_words_with_tags_are_read_as_in_the_whole_text(fonts, icons, upper, tracking, language):
    by_word, whole = (Lexicon(fonts, tracking, upper, icons, language) for _ in range(2))
    draw = random.Random(7)
    for _ in range(150):
        markup = draw.choice(("", " ")).join(draw.choices(PARTS, k=draw.randint(1, 7))).strip() or "word"
        pieces = assembled(inline.raw_pieces(markup))
        read = Lexicon(fonts, tracking, upper, icons, language).read(pieces)
        assert by_word.marked(markup) == whole.read(pieces) == read, markup


@pytest.mark.parametrize("markup", ["<b>open", "closed</b>", "<b><i>crossed</b></i>", "a <b>open word"])
def test_tags_must_be_closed(fonts, icons, markup):
    with pytest.raises(ValueError):
        Lexicon(fonts, 0.0, False, icons).marked(markup)
