"""SVG: what drawings and their style sheets say is drawn as browsers draw it, or noted or refused."""

from __future__ import annotations

import pytest

from generator.art import rasterise
from generator.art.picture_files import cut_out
from generator.art.svg_shapes import read_art

from .test_art import SVG, art, problems

PLAIN = '<rect width="8" height="8"/>'
RED = '<rect width="8" height="8" fill="red"/>'
FADED = '<rect width="8" height="8" fill="url(#f)"/>'
CLIPPED = '<rect width="8" height="8" clip-path="url(#c)"/>'
STOPS = '<stop stop-color="red"/><stop offset="1" stop-color="blue"/>'
FADE = f'<linearGradient id="f">{STOPS}</linearGradient>'
DISC = '<circle cx="4" cy="4" r="3"/>'


def box(attributes):
    return PLAIN.replace("/>", f" {attributes}/>")


def drawn_in(root, inside):
    return read_art(SVG.replace("<svg ", f"<svg {root} ").format(inside), "art.svg").items


@pytest.mark.parametrize(
    ("inside", "same"),
    [
        (box('style="/* a */ fill: red; /* b */"'), RED),
        (f"<style>@media (prefers-color-scheme:light) {{ rect {{ fill: red }} }}</style>{PLAIN}", RED),
        (box('fill="light-dark(red, rgb(0, 0, 1))"'), RED),
        ("<style>[fill=blue][width] { fill: red }</style>" + box('fill="blue"'), RED),
        ("<style>.a\\:b { fill: red }</style>" + box('class="a:b"'), RED),
        (f"<style>rect {{ fill: initial }}</style><g fill='red'>{PLAIN}</g>", PLAIN),
        ("<style>rect { fill: unset }</style><g fill='red'>" + box('fill="blue"') + "</g>", RED),
        ('<g opacity=".5">' + box('opacity="inherit"') + "</g>", '<g opacity=".5">' + box('opacity=".5"') + "</g>"),
        ("<style>rect { width: 8px; height: 8px }</style><rect fill='red'/>", RED),
        ("<style>path { d: path('M0 0H8V8H0Z') }</style><path fill='red'/>", '<path d="M0 0H8V8H0Z" fill="red"/>'),
        (FADE + box('fill=" url( #f ) "'), FADE + FADED),
        (box('fill="red" filter="url(#none)"'), RED),
        (box('fill="red" stroke="blue" stroke-dasharray="4 0"'), box('fill="red" stroke="blue"')),
        ('<ellipse cx="4" cy="4" rx="3"/>', DISC),
        (f'{RED}<rect width="9" height="9" systemLanguage="de"/><g requiredExtensions="x">{DISC}</g>', RED),
        (f'<symbol id="s" opacity=".5" x="2">{RED}</symbol><use href="#s"/>', None),
        ('<path d="M0 4H8" stroke="red"/>', f'{FADE}<path d="M0 4H8" stroke="url(#f) red"/>'),
        (
            f'<rect id="r" x1="1" width="8" height="8" fill="red"/>'
            f'<linearGradient id="f" href="#r" spreadMethod="x">{STOPS}</linearGradient>'
            f"{FADED}",
            f"{RED}{FADE}{FADED}",
        ),
        (
            f'<g clip-rule="evenodd"><clipPath id="c"><path d="M0 0h9v9z"/></clipPath></g>{CLIPPED}',
            f'<clipPath id="c"><path clip-rule="evenodd" d="M0 0h9v9z"/></clipPath>{CLIPPED}',
        ),
        (
            '<clipPath id="c" clipPathUnits="objectBoundingBox" transform="translate(2)"><rect width="1" height="1"/>'
            f"</clipPath>{CLIPPED}",
            f'<clipPath id="c"><rect x="2" width="8" height="8"/></clipPath>{CLIPPED}',
        ),
        (f'{RED}<clipPath id="d"/><clipPath id="c" clip-path="url(#d)">{DISC}</clipPath>{CLIPPED}', RED),
    ],
)  # fmt: skip
def test_what_browsers_understand_is_drawn_alike(inside, same):
    items = art(inside).items
    if same is None:
        (group,) = items
        assert group.opacity == 0.5 and group.items[0].clip[0] == ("M", 2, 0)
    else:
        assert items == art(same).items


