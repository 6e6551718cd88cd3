"""A filled-in sheet for the rules.py of users: asking it for what it cannot hold is an error instead of a blank."""

from __future__ import annotations

from msgspec.structs import replace

from ..errors import did_you_mean, shortened
from ..model.game import FieldFile
from ..sheets import FilledSheet, Value


class MisuseError(TypeError):
    """Code that asks a sheet for what it cannot hold."""


class CheckedSheet(FilledSheet, frozen=True):
    """The same sheet. Its methods raise MisuseError for fields and rows that it does not have, and for marks of another
    kind than they return."""

    def value(self, name: str) -> Value | None:
        self._refuse_unknown(name)
        return super().value(name)

    def number(self, name: str) -> int | None:
        self._refuse_unknown(name)
        number, mark = super().number(name), self.marks.get(name)
        if number is None and mark is not None:
            raise MisuseError(f"“{name}” holds the text “{shortened(mark)}”, not a number; read it with text(…)")
        return number

    def text(self, name: str) -> str:
        self._refuse_unknown(name)
        if isinstance(self.marks.get(name), int):
            raise MisuseError(f"“{name}” holds no text; read it with number(…) or ticked(…)")
        return super().text(name)

    def ticked(self, name: str) -> bool:
        self._refuse_unknown(name)
        if self.marks.get(name, True) is not True:
            raise MisuseError(f"“{name}” is not a box to tick; read it with number(…) or text(…)")
        return super().ticked(name)

    def row(self, name: str) -> tuple[int | None, ...]:
        self._refuse_no_row(name)
        return super().row(name)

    def ticks(self, name: str) -> frozenset[int]:
        self._refuse_no_row(name)
        return frozenset(number for number in super().ticks(name) if self.ticked(f"{name}.{number}"))

    def _refuse_unknown(self, name: str) -> None:
        spec = self._definition(name)
        if spec is None or spec.fields is not None or spec.count is not None:
            what = "is not a single field" if spec else "is not a field of the sheet"
            hint = "" if spec else did_you_mean(name, self.sheet.fields)
            raise MisuseError(f"“{shortened(name)}” {what}{'; ' if hint else ''}{hint}")

    def _refuse_no_row(self, name: str) -> None:
        spec = self._definition(name)
        if spec is None or spec.count is None:
            what = "is a single field or a group, not a row" if spec else "is not a row of the sheet"
            raise MisuseError(f"“{shortened(name)}” {what}")

    def _definition(self, name: str) -> FieldFile | None:
        """The definition of a field, a row or a group; of one of a row, without its `count`."""
        spec = FieldFile(fields=dict(self.sheet.definition.fields))
        for part in name.split("."):
            length = spec.most or spec.count or spec.repeat
            if length and not (part.isdecimal() and 1 <= int(part) <= length):
                return None
            inner = replace(spec, count=None, repeat=None, most=None) if length else (spec.fields or {}).get(part)
            if inner is None:
                return None
            spec = inner
        return spec
