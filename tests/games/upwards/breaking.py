"""Changes that break a rule on a random legal sheet. Each takes a random generator and a copy of the sheet, and returns
rules of which at least one must be reported, or None if the change is impossible on this sheet."""

import re
from itertools import combinations

from tests.games.upwards import referee

COLUMNS = "abcd"
CHANGES = []


def change(function):
    CHANGES.append(function)
    return function


def some_round(rng, sheet, suits=lambda played: True):
    """The index and the entry of a suitable round; None if there is none."""
    candidates = [(number, played) for number, played in enumerate(sheet["log"]) if suits(played)]
    return rng.choice(candidates) if candidates else None


def some_entry(rng, sheet, pattern):
    """A round and the index of one of its entries that matches the pattern."""
    candidates = [
        (played, place)
        for played in sheet["log"]
        for place, entry in enumerate(played["entries"])
        if re.fullmatch(pattern, entry)
    ]
    return rng.choice(candidates) if candidates else None


def put(sheet, column, row, mark):
    rows = [line.split() for line in sheet["grid"]]
    rows[len(rows) - 1 - row][column] = mark
    sheet["grid"] = [" ".join(row) for row in rows]


def filled(sheet):
    return sorted(referee.boxes_of(sheet).items())


# ---- the sheet ------------------------------------------------------------------------------------------------------


@change
def a_box_is_left_out(rng, sheet):
    below = [place for place, _ in filled(sheet) if (place[0], place[1] + 1) in referee.boxes_of(sheet)]
    if not below:
        return None
    put(sheet, *rng.choice(below), ".")
    return {"no-gaps"}


@change
def a_number_is_another(rng, sheet):
    numbers = [(place, mark) for place, mark in filled(sheet) if mark != "o"]
    if not numbers:
        return None
    place, mark = rng.choice(numbers)
    put(sheet, *place, str(int(mark) % 6 + 1))
    return {"log-agrees"}


@change
def a_saved_number_is_crossed_out_or_not(rng, sheet):
    saved = [place for place, text in enumerate(sheet["reserve"]) if text != "."]
    if not saved:
        return None
    place = rng.choice(saved)
    text = sheet["reserve"][place]
    sheet["reserve"][place] = text.removesuffix("x") if text.endswith("x") else f"{text}x"
    return {"log-agrees"}


@change
def a_light_field_is_outlined_or_not(rng, sheet):
    place = rng.randrange(3)
    sheet["extra_reserve"][place] = "." if sheet["extra_reserve"][place] == "-" else "-"
    return {"log-agrees", "event-die"}


@change
def a_row_has_one_arrow_more_or_less(rng, sheet):
    row = rng.randint(1, 8)
    sheet["bonus_rows"] = sorted({row} ^ set(sheet["bonus_rows"]))
    return {"log-agrees", "event-die"}


@change
def the_event_die_is_not_ticked(rng, sheet):
    if not sheet["event_die"] or not sheet["log"]:
        return None
    sheet["event_die"] = False
    return {"event-die"}


@change
def a_second_option_is_ticked(rng, sheet):
    sheet["option"] = rng.choice([[], ["rows", "snake"], ["snake", "blocks"], ["rows", "snake", "blocks"]])
    return {"one-option"}


@change
def a_sum_is_wrong(rng, sheet):
    claimed = sheet["claimed"]
    circle = rng.choice(["columns", "option", "bonus", "total"])
    if circle == "columns":
        claimed["columns"][rng.randrange(4)] += rng.choice([-1, 1])
    else:
        claimed[circle] += rng.choice([-3, -1, 1, 3])
    return {f"claimed-{circle}"}


# ---- drawings --------------------------------------------------------------------------------------------------


@change
def a_snake_jumps(rng, sheet):
    far = [[one, other] for one, other in combinations(sheet.get("snake", ()), 2) if not touch(one, other)]
    if not far:
        return None
    sheet["snake"] = rng.choice(far)
    return {"snake-line"}


def touch(one, other):
    return abs(ord(one[0]) - ord(other[0])) <= 1 and abs(int(one[1]) - int(other[1])) <= 1


@change
def a_snake_takes_another_number(rng, sheet):
    boxes = referee.boxes_of(sheet)
    if "snake" not in sheet:
        return None
    number = boxes[COLUMNS.index(sheet["snake"][0][0]), int(sheet["snake"][0][1]) - 1]
    others = [place for place, mark in boxes.items() if mark != number]
    if not others:
        return None
    column, row = rng.choice(sorted(others))
    sheet["snake"].insert(rng.randrange(len(sheet["snake"])), f"{COLUMNS[column]}{row + 1}")
    return {"snake-line"}


@change
def a_block_has_another_box(rng, sheet):
    if not sheet.get("blocks"):
        return None
    block = rng.choice(sheet["blocks"])
    place = rng.randrange(len(block["cells"]))
    others = sorted({f"{column}{row}" for column in COLUMNS for row in range(1, 9)} - set(block["cells"]))
    boxes = referee.boxes_of(sheet)
    before = boxes[COLUMNS.index(block["cells"][0][0]), int(block["cells"][0][1]) - 1]
    odd = [name for name in others if boxes.get((COLUMNS.index(name[0]), int(name[1]) - 1)) != before]
    if not odd:
        return None
    block["cells"][place] = rng.choice(odd)
    return {"block-shape", "block-numbers", "blocks-apart"}


