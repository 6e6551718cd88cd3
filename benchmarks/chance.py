"""What the decks are made of: random words, names, colours and drawings."""

from __future__ import annotations

import io
import math
import random
from collections.abc import Sequence
from itertools import accumulate

from PIL import Image

from benchmarks import workload


class Chance(random.Random):
    """Random texts, names, colours and drawings."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self.words = workload.vocabulary(self)
        self._weights = [*accumulate(1 / (place + 8) for place in range(len(self.words)))]

    def some(self, low: int, high: int) -> list[str]:
        """Between `low` and `high` words; common ones recur, as in real rules."""
        return self.choices(self.words, cum_weights=self._weights, k=self.randint(low, high))

    def sentence(self, low: int, high: int) -> str:
        return " ".join(self.some(low, high)).capitalize() + "."

    def rules(self, low: int, high: int, icons: Sequence[str]) -> str:
        """Some sentences with bold words and icons."""
        words = self.some(low, high)
        for _ in range(self.randint(1, 3)):
            at = self.randrange(len(words))
            words[at] = f"**{words[at].strip('*')}**"
        for _ in range(self.randint(1, 2)):
            words.insert(self.randrange(len(words)), f":{self.choice(icons)}:")
        return " ".join(words) + "."

    def name(self) -> str:
        return " ".join(word.title() for word in self.some(1, 3))

    def names(self, count: int) -> list[str]:
        """Different words of plain letters, for files, suits and the like."""
        return self.sample([word for word in self.words if word.isascii() and 3 < len(word) < 9], count)

    def colour(self, low: int = 40, high: int = 190) -> str:
        return "#" + "".join(f"{self.randint(low, high):02x}" for _ in range(3))

    def icon(self) -> str:
        """An SVG file: a star of one colour, and a dot."""
        points, inner = self.randint(3, 9), self.uniform(4, 8)
        star = " ".join(
            f"{r * math.sin(math.pi * i / points):.2f},{-r * math.cos(math.pi * i / points):.2f}"
            for i in range(2 * points)
            for r in ((10, inner)[i % 2],)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 20 20"><polygon fill="{self.colour()}" '
            f'points="{star}"/><circle fill="#ffffff" cx="0" cy="0" r="{self.uniform(1.5, 3):.2f}"/></svg>\n'
        )

    def picture(self, width: int = 520, kind: str = "jpeg") -> bytes:
        """A file of this kind that looks like a blurred photograph, about this many pixels wide."""
        small = Image.frombytes("RGB", (6, 4), self.randbytes(6 * 4 * 3))
        size = self.randint(width - 40, width), self.randint(width * 6 // 10, width * 7 // 10)
        stream = io.BytesIO()
        small.resize(size, Image.Resampling.BICUBIC).save(stream, kind)
        return stream.getvalue()
