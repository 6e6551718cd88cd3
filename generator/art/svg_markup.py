"""Reads SVG files as XML, within limits that hostile files cannot exceed, into elements with their CSS properties.

Only SVG is kept: metadata, comments, and the elements and attributes that editors add are left out. CSS is limited to
what drawings use: type, class and id selectors and their combinations.

Specification: https://www.w3.org/TR/SVG11/, structure in chapter 5, styling in chapter 6; https://www.w3.org/TR/CSS21/,
selectors in chapter 5, the cascade in 6.4.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn
from xml.parsers import expat

from msgspec import Struct, field

from ..errors import Place, did_you_mean, fault, listed
from ..model import colours
from .svg_values import or_else

DPI = 300
"""The resolution of drawings that are printed as pictures."""
MAX_ELEMENTS = 50_000
_MAX_DEPTH = 100
_LONGEST_ENTITY = 100
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink "
_XML_SPACE = "http://www.w3.org/XML/1998/namespace space"
# What a reference to a file on disk does not begin with.
_ADDRESS = re.compile(r"\s*(?:$|#|//|[A-Za-z][A-Za-z0-9+.-]+:)")

DRAWN = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "image", "use"}
CONTAINERS = {"svg", "g", "a", "switch"}
_OTHERS = """
defs symbol style clipPath linearGradient radialGradient stop mask filter pattern marker tspan textPath tref title desc
view cursor animate animateColor animateMotion animateTransform set mpath discard color-profile solidcolor meshgradient
hatch foreignObject glyph missing-glyph hkern vkern font-face-src font-face-name font-face-uri font-face-format altGlyph
glyphRef flowRoot flowRegion flowPara flowSpan flowDiv flowRegionExclude flowLine flowTref flowRef audio video iframe
canvas metadata font font-face
"""
_KNOWN = DRAWN | CONTAINERS | set(_OTHERS.split())
_QUOTES = " \"'"
_WITH_TEXT = {"text", "tspan", "textPath", "a", "style"}
_ANIMATIONS = {"animate", "animateColor", "animateMotion", "animateTransform", "set"}
_LEFT_OUT = {"metadata", "font", "font-face", *_ANIMATIONS}


class SvgElement(Struct, eq=False):
    """An SVG element. `style` has its own CSS properties, from attributes, style sheets and `style`; `variables` are
    its own and those that it inherits. The content of texts and style sheets includes strings."""

    tag: str
    attributes: dict[str, str]
    line: int
    parent: SvgElement | None = None
    content: list[SvgElement | str] = field(default_factory=list)
    style: dict[str, str] = field(default_factory=dict)
    variables: ChainMap[str, str] = field(default_factory=ChainMap)

    def around(self) -> Iterator[SvgElement]:
        """The element and its ancestors, the innermost first."""
        yield self
        if self.parent is not None:
            yield from self.parent.around()

    @property
    def children(self) -> Iterator[SvgElement]:
        return (child for child in self.content if isinstance(child, SvgElement))

    def walk(self) -> Iterator[SvgElement]:
        """The element and everything inside it."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.content)


class SvgDocument(Struct):
    """The elements of a file; `ids` finds those that others refer to. `notes` say what is left out."""

    file: str
    root: SvgElement
    ids: dict[str, SvgElement]
    notes: list[str]

    @property
    def takes_colour(self) -> bool:
        """Whether anything is drawn in `currentColor`."""
        elements = self.root.walk()
        return any("currentcolor" in text.lower() for element in elements for text in element.style.values())

    @property
    def fonts(self) -> str:
        """The fonts of the texts, as a list for a note; empty if there are no texts."""
        texts = [element for element in self.root.walk() if element.tag == "text" and element.text.strip()]
        return listed(dict.fromkeys(map(_font, texts)))


def _font(element: SvgElement) -> str:
    names = next((outer.style["font-family"] for outer in element.around() if "font-family" in outer.style), "")
    return f"“{names.split(',')[0].strip(_QUOTES)}”" if names else "the viewer’s default font"


def parse(source: bytes | str, file: str) -> SvgDocument:
    """Parses the text of an SVG file; raises InputError for anything that is not allowed, such as scripts."""
    return _SvgReader(file).read(source)


