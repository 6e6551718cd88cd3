"""Numbers and dates are formatted as a spreadsheet shows them."""

from datetime import datetime, timedelta

import pytest

from generator.tables.number_formats import EPOCH, formatted

ACCOUNTING = '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-'


def serial(*moment):
    return (datetime(*moment) - EPOCH) / timedelta(days=1)


MAY = serial(2024, 5, 6, 14, 30)


@pytest.mark.parametrize(
    ("value", "pattern", "text"),
    [
        (5, "General", "5"),
        (5.0, "General", "5"),
        (0.1 + 0.2, "General", "0.3"),
        (1 / 3, "General", "0.3333333333"),
        (1e20, "General", "1E+20"),
        (12345678901234, "General", "12345678901234"),
        (3.0, "@", "3"),
        (0.5, "0%", "50%"),
        (0.125, "0.0%", "12.5%"),
        (1234.5, "#,##0.00", "1,234.50"),
        (3, "000", "003"),
        (2.5, "0", "3"),
        (0.05, "0.#", "0.1"),
        (-0.001, "0.0", "0.0"),
        (1500000, '0.0,,"M"', "1.5M"),
        (1234, "0.00E+00", "1.23E+03"),
        (1234, "0.000E+00", "1.234E+03"),
        (2.375, "# ?/?", "2 3/8"),
        (42, "000-000", "000-042"),
        (1e-300, "0.00", "0.00"),
        (-3, "0;(0)", "(3)"),
        (0, '0;-0;"none"', "none"),
        (3, "+0;-0;0", "+3"),
        (-2, "+0;-0;0", "-2"),
        (150, '[>=100]"many";0', "150"),
        (7, '[>=100]"many";0', "7"),
        (3.5, '"$"#,##0.00', "$3.50"),
        (3.5, "#,##0.00\\ [$€-407]", "3.50 €"),
        (-3.5, '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', "($3.50)"),
        (12, ACCOUNTING, "12.00 €"),
        (3, '0 "gold"', "3 gold"),
        (1.5, "# ?/?", "1 1/2"),
        (0.75, "# ??/??", "3/4"),
        (2, "# ?/?", "2"),
        (5551234, "000-0000", "555-1234"),
        (MAY, "mm-dd-yy", "2024-05-06"),
        (MAY, "d mmmm yyyy", "6 May 2024"),
        (MAY, "dd/mm/yyyy", "06/05/2024"),
        (serial(2024, 5, 6), "ddd d. mmm", "Mon 6. May"),
        (MAY, "[$-409]d\\-mmm\\-yy;@", "6-May-24"),
        (MAY, "m/d/yy h:mm", "2024-05-06 14:30"),
        (serial(2024, 5, 6, 23, 59, 59, 999_999), "yyyy-mm-dd", "2024-05-07"),
        (serial(1899, 12, 30, 14, 5), "h:mm", "14:05"),
        (serial(1899, 12, 30, 14, 5), "h:mm AM/PM", "2:05 PM"),
        (serial(1899, 12, 30, 1, 2, 3), "mm:ss.0", "02:03"),
        (26.05 / 24, "[h]:mm", "26:03"),
        (1.5 / 24, "[mm]:ss", "90:00"),
        (1, "yyyy-mm-dd", "1900-01-01"),
        (1e12, "yyyy-mm-dd", "#VALUE!"),
    ],
)
def test_a_value_is_shown_in_its_format(value, pattern, text):
    assert formatted(value, pattern).strip() == text


@pytest.mark.parametrize(
    "pattern", ["0" * 500, "#,#,#,#", "0/0", "?/0", "[", '"', "\\", "E+", ";;;", "0.0.0", "%%%", "y"]
)
@pytest.mark.parametrize("value", [0, -1, 1.5, 1e300, -1e-300, float("inf"), float("nan")])
def test_strange_formats_show_something(value, pattern):
    assert len(formatted(value, pattern)) < 1_000
