"""The dataclasses and named tuples of `generator/fast_dataclasses.py` behave like Python's own."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import field
from typing import ClassVar

import pytest

from generator.fast_dataclasses import NamedTuple, dataclass


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float = 2.0
    tags: list[str] = field(default_factory=list, compare=False)
    note: str = field(default="", repr=False)
    KIND: ClassVar[str] = "point"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Point):
    name: str
    size: float = field(init=False, default=4.0)
    parts: dict[str, int] = field(init=False, default_factory=dict)


@dataclass(slots=True)
class Counter:
    count: int = 0

    def __post_init__(self):
        self.count += 1


@dataclass
class Bare:
    name: str


@dataclass(eq=False)
class Plain:
    name: str


@dataclass(frozen=True)
class Own:
    name: str

    def __eq__(self, other):
        return True

    def __repr__(self):
        return "own"


class Pair(NamedTuple):
    """Two values."""

    first: int
    second: Undefined = 2  # type: ignore[name-defined]  # noqa: F821

    @property
    def sum(self):
        return self.first + self.second

    @classmethod
    def of(cls, value):
        return cls(value, value)


def twin(cls, **options):
    """The same class, defined by Python's `dataclass`."""
    names = [
        (each.name, each.type, field(default=each.default))
        if each.default_factory is dataclasses.MISSING
        else (each.name, each.type, field(default_factory=each.default_factory, compare=each.compare))
        for each in dataclasses.fields(cls)
    ]
    return dataclasses.make_dataclass(cls.__name__, names, **options)


def test_values_and_defaults():
    point = Point(1.0)
    assert (point.x, point.y, point.tags, point.note) == (1.0, 2.0, [], "")
    assert Point(1.0, 3.0, ["a"]).tags == ["a"] and Point(1.0).tags is not point.tags
    named = Named(x=1.0, name="A")
    assert (named.y, named.name, named.size, named.parts) == (2.0, "A", 4.0, {})
    assert Counter(3).count == 4 and Counter().count == 1
    assert Point.__match_args__ == ("x", "y", "tags", "note")


def test_the_first_objects_are_made_like_later_ones():
    @dataclass(frozen=True, slots=True)
    class Part(Point):
        weight: float = field(kw_only=True)
        length: int = field(init=False, default=3)
        later: int = field(init=False, repr=False)

        def __post_init__(self):
            object.__setattr__(self, "later", self.length + len(self.tags))

    parts = [Part(1.0, tags=["a"], weight=number) for number in range(12)]
    assert {(part.x, part.y, part.length, part.later, *part.tags) for part in parts} == {(1.0, 2.0, 3, 4, "a")}
    assert [part.weight for part in parts] == list(range(12))
    assert Part.__slots__ == ("weight", "length", "later") and Part.__match_args__ == Point.__match_args__
    assert Part.KIND == "point" and not hasattr(Part, "kind")


def test_wrong_arguments_are_type_errors():
    for cls, arguments in [(Point, {}), (Point, {"x": 1, "z": 1}), (Named, {"x": 1}), (Named, {"x": 1, "size": 1})]:
        with pytest.raises(TypeError):
            cls(**arguments)
    with pytest.raises(TypeError):
        Named(1.0, 2.0, [], "", "A")


def test_named_tuples():
    assert Pair(1) == (1, 2) and Pair(second=3, first=1).second == 3 and Pair.of(4).sum == 8
    assert repr(Pair(1)) == "Pair(first=1, second=2)" and Pair._fields == ("first", "second")
    assert Pair(1)._replace(first=5) == (5, 2) and Pair._field_defaults == {"second": 2}
    assert Pair.__doc__ == "Two values." and Pair.__module__ == __name__ and Pair.__qualname__ == "Pair"
    assert Pair.__annotations__ == {"first": "int", "second": "Undefined"}
    assert pickle.loads(pickle.dumps(Pair(1))) == Pair(1) and copy.copy(Pair(1)) == Pair(1)
    assert (
        not hasattr(Pair(1), "__dict__") and str(inspect.signature(Pair)) == "(first: 'int', second: 'Undefined' = 2)"
    )
    with pytest.raises(TypeError):
        Pair()


def test_signatures():
    """They are known before and after the first object is made."""
    expected = "(x: 'float', y: 'float' = 2.0"
    assert str(inspect.signature(Named)).startswith(expected) and "*, name: 'str'" in str(inspect.signature(Named))
    Point(1.0)
    assert str(inspect.signature(Point)).startswith(expected)


def test_comparison_and_hash():
    assert Point(1.0, tags=["a"]) == Point(1.0) and hash(Point(1.0, tags=["a"])) == hash(Point(1.0))
    assert Point(1.0) != Point(2.0) and Point(1.0) != twin(Point, frozen=True)(1.0)
    assert Point(1.0) != Named(x=1.0, name="A")
    assert Plain("A") != Plain("A") and hash(Plain("A"))
    assert Counter(1) == Counter(1) and Counter.__hash__ is None
    assert Own("A") == Own("B") and Bare("A") == Bare("A")


def test_representation():
    assert repr(Point(1.0)) == "Point(x=1.0, y=2.0, tags=[])"
    assert repr(Counter()) == repr(twin(Counter)(1))
    assert repr(Own("A")) == "own"


def test_frozen_objects_do_not_change():
    point = Point(1.0)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2.0
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    assert not hasattr(point, "__dict__")


def test_copies():
    named = Named(x=1.0, tags=["a"], name="A")
    assert dataclasses.replace(Point(1.0), y=5.0) == Point(1.0, 5.0)
    for copied in (copy.copy(named), copy.deepcopy(named), pickle.loads(pickle.dumps(named))):
        assert copied == named and copied.tags == ["a"]
    assert pickle.loads(pickle.dumps(Counter(2))) == Counter(2)
    assert dataclasses.astuple(Point(1.0)) == (1.0, 2.0, [], "") and dataclasses.is_dataclass(Named)
