"""Several PDF files as one."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO


def joined(parts: Sequence[bytes]) -> bytes:
    """The pages of all parts in their order; of a single part its very bytes."""
    if len(parts) == 1:
        return parts[0]
    from pypdf import PdfWriter  # only where there is something to join

    writer = PdfWriter()
    for part in parts:
        writer.append(BytesIO(part), import_outline=False)
    made = BytesIO()
    writer.write(made)
    return made.getvalue()
