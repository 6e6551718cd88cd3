"""PDF pages → pictures, drawn by pdfium. Worker processes load nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..errors import fault
from ..workers import WorkersLostError, cores, open_workers

EXTRA = "pip install 'pencilbox[export]'"
"""What installs the libraries of this package."""
JPEG_QUALITY = 95
HASH = 10
"""How many digits of its digest the name of a picture has: programs keep pictures by their names."""
# The number of pictures from which several processes are faster than one: each takes half a second to start.
_MIN_FOR_PROCESSES = 24
_BATCH = 6  # pictures in one job
_WHITE = 0xFFFFFFFF
MAX_PIXELS = 120_000_000
"""The largest picture that is drawn, which takes 480 MB."""


class PagePicture(Struct, frozen=True):
    """A picture to write: page `page` of a PDF, as large as `pixels`. The colours along the edges of `inside` (left,
    top, right, bottom) go on to the edges of the picture: pages without bleed get one. `file` ends in .png or .jpg, and
    `dpi` is noted in it."""

    file: str
    page: int
    pixels: tuple[int, int]
    dpi: float = 0.0
    inside: tuple[int, int, int, int] | None = None


class RasterJob(Struct, frozen=True):
    """Pictures of one PDF to write into a folder."""

    document: bytes
    pictures: tuple[PagePicture, ...]
    folder: str = ""


def pdfium() -> Any:
    """The module pypdfium2. Raises InputError if it is not installed."""
    try:
        import pypdfium2  # an extra: only exports need it
    except ModuleNotFoundError:
        raise fault("exporting needs pypdfium2, which is not installed", hint=EXTRA) from None
    return pypdfium2


def page_sizes(document: bytes) -> list[tuple[float, float]]:
    """The width and height of each page of a PDF, in points."""
    with closing(pdfium().PdfDocument(document)) as opened:
        return [opened.get_page_size(number) for number in range(len(opened))]


def pictures_of(document: bytes, pictures: Iterable[PagePicture]) -> Iterator[Any]:
    """The pictures of a PDF as Pillow images in RGB."""
    library = pdfium()
    with closing(library.PdfDocument(document)) as opened:
        for picture in pictures:
            yield _drawn(library, opened, picture)


def _drawn(library: Any, document: Any, picture: PagePicture) -> Any:
    width, height = picture.pixels
    if width * height > MAX_PIXELS:
        raise fault(
            f"{picture.file} would have {width:,} × {height:,} pixels, which is too large",
            hint="choose a lower resolution with --dpi",
        )
    page, bitmap = document[picture.page], library.PdfBitmap.new_native(width, height, library.raw.FPDFBitmap_BGRx)
    try:
        library.raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, _WHITE)
        library.raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, library.raw.FPDF_ANNOT)
        image = bitmap.to_pil().convert("RGB")
        return extended(image, picture.inside) if picture.inside else image
    finally:
        bitmap.close()
        page.close()


def extended(image: Any, inside: tuple[int, int, int, int]) -> Any:
    """The image with the rows and columns along the edges of a box repeated outwards."""
    left, top, right, bottom = inside
    width, height = image.size
    for column, x, wide in ((left, 0, left), (right - 1, right, width - right)):
        if wide > 0:
            image.paste(image.crop((column, top, column + 1, bottom)).resize((wide, bottom - top)), (x, top))
    for row, y, high in ((top, 0, top), (bottom - 1, bottom, height - bottom)):
        if high > 0:
            image.paste(image.crop((0, row, width, row + 1)).resize((width, high)), (0, y))
    return image


def save(image: Any, file: Path, dpi: float) -> None:
    """Writes an image as PNG or JPEG by the ending of the name, with its resolution."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".png":
        image.save(file, dpi=(dpi, dpi), compress_level=6)
    else:
        image.save(file, dpi=(round(dpi), round(dpi)), quality=JPEG_QUALITY, subsampling=0)


def encoded(image: Any, kind: str, **options: Any) -> bytes:
    """The bytes of a PNG or JPEG file."""
    stream = BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def hashed_name(stem: str, data: bytes, ending: str) -> str:
    """A file name that changes with the content of the file."""
    return f"{stem}-{sha256(data).hexdigest()[:HASH]}.{ending}"


def write(job: RasterJob) -> None:
    """Writes the pictures of a job, perhaps in a worker process."""
    for picture, image in zip(job.pictures, pictures_of(job.document, job.pictures), strict=True):
        save(image, Path(job.folder) / picture.file, picture.dpi)


def write_all(jobs: Iterable[RasterJob], count: int, processes: int | None, step: Callable[[], None]) -> None:
    """Writes the pictures of all jobs, of which there are about `count`, with several processes if there are many; only
    a few jobs are in memory at a time."""
    pdfium()  # the missing library is reported once, before any process starts
    number = processes or (cores() if count >= _MIN_FOR_PROCESSES else 1)
    with open_workers(number) as workers:
        try:
            for job, _ in workers.results(write, jobs, in_order=True):
                for _ in job.pictures:
                    step()
        except WorkersLostError as error:
            raise fault(str(error), hint="nothing was written; try again with --workers 1") from None


def batches(items: Iterable[Any]) -> Iterator[Sequence[Any]]:
    """The items in tuples, one for each job."""
    rest = iter(items)
    while batch := tuple(islice(rest, _BATCH)):
        yield batch
