"""Whether thrown faces are even: chi-square, and what chance passes once in a thousand times."""

from collections import Counter

ONE_IN_A_THOUSAND = {5: 20.515, 25: 52.620, 35: 66.619}
"""Values of chi-square by degrees of freedom."""


def chi_square(found, cells):
    """How far counts are from all cells being as likely; `cells` lists all of them."""
    counts = Counter(found)
    assert set(counts) <= set(cells)
    expected = counts.total() / len(cells)
    return sum((counts[cell] - expected) ** 2 / expected for cell in cells)
