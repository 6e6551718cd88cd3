"""What the pages and forms of a document share: form XObjects, graphics states and patterns.

Their names depend on what they contain and on nothing else, so several processes can paint pages of one document.
Section titles refer to ISO 32000-1:2008 (PDF 1.7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from ..geometry.frame import Gradient, Stop
from ..model.colours import channels, mixed
from . import operators
from .file import PdfFile, digest, stream
from .gradients import Box, alpha_of, numbers, pattern_code


class Form(Struct, frozen=True):
    """A form XObject (8.10 “Form XObjects”): its box, its operators, and the XObjects that these name. With a colour
    space as `group`, it is an isolated transparency group (11.6.6 “Transparency Group XObjects”)."""

    box: Box
    code: str
    xobjects: tuple[str, ...] = ()
    group: str = ""


_STEPS = 8
"""How many straight parts a gradient between two colours has in CMYK, because inks do not follow it evenly."""


class Resources(Struct):
    """The shared resources of one document. `masks` are the forms of soft masks, and `spaces` colour spaces; `inks`
    convert gradients to CMYK. Nothing is written unless it is used."""

    inks: operators.ColourConverter | None = None
    forms: dict[str, Form] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    masks: dict[str, Form] = field(default_factory=dict)
    patterns: dict[str, str] = field(default_factory=dict)
    spaces: dict[str, str] = field(default_factory=dict)

    def form(self, form: Form) -> str:
        """The name of a form XObject."""
        name = digest(f"{form.box}{form.group}{form.code}")
        self.forms.setdefault(name, form)
        return name

    def opacity(self, alpha: float) -> str:
        """The operator that sets the alpha constant (11.6.4.4 “Constant Shape and Opacity”)."""
        share = round(max(0.0, min(alpha, 1.0)) * 1000)
        self.states[f"a{share}"] = f"/ca {share / 1000:g}/CA {share / 1000:g}"
        return f"/a{share} gs"

    def soft_mask(self, gradient: Gradient, box: Box) -> str:
        """The operator that masks what follows, within `box`, with the alpha values of a gradient (11.6.5.2 “Soft-Mask
        Dictionaries”). Opaque stops are painted white in the mask."""
        left, top, right, bottom = box
        pattern = self._pattern(gradient, box, "DeviceGray", alpha_of)
        code = f"/Pattern cs {pattern} scn {numbers(left, top, right - left, bottom - top)} re f "
        name = f"m{digest(code)}"
        self.masks.setdefault(name, Form(box, code, group="DeviceGray"))
        return f"/{name} gs"

    def pattern(self, gradient: Gradient, box: Box) -> str:
        """The name of the pattern of a gradient for a shape within `box`. Its pattern space is that of the form that
        paints it (8.7.2 “General Properties of Patterns”)."""
        if self.inks is None:
            return self._pattern(gradient, box, "DeviceRGB", operators.rgb)
        gradient = replace(gradient, stops=tuple(_in_steps(gradient.stops)))
        return self._pattern(gradient, box, "DeviceCMYK", self._in_inks)

    def _in_inks(self, colour: str) -> str:
        assert self.inks
        red, green, blue = (level / 255 for level in channels(colour)[:3])
        return numbers(*self.inks.colour(red, green, blue))

    def _pattern(self, gradient: Gradient, box: Box, space: str, components: Callable[[str], str]) -> str:
        code = pattern_code(gradient, box, space, components)
        name = f"P{digest(code)}"
        self.patterns[name] = code
        return f"/{name}"

    def update(self, other: Resources) -> None:
        """Adds the resources that another process has used."""
        self.forms |= other.forms
        self.states |= other.states
        self.masks |= other.masks
        self.patterns |= other.patterns

    def entries(self, file: PdfFile, xobjects: Iterable[str]) -> str:
        """The entries of the resource dictionary (7.8.3) of a page or form that uses `xobjects`, once all pages are
        painted."""
        used = {"ExtGState": self.states or self.masks, "Pattern": self.patterns, "ColorSpace": self.spaces}
        kinds = ["Font", *[kind for kind, resources in used.items() if resources]]
        shared = "".join([f"/{kind} {file.number(kind)} 0 R" for kind in kinds])
        forms = "".join([f"/{name} {file.number(name)} 0 R" for name in xobjects])
        return f"{shared}/ProcSet[/PDF/Text]" + (f"/XObject<<{forms}>>" if forms else "")

    @property
    def are_blended(self) -> bool:
        """Whether there is transparency in the document."""
        return bool(self.masks) or any(code.startswith("/ca") for code in self.states.values())

    def add_to(self, file: PdfFile, settled: Callable[[str], str]) -> None:
        """Writes the resources to a file, once all its pages are painted and the codes of fonts can be `settled`."""
        for name, form in (*self.forms.items(), *self.masks.items()):
            group = f"/Group<</S/Transparency/I true/CS/{form.group}>>" if form.group else ""
            head = f"/Type/XObject/Subtype/Form/BBox[{numbers(*form.box)}]{group}"
            data = settled(form.code).encode("latin-1")
            resources = f"/Resources<<{self.entries(file, form.xobjects)}>>"
            file.add(stream(data, head + resources), file.number(name))
        masks = {name: f"/SMask<</Type/Mask/S/Luminosity/G {file.number(name)} 0 R>>" for name in self.masks}
        shared = {"ExtGState": self.states | masks, "Pattern": self.patterns, "ColorSpace": self.spaces}
        for kind, entries in shared.items():
            if entries:
                codes = {name: f"[{code}]" if kind == "ColorSpace" else f"<<{code}>>" for name, code in entries.items()}
                written = "".join([f"/{name} {file.add(code)} 0 R" for name, code in codes.items()])
                file.add(f"<<{written}>>", file.number(kind))


def _in_steps(stops: Sequence[Stop]) -> Iterator[Stop]:
    """The stops of a gradient, with others between them."""
    for before, after in pairwise(stops):
        for share in (step / _STEPS for step in range(_STEPS)):
            offset = before.offset + (after.offset - before.offset) * share
            yield Stop(offset, mixed(before.colour, after.colour, share))
    yield stops[-1]