class _SvgReader:
    """Builds the elements of one file from expat's events."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: SvgElement | None = None
        self.open: list[SvgElement] = []
        self.ids: dict[str, SvgElement] = {}
        self.notes: dict[str, None] = {}
        self.sheets: list[str] = []
        self.skipped = 0
        self.count = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.EntityDeclHandler = self.entity
        self.parser.ProcessingInstructionHandler = self.instruction

    def read(self, source: bytes | str) -> SvgDocument:
        try:
            self.parser.Parse(source, True)
        except expat.ExpatError as error:
            raise fault(
                f"not readable as XML: {expat.errors.messages[error.code]}", Place(self.file, error.lineno)
            ) from error
        except (LookupError, ValueError) as error:
            raise fault("its encoding is unknown or not supported", Place(self.file), "save it as UTF-8") from error
        if self.root is None:
            self.refuse("this is not an SVG drawing")
        try:
            sheet = parse_sheet("\n".join(self.sheets))
            for element in self.root.walk():
                set_style(element, sheet)
        except ValueError as error:
            raise fault(str(error), Place(self.file)) from error
        return SvgDocument(self.file, self.root, self.ids, notes=[*self.notes, *dict.fromkeys(sheet.notes)])

    def refuse(self, message: str, hint: str = "") -> NoReturn:
        raise fault(message, Place(self.file, self.parser.CurrentLineNumber), hint)

    def entity(self, name: str, is_parameter: int, value: str | None, *_: Any) -> None:
        """Accepts the entities by which Illustrator abbreviates namespaces: short ones that contain no others."""
        if is_parameter or value is None or "&" in value or "%" in value or len(value) > _LONGEST_ENTITY:
            self.refuse(f"the entity “{name[:40]}” must be plain, short text", "save it as plain SVG")

    def instruction(self, target: str, data: str) -> None:
        if target == "xml-stylesheet" and not re.search(r"href\s*=\s*[\"']#", data):
            self.refuse("its style sheet is in another file", "put the styles into a <style> element")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, tag = name.rpartition(" ")
        self.count += 1
        if self.count > MAX_ELEMENTS:
            self.refuse(f"more than {MAX_ELEMENTS:,} elements")
        if len(self.open) + self.skipped > _MAX_DEPTH:
            self.refuse(f"elements are nested more than {_MAX_DEPTH} levels deep")
        if self.skipped or (self.root is not None and space not in ("", _SVG)) or tag in _LEFT_OUT:
            if tag in _ANIMATIONS and not self.skipped:
                self.notes["its animation is left out"] = None
            self.skipped += 1
            return
        if tag == "script":
            self.refuse("it contains a script", "remove the <script> element")
        if self.root is None and (tag != "svg" or space not in ("", _SVG)):
            self.refuse(
                f"<{tag[:40]}> is not an SVG drawing",
                f'its first element must be <svg xmlns="{_SVG}">' if tag in _KNOWN else "",
            )
        if tag not in _KNOWN and not tag.startswith("fe") and (hint := did_you_mean(tag, DRAWN | CONTAINERS)):
            self.refuse(f"<{tag[:40]}> is not an element of SVG", hint)
        self.add(tag, attributes)

    def leave_out_picture(self, name: str) -> None:
        """Leaves out a picture in another file, usually on its author's disk, as browsers do if it is not there. It is
        never opened, even if it is there."""
        name = re.split(r"[/\\]", name)[-1][:40]
        self.notes[f"its picture “{name}” is in another file and is left out; embed it"] = None
        self.skipped += 1

    def add(self, tag: str, attributes: dict[str, str]) -> None:
        plain = {key: value for key, value in attributes.items() if " " not in key}
        if _XLINK + "href" in attributes:
            plain.setdefault("href", attributes[_XLINK + "href"])
        if _XML_SPACE in attributes:
            plain["xml:space"] = attributes[_XML_SPACE]
        if tag == "image" and not _ADDRESS.match(plain.get("href", "")):
            self.leave_out_picture(plain["href"].strip())
            return
        parent = self.open[-1] if self.open else None
        element = SvgElement(tag, plain, self.parser.CurrentLineNumber, parent)
        if parent is None:
            self.root = element
        else:
            parent.content.append(element)
        if "id" in plain:
            self.ids.setdefault(plain["id"], element)
        self.open.append(element)
        if tag == "flowRoot":
            self.notes["its flowed text, which only Inkscape shows, is left out; convert it to text or paths"] = None

    def characters(self, text: str) -> None:
        if not self.skipped and self.open and self.open[-1].tag in _WITH_TEXT:
            self.open[-1].content.append(text)

    def end(self, _: str) -> None:
        if self.skipped:
            self.skipped -= 1
            return
        element = self.open.pop()
        if element.tag == "style" and element.attributes.get("type", "text/css") in ("", "text/css"):
            self.sheets.append(element.text)


MAX_RULES = 5_000
MAX_TESTS = 300_000
"""The maximum number of comparisons between an element and a rule."""
_MAX_COMPOUNDS = 8

_PROPERTIES = """
fill stroke stroke-width stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit fill-rule
clip-rule opacity fill-opacity stroke-opacity color display visibility clip-path mask filter marker-start marker-mid
marker-end stop-color stop-opacity paint-order vector-effect overflow font-size font-family transform transform-origin
flood-color lighting-color
"""
PROPERTIES = frozenset(_PROPERTIES.split())
"""The properties of CSS that attributes set as well."""
COLOURS = ("fill", "stroke", "color", "stop-color", "flood-color", "lighting-color", "background-color")
_GEOMETRY = {"x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "d"}
_WITH_GEOMETRY = {"svg", "rect", "circle", "ellipse", "image", "path"}  # https://www.w3.org/TR/SVG2/geometry.html
_KEYWORDS = {"inherit", "unset", "revert", "revert-layer"}
_NOT_PRINTED = {
    "animation",
    "animation-name",
    "mask-image",
    "offset-path",
    "rotate",
    "scale",
    "translate",
    "transform-box",
}
_ALIASES = {"background": "background-color", "-webkit-mask": "mask", "-webkit-mask-image": "mask-image"}

_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
# A type, class, id or attribute. It is compiled where it is used, because that is slow and few drawings have style
# sheets.
_SIMPLE = (
    r"([.#]?)(-?[A-Za-z_\u0080-\uffff](?:[\w\u0080-\uffff-]|\\.)*)|(\*)"
    r"""|\[\s*([\w-]+)\s*(?:=\s*["']?([^]"'=]*)["']?\s*)?\]"""
)
_NEVER = re.compile(r":{1,2}(?:hover|active|focus[\w-]*|visited|link|target|before|after|selection|checked)\b")
_VARIABLE = re.compile(r"\bvar\(\s*(--[^\s,()]+)\s*(,)?", re.IGNORECASE)
_NEW_COLOUR = re.compile(
    r"(?<![\w#-])(?:hwb|(?:ok)?l(?:ab|ch)|color|color-mix)\((?:[^()]|\([^()]*\)){1,200}\)", re.IGNORECASE
)
_LIGHT_DARK = re.compile(r"light-dark\(\s*((?:[^(),]|\([^()]*\))+),(?:[^()]|\([^()]*\))*\)", re.IGNORECASE)
_MAX_NOTES = 20
_MAX_VARIABLES = 20
_LONGEST_VALUE = 10_000
_HARMLESS = ("@charset", "@namespace", "@font-face", "@keyframes", "@-webkit-keyframes")
_DARK = re.compile(r"prefers-color-scheme\s*:\s*dark")
_LIGHT = re.compile(r"@media\s*(?:all|\(\s*prefers-color-scheme\s*:\s*light\s*\))")


class Compound(Struct, frozen=True):
    """What one element must have: a type (or none), an id (or none), classes and attributes (with any value, if
    theirs is None). With `is_child`, it must be a child of the element that the previous compound matches, not just a
    descendant."""

    tag: str
    id: str
    classes: frozenset[str]
    attributes: frozenset[tuple[str, str | None]]
    is_child: bool


class StyleRule(Struct, frozen=True):
    """A selector with its declarations. `weight` sorts rules: specificity, then order."""

    selector: tuple[Compound, ...]
    declarations: tuple[tuple[str, str, bool], ...]
    weight: tuple[int, int, int, int]


class StyleSheet(Struct):
    """The rules of all style sheets, by the type, id or class in their last compound."""

    rules: dict[str, list[StyleRule]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    tests: int = 0


def parse_sheet(text: str) -> StyleSheet:
    """Parses style sheets. Raises ValueError if they need another file."""
    if "@import" in text:
        raise ValueError("its style sheet is in another file")
    sheet = StyleSheet()
    for prelude, block in _blocks(_COMMENT.sub(" ", text), sheet):
        declarations = tuple(_declarations(block))
        if "{" in block:
            sheet.notes.append(f"the CSS rules inside “{prelude[:40]}” are left out")
        for selector in re.split(r",(?![^(]*\))", prelude):
            if not declarations or _NEVER.search(selector):
                continue
            compounds = _selector(selector.strip())
            if compounds is None:
                sheet.notes.append(f"its CSS rules for “{selector.strip()[:40]}” are left out")
                continue
            ids = sum(bool(part.id) for part in compounds)
            classes = sum(len(part.classes) + len(part.attributes) for part in compounds)
            types, count = sum(bool(part.tag) for part in compounds), sum(map(len, sheet.rules.values()))
            last = compounds[-1]
            key = f"#{last.id}" if last.id else f".{min(last.classes)}" if last.classes else last.tag
            if count < MAX_RULES:
                sheet.rules.setdefault(key, []).append(StyleRule(compounds, declarations, (ids, classes, types, count)))
    return sheet


def _blocks(text: str, sheet: StyleSheet) -> Iterator[tuple[str, str]]:
    """The selectors and declarations of each rule set. At-rules are left out, with a note unless they are harmless."""
    position = 0
    while (opening := text.find("{", position)) >= 0:
        prelude = text[position:opening].rpartition(";")[2].strip()
        if prelude.startswith("@"):
            depth, position = 1, opening + 1
            while depth and position < len(text):
                depth += {"{": 1, "}": -1}.get(text[position], 0)
                position += 1
            if _LIGHT.fullmatch(prelude):
                yield from _blocks(text[opening + 1 : position - 1], sheet)
            elif not prelude.startswith(_HARMLESS) and not _DARK.search(prelude):
                sheet.notes.append(f"its CSS rules for “{prelude[:40]}” are left out")
            continue
        closing = text.find("}", opening)
        closing = len(text) if closing < 0 else closing
        yield prelude, text[opening + 1 : closing]
        position = closing + 1


def _declarations(text: str) -> Iterator[tuple[str, str, bool]]:
    """The name and value of each declaration, and whether it is important."""
    parts = re.split(r";(?![^(]*\))", text) if "url(" in text else text.split(";")
    for part in parts:
        name, colon, value = part.partition(":")
        name, value = name.strip(), value.strip()
        name = name if name.startswith("--") else _ALIASES.get(name.lower(), name.lower())
        if colon and value and (name.startswith("--") or name[:1] not in ("", "-")) and "{" not in name:
            important = value.lower().endswith("!important")
            yield name, value[: -len("!important")].strip() if important else value, important


def _selector(text: str) -> tuple[Compound, ...] | None:
    """The compounds of a selector, or None if this subset of CSS does not cover it."""
    compounds: list[Compound] = []
    is_child = False
    for word in text.replace(">", " > ").split():
        if word != ">":
            compound = _compound("svg" if word in (":root", "svg:root") else word, is_child)
            if compound is None:
                return None
            compounds.append(compound)
        is_child = word == ">"
    return tuple(compounds) if 0 < len(compounds) <= _MAX_COMPOUNDS else None


def _compound(word: str, is_child: bool) -> Compound | None:
    tag, name, classes, position, simple = "", "", set[str](), 0, re.compile(_SIMPLE)
    attributes = set[tuple[str, str | None]]()
    while position < len(word):
        match = simple.match(word, position)
        if not match:
            return None
        if match[1] == ".":
            classes.add(match[2].replace("\\", ""))
        elif match[1] == "#":
            name = match[2].replace("\\", "")
        elif match[4]:
            attributes.add((match[4], match[5]))
        elif match[2]:
            tag = match[2]
        position = match.end()
    return Compound(tag, name, frozenset(classes), frozenset(attributes), is_child)


def set_style(element: SvgElement, sheet: StyleSheet) -> None:
    """Sets the properties of an element itself: those of its attributes, overridden by rules, overridden by `style`."""
    attributes = element.attributes
    declared = {name: value for name, value in attributes.items() if name in PROPERTIES}
    style = list(_declarations(_COMMENT.sub(" ", attributes["style"]))) if "style" in attributes else []
    rules = sorted(_matching(element, sheet), key=lambda rule: rule.weight) if sheet.rules else []
    groups = [*(rule.declarations for rule in rules), style]
    for wanted in (False, True):
        for declarations in groups:
            declared.update((name, value) for name, value, important in declarations if important is wanted)
    own = {name: value for name, value in declared.items() if name.startswith("--")}
    outer = ChainMap[str, str]() if element.parent is None else element.parent.variables
    element.variables = outer.new_child(own) if own else outer
    values = {name: evaluated(value, element.variables) for name, value in declared.items() if name not in own}
    for name, value in values.items():
        if not value and declared[name] and len(sheet.notes) < _MAX_NOTES:
            sheet.notes.append(f"a variable in its {name} “{declared[name][:40]}” on line {element.line} has no value")
        if name in _NOT_PRINTED:
            sheet.notes.append(f"its CSS property “{name}” is left out")
        if name in _GEOMETRY and element.tag in _WITH_GEOMETRY:
            attributes[name] = re.sub(r"path\([\"']|[\"']\)", "", value)
    computed = ((name, _computed(name, value, element.parent)) for name, value in values.items())
    element.style = {name: value for name, value in computed if value and name not in _GEOMETRY}


def _computed(name: str, value: str, parent: SvgElement | None) -> str:
    """A value without keywords such as `inherit`, and a transform without units."""
    if value.lower() in _KEYWORDS:
        return parent.style.get(name, "") if parent is not None and value.lower() == "inherit" else ""
    return value.replace("px", "").replace("deg", "") if name == "transform" else value


def evaluated(text: str, variables: Mapping[str, str]) -> str:
    """A value without variables, with colours for light surroundings, and with `#rrggbb` for those in newer notations.
    Empty if a variable has no value: then the property counts as not given."""
    if "(" not in text:
        return text
    text = _LIGHT_DARK.sub(r"\1", _substituted(text, variables))
    return _NEW_COLOUR.sub(lambda match: str(or_else(match[0], colours.parsed, match[0])), text)


def _substituted(text: str, variables: Mapping[str, str]) -> str:
    """A text with the values of its variables (https://www.w3.org/TR/css-variables-1/)."""
    for _ in range(_MAX_VARIABLES):
        match = _VARIABLE.search(text)
        if not match:
            return text
        end, depth = match.end(), 1
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        fallback = text[match.end() : end - 1].strip() if match[2] else ""
        text = text[: match.start()] + variables.get(match[1], fallback) + text[end:]
        if not variables.get(match[1], fallback) or len(text) > _LONGEST_VALUE:
            return ""
    return ""


def _matching(element: SvgElement, sheet: StyleSheet) -> Iterator[StyleRule]:
    attributes = element.attributes
    keys = ["", element.tag, *(f".{name}" for name in set(attributes.get("class", "").split()))]
    keys += [f"#{attributes['id']}"] if "id" in attributes else []
    for key in keys:
        rules = sheet.rules.get(key, ())
        sheet.tests += len(rules)
        if sheet.tests > MAX_TESTS:
            raise ValueError("its style sheets have too many rules for its number of elements")
        yield from (rule for rule in rules if _matches(element, rule.selector))


def _matches(element: SvgElement, selector: tuple[Compound, ...]) -> bool:
    candidates = [element]
    inner = None
    for compound in reversed(selector):
        if inner is not None:
            outward = ([*each.around()][1:] for each in candidates[: None if inner.is_child else 1])
            candidates = [each for chain in outward for each in (chain[:1] if inner.is_child else chain)]
        candidates = [each for each in candidates if _has(each, compound)]
        if not candidates:
            return False
        inner = compound
    return True


def _has(element: SvgElement, compound: Compound) -> bool:
    attributes = element.attributes
    return (
        compound.tag in ("", element.tag)
        and compound.id in ("", attributes.get("id"))
        and (not compound.classes or compound.classes <= set(attributes.get("class", "").split()))
        and all(name in attributes and value in (None, attributes[name]) for name, value in compound.attributes)
    )
