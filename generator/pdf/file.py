"""Writes a PDF file with reportlab, object by object (ISO 32000-1:2008, 7.3 and 7.5), so that a large one is never in
memory as a whole. The same objects give the same bytes."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import md5
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile

from reportlab.pdfbase import pdfdoc

from ..files import Writable
from .operators import escaped

_IN_MEMORY = 1 << 20
"""A file of up to this size, in bytes, is kept in memory; a larger one in a temporary file."""
_NAME_BYTES = 6
_BYTE_ORDER = "\ufeff"
_ESCAPES = {ord(letter): f"\\{letter}" for letter in "\\()"} | {ord("\r"): "\\r"}


class PdfFile:
    """A file that is being written. Objects are known by their numbers, which can be reserved before they are written,
    or by a name of their own, which is not written."""

    def __init__(self, version: tuple[int, int] = (1, 7)) -> None:
        self._stream = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - it lasts as long as the object
        self._file = pdfdoc.PDFFile(version)
        self._stream.write(self._file.format(None))
        self._file.write = self._stream.write  # reportlab's own file is a list of its objects
        self._numbers: dict[str, int] = {}
        self._digest = md5(usedforsecurity=False)
        self.encrypt = pdfdoc.NoEncryption()
        self.idToObjectNumberAndVersion: dict[int, tuple[int, int]] = {}
        self.idToOffset: dict[int, int] = {}
        """Where each object begins. reportlab looks up these three attributes."""

    def reserve(self) -> int:
        """The number of an object that is written later."""
        number = len(self.idToObjectNumberAndVersion) + 1
        self.idToObjectNumberAndVersion[number] = number, 0
        return number

    def number(self, name: str) -> int:
        """The number of the object with this name."""
        if name not in self._numbers:
            self._numbers[name] = self.reserve()
        return self._numbers[name]

    def add(self, code: str | bytes, number: int | None = None) -> int:
        """Writes an object; returns its number. Each character of the code is one byte."""
        number = self.reserve() if number is None else number
        data = code.encode("latin-1") if isinstance(code, str) else code
        self._digest.update(data)
        self.idToOffset[number] = self._file.add(b"%d 0 obj\n%b\nendobj\n" % (number, data))
        return number

    def finish(self, root: int, info: int) -> None:
        """Writes what comes after the objects, of which one is the catalogue and one the document information."""
        table = pdfdoc.PDFCrossReferenceTable()
        table.addsection(0, list(self.idToOffset))
        start = self._file.add(table.format(self))
        trailer = pdfdoc.PDFTrailer(
            start,
            Size=len(self.idToOffset) + 1,
            Root=pdfdoc.PDFObjectReference(root),
            Info=pdfdoc.PDFObjectReference(info),
            ID=f"[<{self._digest.hexdigest()}><{self._digest.hexdigest()}>]",
        )
        self._file.add(trailer.format(self))

    def write_to(self, stream: Writable) -> None:
        """Writes the whole file to a stream."""
        self._stream.seek(0)
        copyfileobj(self._stream, stream)

    def content(self) -> bytes:
        """The whole file."""
        self._stream.seek(0)
        return self._stream.read()


def references(numbers: Iterable[int]) -> str:
    """An array of references to objects."""
    return "[" + " ".join([f"{number} 0 R" for number in numbers]) + "]"


def stream(data: bytes, entries: str = "") -> bytes:
    """The code of a stream (7.3.8), compressed; `entries` are those of its dictionary."""
    return packed_stream(zlib.compress(data), f"/Filter/FlateDecode{entries}")


def packed_stream(data: bytes, entries: str) -> bytes:
    """The code of a stream with data as they are."""
    return b"<<%b/Length %d>>\nstream\n%b\nendstream" % (entries.encode("latin-1"), len(data), data)


def text_string(text: str) -> str:
    """A text string (7.9.2.2): ASCII unchanged, anything else as UTF-16."""
    if text.isascii() and text.isprintable():
        return f"({escaped(text.encode())})"
    code = (_BYTE_ORDER + text).encode("utf-16-be", "surrogatepass")
    return f"({code.decode('latin-1').translate(_ESCAPES)})"


def digest(code: str) -> str:
    """The name of something with this code: the same in every process and document."""
    data = md5(code.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
    return urlsafe_b64encode(data[:_NAME_BYTES]).decode()
