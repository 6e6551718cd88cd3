"""The twelve pictures of docs/specimens.md: one scene in as many kinds of files, in docs/specimens/pictures. Run this
file to write them, and to record what Chromium makes of them as reference.webp."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
from PIL import Image, ImageChops, ImageCms, ImageDraw, ImageFilter

from generator import faces, pdf
from generator.geometry import frame
from generator.layout.place import place
from generator.model.game import Theme

HERE = Path(__file__).parents[1] / "specimens/pictures"
KINDS = {
    "baseline.jpg": "JPEG",
    "progressive.jpg": "progressive JPEG",
    "cmyk.jpg": "CMYK JPEG, inverted as Photoshop writes it",
    "exif.jpg": "JPEG on its side, with Exif’s Orientation",
    "wide_gamut.png": "PNG with a wide-gamut colour profile",
    "grey_16.png": "PNG with 16-bit grey levels",
    "indexed.png": "indexed PNG with a transparent colour",
    "alpha.png": "PNG with an alpha channel",
    "interlaced.png": "interlaced PNG",
    "photo.webp": "WebP",
    "photo.avif": "AVIF",
    "misnamed.png": "GIF that is called .png",
}
COLUMNS, WIDTH, HEIGHT, GAP = 4, 30.0, 22.5, 2.0
PAGE = COLUMNS * (WIDTH + GAP) + GAP, len(KINDS) / COLUMNS * (HEIGHT + GAP) + GAP
DPI = 150
SIZE = tuple(round(side / 25.4 * DPI) for side in PAGE)
GROUND = "#dfe6c8"
_PIXELS = 160, 120
_ADOBE_RGB = {
    b"rXYZ": (0.60974, 0.31111, 0.01947),
    b"gXYZ": (0.20528, 0.62567, 0.06087),
    b"bXYZ": (0.14919, 0.06322, 0.74457),
}
"""The primaries of Adobe RGB (1998), adapted to D50."""


# ---- the files ------------------------------------------------------------------------------------------------------


def scene() -> Image.Image:
    """A landscape with soft and hard edges, which looks different mirrored or turned."""
    width, height = _PIXELS
    picture = Image.composite(
        Image.new("RGB", _PIXELS, "#f6c667"),
        Image.new("RGB", _PIXELS, "#3d6fb6"),
        Image.linear_gradient("L").resize(_PIXELS),
    )
    draw = ImageDraw.Draw(picture)
    draw.polygon([(0, height), (0, 80), (50, 45), (95, 90), (130, 65), (width, 95), (width, height)], fill="#2f5d3a")
    draw.ellipse((105, 12, 135, 42), fill="#fff4c2")
    draw.rectangle((18, 84, 50, 110), fill="#a23b2a")
    draw.polygon([(14, 84), (34, 66), (54, 84)], fill="#5a2a20")
    grain = Image.radial_gradient("L").resize(_PIXELS).convert("RGB")
    return Image.blend(picture, grain, 0.12).filter(ImageFilter.GaussianBlur(0.4))


def adobe_rgb() -> bytes:
    """A colour profile with the primaries of Adobe RGB and the curve of sRGB."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    for number in range(struct.unpack_from(">I", profile, 128)[0]):
        name, offset, _ = struct.unpack_from(">4sII", profile, 132 + 12 * number)
        if name in _ADOBE_RGB:
            struct.pack_into(">3i", profile, offset + 8, *(round(value * 65536) for value in _ADOBE_RGB[name]))
    return bytes(profile)


def interlaced(picture: Image.Image) -> bytes:
    """A PNG file in the seven passes of Adam7 (PNG, 8.2), which Pillow does not write."""
    rows = bytearray()
    for left, top, across, down in (
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ):
        for y in range(top, picture.height, down):
            rows += b"\0" + b"".join(bytes(picture.getpixel((x, y))) for x in range(left, picture.width, across))  # type: ignore[arg-type]
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", *picture.size, 8, 2, 0, 0, 1),
        b"IDAT": zlib.compress(rows, 9),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks.items()
    )


def write() -> None:
    picture = scene()
    indexed = picture.quantize(24, dither=Image.Dither.NONE)
    clear = picture.convert("RGBA")
    clear.putalpha(ImageChops.invert(Image.radial_gradient("L").resize(_PIXELS)))
    exif = Image.Exif()
    exif[0x0112] = 6
    levels = Image.new("I;16", _PIXELS)
    levels.putdata([level * 257 for level in picture.convert("L").tobytes()])
    cmyk = Image.merge("CMYK", (*ImageChops.invert(picture).split(), Image.new("L", _PIXELS, 20)))
    picture.save(HERE / "baseline.jpg", quality=90)
    picture.save(HERE / "progressive.jpg", quality=90, progressive=True)
    cmyk.save(HERE / "cmyk.jpg", quality=92)
    picture.transpose(Image.Transpose.ROTATE_90).save(HERE / "exif.jpg", quality=90, exif=exif)
    picture.save(HERE / "wide_gamut.png", icc_profile=adobe_rgb(), optimize=True)
    levels.save(HERE / "grey_16.png")
    indexed.save(HERE / "indexed.png", transparency=indexed.getpixel((120, 27)), optimize=True)
    clear.save(HERE / "alpha.png", optimize=True)
    (HERE / "interlaced.png").write_bytes(interlaced(picture))
    picture.save(HERE / "photo.webp", quality=90)
    picture.save(HERE / "photo.avif", quality=90)
    picture.save(HERE / "misnamed.png", "GIF")


