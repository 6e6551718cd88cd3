"""Records behave as Python's own dataclasses do."""

import copy
import dataclasses
import pickle
from dataclasses import field

import pytest

from generator import records

FORMS = [{}, {"frozen": True}, {"slots": True}, {"frozen": True, "slots": True}, {"frozen": True, "eq": False},
         {"frozen": True, "slots": True, "kw_only": True}]


def pair(dataclass, **form):
    @dataclass(**form)
    class Pair:
        """Two values and what came of them."""

        first: int
        second: str = "b"
        seen: list[int] = field(default_factory=list)
        note: str = field(default="", compare=False, repr=False)
        made: list[int] = field(default_factory=lambda: [1], init=False, compare=False)
        count: int = field(default=7, init=False)

    return Pair


@pytest.fixture(params=FORMS, ids=str)
def both(request):
    return pair(records.dataclass, **request.param), pair(dataclasses.dataclass, **request.param)


def outcome(call):
    try:
        return call()
    except Exception as error:
        return type(error), str(error).replace("test_records.", "")


@pytest.mark.parametrize("values", [{"first": 1}, {"first": 1, "second": "c", "seen": [2]}, {}, {"other": 1},
                                    {"first": 1, "made": []}, {"first": 2, "note": "n"}])
def test_they_are_made_and_shown_alike(both, values):
    ours, theirs = (outcome(lambda cls=cls: repr(cls(**values))) for cls in both)
    assert ours == theirs


def test_the_first_and_the_many_are_alike(both):
    for cls in both:
        assert len({repr(cls(first=1, note="n")) for _ in range(20)}) == 1
        assert outcome(lambda cls=cls: cls()) == outcome(lambda cls=cls: cls())


def test_they_take_values_in_their_order(both):
    assert len({repr(outcome(lambda cls=cls: cls(1, "c", [3]))) for cls in both}) == 1


def test_they_compare_and_hash_alike(both):
    for make in (lambda cls: cls(first=1) == cls(first=1), lambda cls: cls(first=1) == cls(first=2),
                 lambda cls: cls(first=1) == cls(first=1, note="n"), lambda cls: cls(first=1) != 1,
                 lambda cls: cls.__hash__ is None, lambda cls: len({cls(first=1, seen=()), cls(first=1, seen=())})):
        ours, theirs = (outcome(lambda cls=cls, make=make: make(cls)) for cls in both)
        assert ours == theirs


def test_what_is_frozen_refuses_alike(both):
    for change in (lambda made: setattr(made, "first", 2) or made.first, lambda made: delattr(made, "first")):
        ours, theirs = (outcome(lambda cls=cls, change=change: change(cls(first=1))) for cls in both)
        assert ours == theirs


def test_they_can_be_replaced_and_copied(both):
    for cls in both:
        made = dataclasses.replace(cls(first=1), second="z")
        assert (made.first, made.second, copy.copy(made).second) == (1, "z", "z")
        assert [one.name for one in dataclasses.fields(cls)] == ["first", "second", "seen", "note", "made", "count"]


@records.dataclass(frozen=True, slots=True)
class Base:
    """One value, checked."""

    first: int

    def __post_init__(self):
        if self.first < 0:
            raise ValueError("below nothing")


@records.dataclass(frozen=True, slots=True)
class More(Base):
    """Another beside it."""

    second: tuple[Base, ...] = ()


def test_one_builds_on_another():
    made = More(1, (Base(2),))
    assert made == More(first=1, second=(Base(2),)) != More(1)
    assert hash(made) == hash(More(1, (Base(2),)))
    with pytest.raises(ValueError, match="below nothing"):
        More(-1)


def test_they_can_be_sent_to_another_process():
    made = More(1, (Base(2),))
    assert pickle.loads(pickle.dumps(made)) == made


def test_one_without_a_docstring_is_not_given_its_signature():
    """Working that out takes longer than making the class."""
    @records.dataclass(slots=True)
    class Bare:
        first: int

    assert Bare.__doc__ == "Bare" and Bare(1) == Bare(first=1)
