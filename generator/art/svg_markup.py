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

DPI = 300
"""The resolution of drawings that are printed as pictures."""
MAX_ELEMENTS = 50_000
_MAX_DEPTH = 100
_LONGEST_ENTITY = 100
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink "
_ADDRESS = re.compile(r"\s*(?:$|#|//|[A-Za-z][A-Za-z0-9+.-]+:)")
"""What a reference to a file on disk does not begin with."""

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
_WITH_TEXT = {"text", "tspan", "textPath", "style"}
_LEFT_OUT = {"metadata", "font", "font-face"}


class SvgElement(Struct, eq=False):
    """An SVG element. `style` has its own CSS properties, from attributes, style sheets and `style`; `evaluated` names
    those whose values were written with variables or in a notation of colours that is newer than SVG. `variables` are
    its own and those that it inherits. The content of texts and style sheets includes strings."""

    tag: str
    attributes: dict[str, str]
    line: int
    parent: SvgElement | None = None
    content: list[SvgElement | str] = field(default_factory=list)
    style: dict[str, str] = field(default_factory=dict)
    evaluated: tuple[str, ...] = ()
    variables: ChainMap[str, str] = field(default_factory=ChainMap)

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
    """The elements of a file; `ids` finds those that others refer to. `notes` say what is left out. `unsupported` names
    a feature of its style sheets beyond this subset of CSS, or is empty."""

    file: str
    root: SvgElement
    ids: dict[str, SvgElement]
    notes: list[str]
    unsupported: str = ""

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
    outer: SvgElement | None = element
    while outer is not None:
        if "font-family" in outer.style:
            return f"“{outer.style['font-family'].split(',')[0].strip()}”".replace("'", "").replace('"', "")
        outer = outer.parent
    return "the viewer’s default font"


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
        return SvgDocument(
            self.file, self.root, self.ids, notes=[*self.notes, *sheet.notes], unsupported=sheet.unsupported
        )

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
clip-rule opacity fill-opacity stroke-opacity color display visibility clip-path mask filter marker marker-start
marker-mid marker-end stop-color stop-opacity mix-blend-mode isolation paint-order vector-effect overflow font-size
font-family font transform transform-origin flood-color lighting-color
"""
PROPERTIES = frozenset(_PROPERTIES.split())
COLOURS = ("fill", "stroke", "color", "stop-color", "flood-color", "lighting-color")
"""The properties that change how a drawing looks. Others, such as those that editors add, are ignored."""

_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_SIMPLE = r"([.#]?)(-?[A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*)|(\*)"
"""A type, class or id. It is compiled where it is used, because that is slow and few drawings have style sheets."""
_NEVER = re.compile(r":{1,2}(?:hover|active|focus[\w-]*|visited|link|target|before|after|selection|checked)\b")
_VARIABLE = re.compile(r"\bvar\(\s*(--[^\s,()]+)\s*(,)?", re.IGNORECASE)
_NEW_COLOUR = re.compile(
    r"(?<![\w#-])(?:hwb|(?:ok)?l(?:ab|ch)|color|color-mix)\((?:[^()]|\([^()]*\)){1,200}\)", re.IGNORECASE
)
_MAX_NOTES = 20
_MAX_VARIABLES = 20
_LONGEST_VALUE = 10_000
_HARMLESS = ("@charset", "@namespace", "@font-face", "@keyframes", "@-webkit-keyframes")


class Compound(Struct, frozen=True):
    """What one element must have: a type (or none), an id (or none) and classes. With `is_child`,
    it must be a child of the element that the previous compound matches, not just a descendant."""

    tag: str
    id: str
    classes: frozenset[str]
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
    unsupported: str = ""
    tests: int = 0


def parse_sheet(text: str) -> StyleSheet:
    """Parses style sheets. Raises ValueError if they need another file."""
    if "@import" in text:
        raise ValueError("its style sheet is in another file")
    sheet = StyleSheet()
    for prelude, block in _blocks(_COMMENT.sub(" ", text), sheet):
        declarations = tuple(_declarations(block))
        for selector in prelude.split(","):
            if not declarations or _NEVER.search(selector):
                continue
            compounds = _selector(selector.strip())
            if compounds is None:
                sheet.unsupported = "CSS selectors beyond types, classes and ids"
                continue
            ids, classes = sum(bool(part.id) for part in compounds), sum(len(part.classes) for part in compounds)
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
            if not prelude.startswith(_HARMLESS) and "prefers-color-scheme" not in prelude:
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
        name = name if name.startswith("--") else name.lower()
        if colon and value and (name in PROPERTIES or name.startswith("--")):
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
    while position < len(word):
        match = simple.match(word, position)
        if not match:
            return None
        if match[1] == ".":
            classes.add(match[2])
        elif match[1] == "#":
            name = match[2]
        elif match[2]:
            tag = match[2]
        position = match.end()
    return Compound(tag, name, frozenset(classes), is_child)


def set_style(element: SvgElement, sheet: StyleSheet) -> None:
    """Sets the properties of an element itself: those of its attributes, overridden by rules, overridden by `style`."""
    attributes = element.attributes
    declared = {name: value for name, value in attributes.items() if name in PROPERTIES}
    style = list(_declarations(attributes["style"])) if "style" in attributes else []
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
        if not value and len(sheet.notes) < _MAX_NOTES:
            sheet.notes.append(f"a variable in its {name} “{declared[name][:40]}” on line {element.line} has no value")
    element.style = {name: value for name, value in values.items() if value}
    element.evaluated = tuple([name for name, value in element.style.items() if value is not declared[name]])


def evaluated(text: str, variables: Mapping[str, str]) -> str:
    """A value or a style sheet without variables, and with `#rrggbb` for colours in newer notations. Empty if a
    variable has no value: then the property counts as not given."""
    return _NEW_COLOUR.sub(_code, _substituted(text, variables)) if "(" in text else text


def _code(function: re.Match[str]) -> str:
    try:
        return colours.parsed(function[0])
    except ValueError:  # reported when it is drawn
        return function[0]


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
        for rule in rules:
            if _matches(element, rule.selector):
                yield rule


def _matches(element: SvgElement, selector: tuple[Compound, ...]) -> bool:
    candidates = [element]
    inner = None
    for compound in reversed(selector):
        if inner is not None:
            outward = (_ancestors(each) for each in candidates[: None if inner.is_child else 1])
            candidates = [each for chain in outward for each in (chain[:1] if inner.is_child else chain)]
        candidates = [each for each in candidates if _has(each, compound)]
        if not candidates:
            return False
        inner = compound
    return True


def _ancestors(element: SvgElement) -> list[SvgElement]:
    """The elements around this one, the innermost first."""
    ancestors = []
    while element.parent is not None:
        element = element.parent
        ancestors.append(element)
    return ancestors


def _has(element: SvgElement, compound: Compound) -> bool:
    attributes = element.attributes
    return (
        compound.tag in ("", element.tag)
        and compound.id in ("", attributes.get("id"))
        and (not compound.classes or compound.classes <= set(attributes.get("class", "").split()))
    )
