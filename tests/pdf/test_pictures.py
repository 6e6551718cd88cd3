"""Pictures on pages: their positions, their content, and unusable files."""

from __future__ import annotations

import importlib.util
import re
import struct
import zlib
from io import BytesIO
from pathlib import Path

import PIL.Image
import pytest
from msgspec.structs import replace
from PIL import ImageCms, features

from generator import paths
from generator.art.picture_files import aspect
from generator.errors import InputError, noting
from generator.geometry.frame import Image, Shape
from generator.pdf.document import write
from tests.pdf.pages import INFO, box, card, page, pixel


def picture(file: Path, **more) -> Image:
    return Image(str(file), 10, 10, 40, 20, **more)


QUARTERS = {(0, 0): (255, 0, 0), (1, 0): (0, 255, 0), (0, 1): (0, 0, 255), (1, 1): (0, 0, 0)}
SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><rect width="1" height="1" fill="#ff0000"/>
<rect x="1" width="1" height="1" fill="#00ff00"/><rect y="1" width="1" height="1" fill="#0000ff"/>
<rect x="1" y="1" width="1" height="1"/></svg>"""


@pytest.fixture
def quarters(tmp_path):
    """`quarters(kind)` → a picture whose quarters are red, green, blue and black, as a file."""

    def made(kind: str) -> Path:
        file = tmp_path / f"quarters.{kind}"
        if kind == "svg":
            file.write_text(SVG)
            return file
        image = PIL.Image.new("RGB", (64, 64))
        for (column, row), colour in QUARTERS.items():
            image.paste(colour, (column * 32, row * 32, column * 32 + 32, row * 32 + 32))
        image.save(file, quality=95)
        return file

    return made


def near(colour: tuple[int, int, int], expected: tuple[int, int, int]) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(colour, expected, strict=True))


@pytest.mark.parametrize("kind", ["png", "jpg", "svg"])
@pytest.mark.parametrize("flip", ["", "x", "y", "xy"])
def test_a_picture_fills_its_box_and_can_be_mirrored(printed, render, quarters, kind, flip):
    image = render(printed(card(picture(quarters(kind), flip=flip))))
    for (column, row), colour in QUARTERS.items():
        x = 30 + 20 * (1 - column if "x" in flip else column)
        y = 25 + 10 * (1 - row if "y" in flip else row)
        assert near(pixel(image, x, y), colour), (column, row)


@pytest.mark.parametrize("kind", ["png", "jpg", "svg"])
def test_a_picture_is_clipped_and_written_once(printed, render, quarters, kind):
    file = quarters(kind)
    pdf = printed(card(picture(file, clip=(10, 10, 20, 20)), replace(picture(file), y=50)))
    image = render(pdf)
    assert near(pixel(image, 30, 25), (255, 0, 0))
    assert pixel(image, 45, 25) == (255, 255, 255)
    assert len(re.findall(rb"/Subtype\s*/(?:Image|Form)\b", pdf)) == 1


def test_pictures_keep_their_transparency(printed, render, tmp_path):
    image = PIL.Image.new("RGBA", (10, 10), (255, 0, 0, 0))
    image.paste((255, 0, 0, 255), (0, 0, 5, 10))
    image.save(tmp_path / "half.png")
    rendered = render(printed(card(Shape(box(0, 0, 60, 80), fill="#00ff00"), picture(tmp_path / "half.png"))))
    assert pixel(rendered, 25, 30) == (255, 0, 0)
    assert pixel(rendered, 50, 30) == (0, 255, 0)


GREY = (80, 80, 80)
ROSE = (200, 100, 120)


def test_every_kind_of_pixels_is_printed(printed, render, tmp_path):
    """16-bit, indexed, grey, transparent, interlaced, progressive and CMYK, in every format, whatever its name says."""
    grey = PIL.Image.new("L", (8, 8), 80)
    rose = PIL.Image.new("RGB", (8, 8), ROSE)
    deep = PIL.Image.new("I;16", (8, 8), 80 * 257)
    clear = PIL.Image.new("RGBA", (8, 8), (*ROSE, 0))
    clear.info["x"] = "unused"
    pictures = [
        (PIL.Image.new("1", (8, 8), 1), "PNG", {}, (255, 255, 255)),
        (grey, "PNG", {}, GREY),
        (grey.convert("LA"), "PNG", {}, GREY),
        (deep, "PNG", {}, GREY),
        (deep, "TIFF", {}, GREY),
        (rose, "PNG", {}, ROSE),
        (rose.quantize(4), "PNG", {}, ROSE),
        (rose.quantize(4), "PNG", {"transparency": 0}, (255, 255, 255)),
        (rose.convert("RGBA"), "PNG", {}, ROSE),
        (clear, "PNG", {}, (255, 255, 255)),
        (clear, "WEBP", {}, (255, 255, 255)),
        (rose, "JPEG", {"quality": 95}, ROSE),
        (rose, "JPEG", {"quality": 95, "progressive": True}, ROSE),
        (grey, "JPEG", {"quality": 95}, GREY),
        (PIL.Image.new("CMYK", (8, 8), (0, 128, 64, 0)), "JPEG", {"quality": 95}, (255, 127, 191)),
        (PIL.Image.new("CMYK", (8, 8), (0, 128, 64, 0)), "TIFF", {}, (255, 127, 191)),
        (rose, "WEBP", {"lossless": True}, ROSE),
        (rose, "GIF", {}, ROSE),
        (rose, "TIFF", {"compression": "tiff_lzw"}, ROSE),
        (rose, "BMP", {}, ROSE),
    ]
    if features.check("avif"):
        pictures.append((rose, "AVIF", {"quality": 100}, ROSE))
    items = []
    for number, (image, kind, options, _) in enumerate(pictures):
        file = tmp_path / f"{number}.png"
        image.save(file, kind, **options)
        items.append(Image(str(file), number % 5 * 10.0, number // 5 * 10.0, 10.0, 10.0))
    page = render(printed(card(*items)))
    for item, (image, kind, _, colour) in zip(items, pictures, strict=True):
        seen = pixel(page, 15 + item.x, 15 + item.y)
        assert max(abs(a - b) for a, b in zip(seen, colour, strict=True)) < 6, (image.mode, kind, seen)


def test_the_pixels_of_an_interlaced_picture_are_in_order(printed, render, tmp_path):
    """Adam7 (PNG, 8.2): the first pass holds the pixel at (0, 0), the sixth those at (1, 0) and (1, 2)."""
    passes = [(1, "0"), (0, ""), (0, ""), (0, ""), (1, "1"), (2, "11"), (2, "00")]
    rows = b"".join(bytes([0, int(bits, 2) << 8 - width]) for width, bits in passes if width)
    (tmp_path / "a.png").write_bytes(_png(2, 2, rows, depth=1, colour=0, interlace=1))
    expected = PIL.Image.open(tmp_path / "a.png").convert("RGB")
    seen = render(printed(card(Image(str(tmp_path / "a.png"), 10, 10, 20, 20))))
    for x, y in QUARTERS:
        assert pixel(seen, 20 + 10 * x, 20 + 10 * y) == expected.getpixel((x, y))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_pictures_are_turned_as_exif_says(printed, render, tmp_path, quarters, kind):
    """Each file has the picture turned the opposite way to its Orientation."""
    upright = PIL.Image.open(quarters("png")).resize((32, 64))
    undo = [None, 0, 3, 1, 5, 2, 6, 4]  # FLIP_LEFT_RIGHT, ROTATE_180, …, by Orientation - 1
    items = []
    for number, turn in enumerate(undo):
        exif = PIL.Image.Exif()
        exif[0x0112] = number + 1
        file = tmp_path / f"{number}.{kind}"
        image = upright if turn is None else upright.transpose(PIL.Image.Transpose(turn))
        image.save(file, kind, exif=exif, **({"quality": 95} if kind == "JPEG" else {"lossless": True}))
        assert aspect(str(file)) == 0.5
        items.append(Image(str(file), number % 4 * 12.0, number // 4 * 24.0, 10.0, 20.0))
    page = render(printed(card(*items)))
    for item in items:
        for (column, row), colour in QUARTERS.items():
            seen = pixel(page, 12.5 + item.x + 5 * column, 15 + item.y + 10 * row)
            assert near(seen, colour), (item.file, column, row, seen)


def _srgb() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def _swapped() -> bytes:
    """A colour profile with red and blue in each other's place."""
    profile = bytearray(_srgb())
    red, blue = profile.index(b"rXYZ"), profile.index(b"bXYZ")
    profile[red : red + 4], profile[blue : blue + 4] = b"bXYZ", b"rXYZ"
    return bytes(profile)