# ---- both pages -----------------------------------------------------------------------------------------------------


def places() -> dict[str, tuple[float, float]]:
    """Where the top left corner of each picture is on the page, in mm."""
    return {
        name: (GAP + number % COLUMNS * (WIDTH + GAP), GAP + number // COLUMNS * (HEIGHT + GAP))
        for number, name in enumerate(KINDS)
    }


def printed() -> Image.Image:
    """The pictures as Pencilbox prints them."""
    width, height = (side + 2 for side in PAGE)
    ground = frame.Shape((("M", 0, 0), ("L", width, 0), ("L", width, height), ("L", 0, height), ("Z",)), GROUND)
    images = [frame.Image(str(HERE / name), x, y, WIDTH, HEIGHT) for name, (x, y) in places().items()]
    face = frame.Frame("pictures", width, height, (ground, *images))
    page = frame.Page(width, height, (frame.Placed(face, 0, 0),))
    document = pdf.write([page], Theme({}, {}, {}, ()), info=pdf.Info(title="Pictures"))
    rendered = pypdfium2.PdfDocument(BytesIO(document))[0].render(scale=DPI / 72)
    return rendered.to_pil().convert("RGB").crop((0, 0, *SIZE))


def reference() -> Image.Image:
    """The same as recorded from Chromium."""
    return Image.open(HERE / "reference.webp").convert("RGB")


def parts(page: Image.Image) -> dict[str, Image.Image]:
    """The pictures on a page, without their outermost pixels."""
    scale = DPI / 25.4
    return {
        name: page.crop(
            (
                round(x * scale) + 2,
                round(y * scale) + 2,
                round((x + WIDTH) * scale) - 2,
                round((y + HEIGHT) * scale) - 2,
            )
        )
        for name, (x, y) in places().items()
    }


def differences() -> dict[str, float]:
    """The mean difference of each picture from its reference, as a share of that between black and white."""
    ours, theirs = parts(printed()), parts(reference())
    found = {}
    for name, picture in ours.items():
        levels = ImageChops.difference(picture, theirs[name]).histogram()
        found[name] = sum(count * (number % 256) for number, count in enumerate(levels)) / sum(levels) / 255
    return found


EXAMPLES = """<face fill="#dfe6c8" padding="3"><row gap="3" grow="1">
<image file="baseline.jpg" width="20" fill="#fff"/><image file="baseline.jpg" width="20" fit="cover"/>
<image file="baseline.jpg" width="20" fit="cover" focus="right"/><image file="baseline.jpg" width="20" fit="fill"/>
<image file="baseline.jpg" width="20" fit="cover" focus="left" radius="5"/>
<image file="baseline.jpg" width="20" fit="cover" focus="left" opacity="0.4"/></row></face>"""
"""The pictures of docs/pictures.md."""


def examples() -> Image.Image:
    """What the attributes of pictures do."""
    width, height, theme = 141.0, 32.0, Theme({}, {}, {}, ())
    with TemporaryDirectory() as folder:
        (Path(folder) / "face.xml.j2").write_text(EXAMPLES, encoding="utf-8")
        templates = faces.Templates((Path(folder),), theme)
        face = place(faces.build(templates, "face", {}, name="examples", size=(width, height), folder=HERE), theme)
    document = pdf.write(
        [frame.Page(width, height, (frame.Placed(face, 0, 0),))], theme, info=pdf.Info(title="Examples")
    )
    return pypdfium2.PdfDocument(BytesIO(document))[0].render(scale=DPI / 72).to_pil().convert("RGB")


def record() -> None:
    size = f"position:absolute;width:{WIDTH}mm;height:{HEIGHT}mm"
    images = "".join(
        f'<img src="{(HERE / name).as_uri()}" style="{size};left:{x}mm;top:{y}mm">' for name, (x, y) in places().items()
    )
    with TemporaryDirectory() as folder:
        page, shot = Path(folder) / "page.html", Path(folder) / "shot.png"
        page.write_text(f'<!doctype html><body style="margin:0;background:{GROUND}">{images}', encoding="utf-8")
        command = [
            *("chromium", "--headless", "--no-sandbox", "--hide-scrollbars", f"--screenshot={shot}"),
            *(f"--force-device-scale-factor={DPI / 96}", "--window-size=600,400", "--force-color-profile=srgb"),
            page.as_uri(),
        ]
        subprocess.run(command, check=True, capture_output=True)
        picture = Image.open(shot).convert("RGB").crop((0, 0, *SIZE))
    picture.save(HERE / "reference.webp", lossless=True, quality=100, method=6)


if __name__ == "__main__":
    write()
    record()
    for each, difference in differences().items():
        sys.stdout.write(f"{each}: {difference:.4f}\n")
