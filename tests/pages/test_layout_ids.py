"""Layout ids: a permanent one for each layout, and a registry in which edits are detected."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from generator.errors import InputError
from generator.pages import field_map
from generator.pages.field_map import (
    LISTED,
    OWN,
    RegisteredLayout,
    read,
    register,
    registered_id,
)

HEAD = "# layouts\nlayouts:\n"


def layout(number=0, **changes):
    return RegisteredLayout(**{"game": "upwards", "sheet": "sheet", "paper": "a4", "hash": f"{number:016x}", **changes})


@pytest.fixture
def registry(tmp_path):
    path = tmp_path / "layouts.yaml"
    path.write_text(HEAD)
    return path


def problems(path, text):
    path.write_text(HEAD + text)
    with pytest.raises(InputError) as caught:
        read(path)
    return str(caught.value)


def line(number, hash_):
    return f'  {number}: {{game: upwards, sheet: sheet, paper: a4, hash: "{hash_}"}}\n'


def test_an_id_is_computed_from_the_hash(registry):
    assert read(registry) == {}
    assert register([layout(7), layout(80_008, paper="letter")], registry) == {
        10_007: layout(7),
        10_008: layout(80_008, paper="letter"),
    }
    assert registered_id(layout(7), layouts=read(registry)) == 10_007
    assert registered_id(layout(80_008), layouts=read(registry)) == 10_008


def test_layouts_with_colliding_hashes_get_different_ids(registry):
    alike = [layout(5), layout(5 + 80_000), layout(5 + 160_000), layout(79_999), layout(159_999)]
    ids = register(alike, registry)
    assert list(ids) == [10_005, 10_006, 10_007, 89_999, 10_000]
    assert {number: replace(found, place=None) for number, found in read(registry).items()} == ids


def test_registering_only_adds_lines(registry):
    register([layout(3)], registry)
    before = registry.read_text()
    assert register([layout(3)], registry) == {}
    assert registry.read_text() == before
    register([layout(2), layout(3)], registry)
    assert registry.read_text() == before + line(10_002, "0000000000000002")


def test_a_changed_layout_cannot_keep_its_id(registry):
    """Geometry never changes silently: a new hash under an old id is refused."""
    register([layout(3)], registry)
    text = registry.read_text().removeprefix(HEAD)
    messages = problems(registry, text.replace("0000000000000003", "0000000000000004"))
    assert messages == (
        "layouts.yaml:3: layout 10003: its id does not match its hash; give a changed layout a new line, "
        "with pencilbox fields GAME SHEET --register"
    )


def test_the_first_of_two_colliding_lines_cannot_be_removed(registry):
    register([layout(5), layout(5 + 80_000)], registry)
    assert "layout 10006: its id does not match" in problems(registry, line(10_006, f"{80_005:016x}"))


def test_all_contradictions_are_reported_together(registry):
    messages = problems(
        registry,
        line(123, "0" * 16)
        + line("abcde", "0" * 16)
        + line(90_001, "0" * 16)
        + line(10_009, "xyz")
        + line(10_001, f"{1:016x}")
        + line(10_002, f"{1:016x}"),
    )
    assert messages.splitlines() == [
        "layouts.yaml:3: layout id 123 must be from 10000 to 89999",
        "layouts.yaml:4: layout id abcde must be from 10000 to 89999",
        "layouts.yaml:5: layout id 90001 must be from 10000 to 89999",
        "layouts.yaml:6: layout 10009: “xyz” is not a hash; write 16 digits of 0-9 and a-f",
        "layouts.yaml:8: layout 10002 repeats layout 10001",
    ]


def test_a_repeated_id_is_refused(registry):
    assert "key “10001” appears twice" in problems(registry, line(10_001, f"{1:016x}") * 2)


def test_the_error_for_a_missing_id_names_the_command(registry):
    with pytest.raises(InputError) as caught:
        registered_id(layout(3), layouts={})
    assert str(caught.value) == (
        "upwards, sheet on a4: fields are new or have moved, so this layout has no id; "
        "if you meant to change it, run: pencilbox fields upwards sheet --register"
    )


def test_sheets_of_your_own_games_have_ids_in_a_separate_range():
    assert registered_id(layout(123), own=True, layouts={}) == 90_123
    assert registered_id(layout(10_000), own=True, layouts={}) == 90_000
    assert not set(OWN) & set(LISTED) and OWN[-1] == 99_999


def test_a_copy_of_a_shipped_sheet_keeps_the_shipped_id():
    assert registered_id(layout(123), own=True, layouts={54_321: layout(123)}) == 54_321


def test_a_hash_is_the_same_everywhere():
    assert field_map.hash_of("upwards sheet a4 ü") == "253e65f4f77d7bb0"


def test_the_shipped_registry_is_valid():
    assert set(field_map.registry()) <= set(LISTED)