def test_colour_profiles_are_converted_to_srgb(printed, render, tmp_path):
    """A profile with swapped primaries swaps red and blue; a damaged one is ignored; sRGB leaves JPEG data alone."""
    items = []
    for number, (profile, kind) in enumerate(
        [(_swapped(), "PNG"), (_swapped(), "JPEG"), (b"no profile", "PNG"), (_srgb(), "JPEG")]
    ):
        file = tmp_path / f"{number}.{kind}"
        PIL.Image.new("RGB", (8, 8), (250, 0, 0)).save(file, kind, icc_profile=profile)
        items.append(Image(str(file), number * 10.0, 0, 10, 10))
    pdf = printed(card(*items))
    page = render(pdf)
    assert [near(pixel(page, 15 + item.x, 15), (0, 0, 250)) for item in items] == [True, True, False, False]
    assert (tmp_path / "3.JPEG").read_bytes()[-200:] in pdf


def test_jpeg_data_lose_only_their_metadata(printed, render, tmp_path):
    """The location of a photo is private."""
    exif = PIL.Image.Exif()
    exif[0x010E] = "at home"
    PIL.Image.new("RGB", (64, 32), ROSE).save(tmp_path / "photo.jpg", exif=exif, comment=b"my dog", quality=95)
    original = (tmp_path / "photo.jpg").read_bytes()
    assert b"at home" in original and b"my dog" in original
    pdf = printed(card(picture(tmp_path / "photo.jpg")))
    assert b"at home" not in pdf and b"my dog" not in pdf and original[-100:] in pdf
    assert near(pixel(render(pdf), 30, 25), ROSE)