def test_properties_of_the_whole_drawing_are_not_lost():
    assert drawn_in('opacity=".5"', RED)[0].fill == "#ff000080"
    assert drawn_in('clip-path="url(#c)"', f'<clipPath id="c">{DISC}</clipPath>{RED}')[0].clip
    ground, box = drawn_in('style="background: gold"', RED)
    assert (ground.fill, ground.path[2], box.fill) == ("#ffd700", ("L", 24, 24), "#ff0000")
    (turned,) = drawn_in('transform="rotate(180)"', RED)
    assert turned.path[0][1:] == pytest.approx((24, 24))
    assert drawn_in('style="display: none" systemLanguage="de"', RED)


@pytest.mark.parametrize(
    ("inside", "note"),
    [
        (
            '<rect width="8" height="8"><animate attributeName="fill" fill="freeze"/></rect>',
            "its animation is left out",
        ),
        ("<style>rect { rotate: 9deg }</style>", "its CSS property “rotate” is left out"),
        ("<style>rect:is(.a, .b) { fill: red }</style>", "its CSS rules for “rect:is(.a, .b)” are left out"),
        ("<style>g { fill: red; rect { fill: blue } }</style>", "the CSS rules inside “g” are left out"),
    ],
)
def test_what_is_left_out_is_noted(inside, note):
    assert art(RED + inside).notes == (note,)
    assert art(f"<defs>{RED}</defs>").notes == ("it is blank",)


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        (box('style="clip-path: circle(3px)"'), "clip-path=“circle(3px)”> cannot be printed; use a <clipPath>"),
        (box('style="mask: linear-gradient(red, blue)"'), "cannot be printed; use a <mask>"),
        (box('opacity="calc(1 / 4)"'), "opacity=“calc(1 / 4)”> cannot be printed; write the result"),
        ('<path d="M0 0h9" pathLength="1" stroke-dasharray="1"/>', "pathLength> cannot be printed with dashes"),
    ],
)
def test_what_cannot_be_drawn_is_refused(inside, problem):
    assert any(problem in message for message in problems(inside)), problems(inside)


def test_what_resvg_draws_better_is_a_picture():
    for inside, reason in [
        ('<g id="g">' + box('fill="context-fill"') + '</g><use href="#g"/>', "context-fill"),
        (f'<radialGradient id="f" fx="2"/>{FADED}', ""),
        (
            f'<radialGradient id="f" fx="2">{STOPS}</radialGradient>{FADED}',
            "a gradient with its focus outside its circle",
        ),
        (FADE.replace("id", 'style="transform-origin: center" id') + FADED, "transform-origin"),
    ]:
        assert art(inside).beyond == reason


def test_pictures_keep_their_styles():
    inside = (
        "<style>text, rect { filter: drop-shadow(1px 1px rgb(0 0 0)); fill: red }</style>"
        '<text xml:space="preserve" style="text-anchor: middle"><a href="x">Fox</a> runs</text>'
    )
    text = rasterise.markup(art(inside).document, 40, 20, "")
    assert (
        '<text xml:space="preserve" filter="drop-shadow(1px 1px rgb(0 0 0))" style="fill: red; text-anchor: middle">'
        in text
    )
    assert ">Fox</a> runs</text>" in text


@pytest.mark.parametrize(
    ("inside", "whole"),
    [
        ('<path d="M0 0H24V24H0Z"/>', False),
        ('<rect width="24" height="24" rx="4"/>', False),
        ('<circle cx="12" cy="12" r="12"/>', True),
        ('<path d="M12 0L24 24H0Z"/>', True),
        ('<path fill-rule="evenodd" d="M0 0H24V24H0ZM1 1H23V23H1Z"/>', True),
        ('<rect x="2" width="9" height="24"/>', True),
    ],
)
def test_a_shape_without_the_corners_of_a_drawing_is_no_background(svg, inside, whole):
    assert cut_out(str(svg(SVG.format(inside)))) == whole
