"""Whether faces are equally likely: chi-square, and the value that chance exceeds once in a thousand runs."""

from collections import Counter

ONE_IN_A_THOUSAND = {5: 20.515, 25: 52.620, 35: 66.619}
"""Values of chi-square by degrees of freedom."""


def chi_square(found, cells):
    """How far counts are from all `cells` being equally likely."""
    counts = Counter(found)
    assert set(counts) <= set(cells)
    expected = counts.total() / len(cells)
    return sum((counts[cell] - expected) ** 2 / expected for cell in cells)