def test_the_data_of_png_files_stay_as_they_are(printed, render, tmp_path):
    """Not if they cannot: interlaced, with 16 bits, transparent, with a palette, in another colour space, turned, too
    fine, or photographs, which are smaller as JPEG."""
    ramp, flat = PIL.Image.linear_gradient("L").resize((128, 128)), PIL.Image.new("RGB", (64, 64), ROSE)
    exif = PIL.Image.Exif()
    exif[0x0112] = 3
    files = {
        "grey": _saved(ramp, "PNG"),
        "colour": _saved(PIL.Image.merge("RGB", (ramp, ramp.rotate(90), ramp)), "PNG", compress_level=9),
        "two bits": _png(5, 2, b"\0\x1b\x40\0\xe4\x80", depth=2, colour=0),
        "one bit": _png(9, 2, b"\0\xaa\x80\2\xff\x80", depth=1, colour=0),
        "interlaced": _png(1, 1, b"\0\x80", colour=0, interlace=1),
        "deep": _saved(ramp.convert("I;16"), "PNG"),
        "see-through": _saved(flat, "PNG", transparency=ROSE),
        "alpha": _saved(flat.convert("RGBA"), "PNG"),
        "palette": _saved(flat.quantize(4), "PNG"),
        "profile": _saved(flat, "PNG", icc_profile=_swapped()),
        "turned": _saved(flat, "PNG", exif=exif),
        "fine": _saved(flat.resize((640, 640)), "PNG"),
        "photograph": _saved(noise(64, 64), "PNG"),
    }
    items, kept = [], {"grey", "colour", "two bits", "one bit"}
    for number, (name, data) in enumerate(files.items()):
        (tmp_path / f"{name}.png").write_bytes(data)
        items.append(Image(str(tmp_path / f"{name}.png"), number % 5 * 10.0, number // 5 * 10.0, 10.0, 10.0))
    pdf = printed(card(*items))
    page = render(pdf)
    for item, (name, data) in zip(items, files.items(), strict=True):
        start, end = data.index(b"IDAT") + 4, data.index(b"IEND") - 8
        assert (data[start:end] in pdf) == (name in kept), name
        if name in kept:
            pixels = PIL.Image.open(BytesIO(data)).convert("RGB")
            for x, y in ((0.1, 0.25), (0.5, 0.75), (0.7, 0.25), (0.9, 0.75)):
                expected = pixels.getpixel((int(x * pixels.width), int(y * pixels.height)))
                seen = pixel(page, 10 + item.x + 10 * x, 10 + item.y + 10 * y)
                assert max(abs(a - b) for a, b in zip(seen, expected, strict=True)) < 12, (name, x, y)


def test_damaged_png_data_are_not_copied(printed, tmp_path):
    """Rows that are missing, rows with an unknown filter, a checksum that is wrong, and bytes after the rows."""
    grey = {"colour": 0}
    whole = _png(8, 8, bytes(72), **grey)
    start, end = whole.index(b"IDAT") + 4, whole.index(b"IEND") - 8
    more = whole[: start - 8] + struct.pack(">I", end - start + 4) + whole[start - 4 : end] + b"more" + whole[end:]
    few, filtered = _png(8, 8, bytes(63), **grey), _png(8, 8, b"\7" * 72, **grey)
    for data in (few, filtered, whole[: end - 1] + b"!" + whole[end:], more):
        (tmp_path / "damaged.png").write_bytes(data)
        try:
            assert data[start : data.index(b"IEND") - 8] not in printed(card(picture(tmp_path / "damaged.png")))
        except InputError as error:
            assert "this picture is damaged" in str(error)


def test_a_picture_is_identified_by_its_file_at_any_resolution(theme, tmp_path):
    noise(600, 300).save(tmp_path / "photo.png")
    pages = [page(card(picture(tmp_path / "photo.png")))]
    digests = {
        re.findall(rb"/PencilboxPicture/(\w{16})", write(pages, theme, info=INFO, max_dpi=dpi))[0] for dpi in (90, 300)
    }
    assert len(digests) == 1


@pytest.mark.skipif(not features.check("avif"), reason="this version of Pillow does not read AVIF")
def test_twelve_kinds_of_pictures_print_as_a_browser_shows_them():
    spec = importlib.util.spec_from_file_location("photos", paths.ROOT / "docs/pictures/photos.py")
    photos = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(photos)
    differences = photos.differences()
    assert max(differences.values()) < 0.008, differences


# ---- size


def noise(width: int, height: int) -> PIL.Image.Image:
    """A picture with more colours than any drawing."""
    ramps = (PIL.Image.linear_gradient("L"), PIL.Image.radial_gradient("L"), PIL.Image.effect_noise((256, 256), 60))
    return PIL.Image.merge("RGB", ramps).resize((width, height))


def sizes(pdf: bytes) -> list[tuple[int, int, str]]:
    found = re.findall(rb"/Width (\d+)/Height (\d+)/ColorSpace/\w+/BitsPerComponent 8/Filter/(\w+)", pdf)
    return [(int(width), int(height), coding.decode()) for width, height, coding in found]


def test_pictures_have_no_more_pixels_than_their_largest_use_needs(theme, tmp_path):
    """60 × 30 mm at 350 dpi are 827 × 414 pixels; the same picture once more, in a copy of the file, adds nothing."""
    drawing, photo, copy = tmp_path / "drawing.png", tmp_path / "photo.png", tmp_path / "copy.png"
    PIL.Image.new("RGB", (1200, 600), ROSE).save(drawing)
    noise(1200, 600).save(photo, compress_level=1)
    copy.write_bytes(photo.read_bytes())
    items = [
        Image(str(file), 0, 0, width, width / 2)
        for file, width in ((drawing, 20), (drawing, 60), (photo, 60), (copy, 9))
    ]
    pages = [page(card(*items))]
    assert sizes(write(pages, theme, info=INFO)) == [(827, 414, "FlateDecode"), (827, 414, "DCTDecode")]
    assert sizes(write(pages, theme, info=INFO, max_dpi=1000))[0] == (1200, 600, "FlateDecode")
    assert sizes(write(pages, theme, info=INFO, max_dpi=160))[1] == (378, 189, "DCTDecode")
    assert write(pages, theme, info=INFO) == write(pages, theme, info=INFO)


def test_pictures_of_low_resolution_are_noted_once(printed, tmp_path):
    """80 pixels are 102 dpi on 20 mm, but 203 dpi on 10 mm."""
    coarse, fine = tmp_path / "coarse.png", tmp_path / "fine.png"
    PIL.Image.new("L", (80, 80)).save(coarse)
    PIL.Image.new("LA", (80, 80)).save(fine)
    uses = [(coarse, 10), (coarse, 20), (coarse, 5), (fine, 10)]
    with noting() as notes:
        printed(card(*(Image(str(file), 0, 0, size, size) for file, size in uses)))
    assert list(map(str, notes)) == [
        f"{coarse}: only 102 dpi at its largest size, 20 × 20 mm; it needs at least 200 dpi to look sharp"
    ]


def test_a_transparent_photo_is_compressed_losslessly(printed, tmp_path):
    """A fully opaque alpha channel does not count as transparency."""
    image = noise(400, 200)
    image.putalpha(255)
    image.save(tmp_path / "opaque.png")
    image.putpixel((0, 0), (0, 0, 0, 0))
    image.save(tmp_path / "clear.png")
    pdf = printed(card(picture(tmp_path / "opaque.png"), picture(tmp_path / "clear.png")))
    assert sorted(coding for _, _, coding in sizes(pdf)) == ["DCTDecode", "FlateDecode", "FlateDecode"]


def _png(width: int, height: int, rows: bytes = b"", *, depth: int = 8, colour: int = 2, interlace: int = 0) -> bytes:
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace),
        b"IDAT": zlib.compress(rows) if rows else b"",
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks.items()
    )


