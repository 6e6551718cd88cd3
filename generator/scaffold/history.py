"""Changes to files that can be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct, field

from .. import paths
from ..errors import fault
from ..files import forget_files, save

T = TypeVar("T")
MAX_EDITS = 200


class Edit(Struct, Generic[T], frozen=True):
    """A change: files before and after it, each None if there is none, and choices that are in no file."""

    files: Mapping[Path, tuple[bytes | None, bytes | None]]
    choices: tuple[T, T]

    def reversed(self) -> Edit[T]:
        files = {path: (after, before) for path, (before, after) in self.files.items()}
        return Edit(files, (self.choices[1], self.choices[0]))


class History(Struct, Generic[T]):
    """The changes made so far, and the present `choices`, which are in no file."""

    choices: T
    done: list[Edit[T]] = field(default_factory=list)
    undone: list[Edit[T]] = field(default_factory=list)

    def write(self, files: Mapping[Path, bytes], choices: T) -> None:
        """Makes a change. Raises InputError if a file cannot be written."""
        edit = Edit({path: (_content(path), data) for path, data in files.items()}, (self.choices, choices))
        self._apply(edit)
        self.done, self.undone = [*self.done[-MAX_EDITS:], edit], []

    def undo(self) -> None:
        """Takes the last change back, if there is one. Raises InputError if a file has changed since."""
        if self.done:
            self._apply(self.done[-1].reversed())
            self.undone.append(self.done.pop())

    def discard(self) -> None:
        """Takes the last change back, not to be made again."""
        self.undo()
        self.undone.pop()

    def redo(self) -> None:
        if self.undone:
            self._apply(self.undone[-1])
            self.done.append(self.undone.pop())

    def _apply(self, edit: Edit[T]) -> None:
        for path, (before, _) in edit.files.items():
            if _content(path) != before:
                hint = "undo that change in the program that made it"
                raise fault(f"{paths.display_path(path)} was changed elsewhere", hint=hint)
        for path, (_, after) in edit.files.items():
            if after is None:
                path.unlink()
            else:
                save(after, path)
        self.choices = edit.choices[1]
        forget_files()


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None
