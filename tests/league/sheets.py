"""What the tests of the league share: sheets, plays and answers."""

from generator.judging.judge import Judge
from generator.league import Details, Play, Seat, plays_of

UPWARDS = 'game: upwards\nplayer: {}\noption: rows\ngrid: [". . . .", "{}"]\n'


def upwards(folder, name, row="1 1 1 1", file=None):
    """A file with the sheet of one player, which scores five points for a row of equal numbers."""
    path = folder / (file or f"{name.lower() or 'nobody'}.yaml")
    path.write_text(UPWARDS.format(name, row), "utf-8")
    return str(path)


def answers(*files):
    return list(Judge(copies=True).answers([*map(str, files)]))


def plays(*files, **details):
    return [play for play, _ in plays_of(answers(*files), Details(date="2026-11-21", **details))]


def play(result, date="2026-11-21", number=0, **more):
    """A play from a text such as `Ann 5, Ben 3, Cat 3`; nobody has won `Ann, Ben`."""
    words = [part.split() for part in result.split(",")]
    points = [int(part[1]) if len(part) > 1 else None for part in words]
    places = [None if mine is None else 1 + sum(other > mine for other in points) for mine in points]
    seats = tuple(Seat(part[0], mine, place) for part, mine, place in zip(words, points, places, strict=True))
    more = {"game": "upwards", "title": "Upwards!", "sheet": "sheet", "status": "counted"} | more
    return Play(date=date, seats=seats, number=number, digest=more.pop("digest", f"{date} {result}"), **more)