def _saved(image: PIL.Image.Image, kind: str, **options) -> bytes:
    stream = BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


UNUSABLE = {
    "bomb.png": (_png(10_000, 10_000), "too large: 10,000 × 10,000 pixels; the limit is 50 million; scale it down"),
    "huge.png": (_png(65_000, 65_000), "too large: more pixels than can be read; the limit is 50 million"),
    "cut.png": (_png(10, 10), "this picture is damaged and cannot be decoded"),
    "half.jpg": (_saved(noise(99, 99), "JPEG")[:-200], "this picture is damaged and cannot be decoded"),
    "stub.png": (_png(10, 10)[:20], "this PNG picture is damaged and cannot be opened"),
    "text.png": (b"no picture at all", "this is not a picture; pictures are PNG, JPEG, WebP, AVIF, GIF"),
    "drawing.png": (
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "this is an SVG file, which cannot be printed; name it",
    ),
    "layers.png": (
        b"8BPS\0\1" + bytes(99),
        "this is a Photoshop file, which cannot be printed; save it as PNG or JPEG",
    ),
    "icon.bmp": (b"\0\0\1\0" + bytes(99), "this is a Windows icon, which cannot be printed; save it as PNG or JPEG"),
    "art.jpg": (b"<!DOCTYPE html><html>", "this is a web page, which cannot be printed; download the picture itself"),
    "depth.tif": (
        _saved(PIL.Image.new("F", (9, 9)), "TIFF"),
        "it has 32 bits per channel, so its white level is unknown; save it with 8 or 16 bits per channel",
    ),
    "phone.jpg": (b"\0\0\0\x18ftypheic" + bytes(99), "this kind of file, such as HEIC, is not supported; save it"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable_pictures_are_refused(printed, tmp_path, name):
    content, message = UNUSABLE[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"{name}: {message}"):
        printed(card(picture(tmp_path / name)))


def test_damaged_pictures_are_reported_together(printed, tmp_path):
    for name in ("a.png", "b.png"):
        (tmp_path / name).write_bytes(_png(10, 10 + len(name)) if name == "a.png" else _png(12, 12))
    with pytest.raises(InputError) as refused:
        printed(card(*(picture(tmp_path / name) for name in ("a.png", "b.png"))))
    assert len(refused.value.problems) == 2


def test_a_missing_picture_is_reported(printed, tmp_path):
    with pytest.raises(InputError, match=r"gone\.png: cannot be read: no such file"):
        printed(card(picture(tmp_path / "gone.png")))
