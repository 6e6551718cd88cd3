"""XML that is not a face: every problem at once, each with its line and a hint."""

from __future__ import annotations

from typing import Any

import pytest

from generator.errors import InputError
from generator.faces import markup


def test_every_problem_of_a_face_is_reported_at_once(templates: Any) -> None:
    problems = templates.problems("""<face colr="ink" fill="inc">
  <text style="tilte" align="middle">a</text>
  <txt/>
  <slot/>hm
  <icon name="dye"/> <icon name="die" size="3" width="3"/>
  <row gap="-1"><text>a<big>b</big><icon name="pen"/></text></row>
  <stack><slot id="a" grow="1"/><slot id="a"/></stack>
  <line x1="3" y2="4"/> <line x1="0" y1="0" x2="1" y2="1" width="3"/>
  <text><br>a</br></text><slot id="b"><row/></slot><face/><row turn="45°"/>
</face>""")
    for line, what, hint in [
        (1, "unknown attribute “colr” of <face>", ""),
        (1, "no colour “inc”", "did you mean ink?"),
        (2, "no style “tilte”", "did you mean title?"),
        (2, "“align” of <text> must be one of left, center, right, justify, auto, not “middle”", ""),
        (3, "unknown element <txt>", "did you mean text?"),
        (4, "<slot> needs the attribute “id”", ""),
        (1, "text “hm” is directly in <face>", "put it in <text>"),
        (5, "no icon “dye”", "did you mean die?"),
        (5, "<icon> has a “size” and a “width” or “height”", "remove one of them"),
        (6, "“gap” of <row> must be a non-negative length such as 4, 2.5in or 9pt, not “-1”", ""),
        (6, "unknown element <big> in running text", "known: b, br, i, icon, s, span, u"),
        (6, "no icon “pen”", "did you mean pencil?"),
        (7, "“grow” has no effect in <stack>", "use it on children of face, column, row"),
        (7, "slot “a” appears twice", "first on line 7 as rendered"),
        (8, "<line> has x1, y2 but not y1, x2", ""),
        (8, "<line> has two ends and “width”", "remove one of them"),
        (9, "<br> must be empty", ""),
        (9, "<slot> cannot contain <row> or anything else", ""),
        (9, "<face> is inside <face>", "it must be the outermost element"),
        (9, "“turn” of <row> must be a number of degrees from -360 to 360, such as 90 or -7.5, not “45°”", ""),
    ]:
        begins = f"card.xml.j2:{line}: card 4: {what}"
        matching = [problem for problem in problems if problem.startswith(begins)]
        assert len(matching) == 1, (what, problems)
        assert matching[0].endswith(f"; {hint}" if hint else (what, "width", "dash"))
        problems.remove(matching[0])
    assert problems == []


@pytest.mark.parametrize(
    ("card", "line"),
    [
        ('{% if true %}\n<face>\n\n   <row hight="{{ 2 + 2 }}"/>\n</face>{% endif %}', 4),
        (
            '<face>\n{% for n in range(9) %}\n<stack/>\n{% endfor %}\n<row hight="4"/>\n</face>',
            5,
        ),
        ('<face>{# a\ncomment #}\n{% set a = "<row>\n" %}\n<row\nhight="4"/></face>', 5),
        ('{% macro m() %}<row\n hight="4"/>{% endmacro %}\n<face>\n{{ m() }}</face>', 1),
    ],
)
def test_a_problem_names_the_line_of_the_template(templates: Any, card: str, line: int) -> None:
    assert templates.problem(card) == (
        f"card.xml.j2:{line}: card 4: unknown attribute “hight” of <row>; did you mean height?"
    )


def test_a_problem_whose_line_is_unknown_shows_the_line_as_rendered(templates: Any) -> None:
    assert (
        templates.problem("<face>\n{{ '<rwo/>' | safe }}</face>")
        == "card.xml.j2: card 4: unknown element <rwo> (line 2 as rendered: <rwo/></face>); did you mean row?"
    )


def test_a_problem_in_a_loop_is_reported_once(templates: Any) -> None:
    assert templates.problems("<face>{% for i in range(300) %}<rwo/>\n{% endfor %}</face>") == [
        "card.xml.j2:1: card 4: unknown element <rwo>, 300 times; did you mean row?"
    ]
    problems = templates.problems("<face>{% for i in range(300) %}<rwo{{ i }}/>\n{% endfor %}</face>")
    assert len(problems) == 21 and problems[-1] == "card.xml.j2:1: card 4: and more problems"


def test_the_outermost_element_must_be_a_face(templates: Any) -> None:
    assert "the outermost element must be <face>, not <row>" in templates.problem("<row/>")


@pytest.mark.parametrize(
    ("card", "what"),
    [
        ("", "not readable as XML: no element found"),
        ("<face>\n<row>\n</face>", "mismatched tag (line 3 as rendered: </face>); <row> of line 2 is not closed"),
        ("<face><text>a & b</text></face>", "not well-formed (invalid token)"),
        ("<face><text>&nbsp;</text></face>", "undefined entity"),
        ("<face/><face/>", "junk after document element"),
        ("<face gap='1' gap='2'/>", "duplicate attribute"),
        ("<face>{{ '\x0b' }}</face>", "not well-formed (invalid token)"),
        ("<face>{{ '\\ud800' }}</face>", "not well-formed (invalid token)"),
        ("<!DOCTYPE face><face/>", "a document type or entity declaration is not allowed"),
        ('<!DOCTYPE face [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><face>&b;</face>', "a document type or entity"),
        ('<!DOCTYPE face SYSTEM "file:///etc/passwd"><face/>', "a document type or entity declaration"),
        ("{% for i in range(50) %}<row>{% endfor %}", "elements are nested more than 40 levels deep"),
        ("<face>{% for i in range(9999) %}<row/><row/>{% endfor %}</face>", "more than 10,000 elements"),
    ],
)
def test_wrong_xml(templates: Any, card: str, what: str) -> None:
    problem = templates.problem(card)
    assert problem.startswith(("card.xml.j2: card 4: ", "card.xml.j2:1: card 4: ")) and what in problem


def test_messages_are_safe_for_a_terminal() -> None:
    source = markup.MarkupSource("card 4", "card.xml.j2", "<face>\x1b[31m" + "x" * 500)
    with pytest.raises(InputError) as caught:
        markup.parse(source)
    assert "\x1b" not in str(caught.value) and len(str(caught.value)) < 250