@change
def a_block_is_outlined_twice(rng, sheet):
    if not sheet.get("blocks"):
        return None
    sheet["blocks"].append(rng.choice(sheet["blocks"]))
    return {"blocks-once"}


# ---- the log --------------------------------------------------------------------------------------------------------


@change
def an_entry_is_left_out(rng, sheet):
    choice = some_entry(rng, sheet, r"[a-d]=[1-6+-]+")
    if not choice:
        return None
    played, place = choice
    del played["entries"][place]
    return {"all-dice"}


@change
def a_die_is_used_twice(rng, sheet):
    choice = some_entry(rng, sheet, r"[a-d]=[1-6]")
    if not choice:
        return None
    played, place = choice
    played["entries"].insert(place, played["entries"][place])
    return {"all-dice", "column-room"}


@change
def the_dice_show_something_else(rng, sheet):
    choice = some_round(rng, sheet)
    if not choice:
        return None
    place = rng.randrange(3)
    choice[1]["dice"][place] = choice[1]["dice"][place] % 6 + 1
    return {"all-dice"}


@change
def a_number_is_saved_where_one_is(rng, sheet):
    choice = some_entry(rng, sheet, r"r[1-5]=.*")
    if not choice:
        return None
    played, place = choice
    target = played["entries"][place].split("=")[0]
    number, _ = some_round(rng, sheet, lambda one: one is played)
    free = f"{target}={sheet['log'][number]['dice'][0]}"
    sheet["log"][number]["entries"].insert(place + 1, free)
    return {"reserve-room", "all-dice"}


@change
def a_number_crossed_out_is_used_again(rng, sheet):
    choice = some_entry(rng, sheet, r"[a-d]=[rx]\d")
    if not choice:
        return None
    played, place = choice
    played["entries"].insert(place + 1, played["entries"][place])
    return {"reserve-number", "column-room"}


@change
def a_meteorite_too_many(rng, sheet):
    choice = some_round(rng, sheet)
    if not choice:
        return None
    choice[1]["entries"].insert(rng.randint(0, len(choice[1]["entries"])), f"{rng.choice(COLUMNS)}=o")
    return {"meteorite", "column-room", "event-die"}


@change
def a_meteorite_is_not_dropped(rng, sheet):
    choice = some_entry(rng, sheet, "[a-d]=o")
    if not choice:
        return None
    choice[0]["entries"].pop(choice[1])
    return {"meteorite"}


@change
def a_number_is_subtracted_in_a_plain_round(rng, sheet):
    choice = some_round(
        rng,
        sheet,
        lambda one: (
            one.get("event") not in ("plus-or-minus", "minus-only")
            and any(re.fullmatch(r"[a-d]=[1-5]", entry) for entry in one["entries"])
        ),
    )
    if not choice:
        return None
    places = [place for place, entry in enumerate(choice[1]["entries"]) if re.fullmatch(r"[a-d]=[1-5]", entry)]
    place = rng.choice(places)
    column, number = choice[1]["entries"][place].split("=")
    choice[1]["entries"][place] = f"{column}={int(number) + 1}-1"
    return {"plus-minus"}


@change
def numbers_are_added_in_a_minus_only_round(rng, sheet):
    choice = some_entry(rng, sheet, r"[a-d]=[rx1-6]+\+[rx1-6+]+")
    if not choice or choice[0].get("event", "plus-or-minus") in ("plus-or-minus", "meteorite"):
        return None
    choice[0]["event"] = "minus-only"
    return {"plus-minus"}


@change
def a_light_field_is_outlined_without_the_event(rng, sheet):
    choice = some_round(rng, sheet, lambda one: one.get("event") != "extra-reserve")
    if not choice:
        return None
    choice[1]["outline"] = rng.choice(["x1", "x2", "x3"])
    return {"extra-reserve", "event-die"}


@change
def a_row_is_marked_without_the_event(rng, sheet):
    choice = some_round(rng, sheet, lambda one: one.get("event") != "bonus-row")
    if not choice:
        return None
    choice[1]["row"] = rng.randint(1, 8)
    return {"bonus-row", "event-die"}


@change
def a_number_is_passed_too_early(rng, sheet):
    choice = some_entry(rng, sheet, r"[a-d]=[1-6]")
    if not choice or choice[0].get("passed"):
        return None
    played, place = choice
    played["passed"] = [int(played["entries"].pop(place).split("=")[1])]
    return {"pass"}


@change
def a_round_follows_the_last(rng, sheet):
    if len([played for played in sheet["log"] if played.get("passed")]) < 2:
        return None
    sheet["log"].append(
        {"dice": [1, 1, 1], "entries": [], "passed": [1, 1, 1]}
        | ({"event": "minus-only"} if sheet["event_die"] else {})
    )
    return {"after-the-end"}


@change
def a_round_is_left_out(rng, sheet):
    choice = some_round(rng, sheet, lambda one: any(re.match("[a-d]=", entry) for entry in one["entries"]))
    if not choice:
        return None
    del sheet["log"][choice[0]]
    return {"log-agrees", "reserve-number", "reserve-room", "pass"}


@change
def an_event_is_missing(rng, sheet):
    choice = some_round(rng, sheet, lambda one: "event" in one)
    if not choice:
        return None
    del choice[1]["event"]
    return {"event-each-round"}
