"""The rules of Beetles: paths through a garden of five rows of five flowers."""

from generator.api import (
    Chance,
    Deck,
    FinishedGame,
    GameRules,
    Line,
    Part,
    RandomSets,
    Result,
    RuleBook,
    Score,
    SimulatedGame,
    Simulation,
    ranks,
    standard_cards,
)

SIDE = 5
SPACES = [f"{column}{row}" for row in range(1, SIDE + 1) for column in "ABCDE"]
CORNERS = ("A1", "E5", "A5", "E1")
LONGEST = 12

book = RuleBook()
SPACE = book.add("space", "A path is a row of spaces from A1 to E5.")
CORNER = book.add("corner", "The beetles start in the corners A1, E5, A5 and E1, in this order.")
STEP = book.add("step", "A beetle moves to the space above, below, left or right.")
VISITED = book.add("visited", "Nobody visits a space twice, nor a space where another beetle has been.")
TOTAL = book.add("total", "The total of a beetle is the nectar on its path.")
book.scoring("nectar", "A beetle collects the nectar of every flower on its path.")


def near(space):
    """The spaces beside a space."""
    column, row = divmod(SPACES.index(space), SIDE)[::-1]
    beside = ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))
    return [SPACES[y * SIDE + x] for x, y in beside if 0 <= x < SIDE and 0 <= y < SIDE]


class Beetle:
    """One player: the id of the entry on the sheet, the name, and the path by the ids of its fields."""

    def __init__(self, sheet, entry):
        self.entry, self.name = entry, sheet.text(f"{entry}.name")
        fields = [f"{entry}.path.{number}" for number in sheet.rows.get(f"{entry}.path", ())]
        self.path = {field: sheet.text(field).upper() for field in fields}
        self.claimed = sheet.number(f"{entry}.total")
        flowers = list(sheet.cards.values())
        self.flowers = [(space, flowers[SPACES.index(space)]) for space in self.path.values() if space in SPACES]


class Rules(GameRules):
    rules = book

    def read(self, sheet):
        return [Beetle(sheet, entry) for entry in sheet.entries["beetles"]]

    def violations(self, beetles):
        visited = {}
        for beetle, corner in zip(beetles, CORNERS, strict=False):
            yield from self.wrong_steps(beetle, corner)
            for field, space in beetle.path.items():
                if space in visited:
                    yield VISITED(field, f"{visited[space]} has already been to {space}")
                visited[space] = beetle.name
            total = sum(self.nectar(beetle))
            if beetle.claimed not in (None, total):
                yield TOTAL(f"{beetle.entry}.total", f"the flowers have {total} nectar, not {beetle.claimed}")

    def wrong_steps(self, beetle, corner):
        previous = None
        for field, space in beetle.path.items():
            if space not in SPACES:
                yield SPACE(field, f"“{space}” is not a space of the garden")
            elif previous is None and space != corner:
                yield CORNER(field, f"{beetle.name} starts in {space} instead of {corner}")
            elif previous in SPACES and space not in near(previous):
                yield STEP(field, f"{space} is not beside {previous}")
            previous = space

    def score(self, beetles):
        scores = tuple(Score(each.name, (Line("Nectar", sum(self.nectar(each))),)) for each in beetles)
        places = ranks((score.total,) for score in scores)
        winners = tuple(score.player for score, place in zip(scores, places, strict=True) if place == 1)
        return Result(scores, places, winners)

    def explain(self, beetles):
        return [
            [[Part(f"{card['name']} on {space}", int(card["nectar"])) for space, card in each.flowers]]
            for each in beetles
        ]

    def sums(self, beetles):
        return {f"{each.entry}.total": sum(self.nectar(each)) for each in beetles}

    def nectar(self, beetle):
        return [int(card["nectar"]) for _, card in beetle.flowers]


class Gardens(RandomSets):
    """Gardens in which no two flowers beside each other are alike."""

    def deal(self, game, code):
        chance = Chance(code.seed)
        for _ in range(int(game.sets["recipes"][code.recipe]["tries"])):
            garden = self.grown(list(standard_cards(game)["garden"]), chance)
            if garden:
                return Deck({"garden": garden}, str(code))
        raise RuntimeError("no garden found")

    def grown(self, left, chance):
        garden = []
        for number in range(SIDE * SIDE):
            above = garden[number - SIDE]["name"] if number >= SIDE else None
            beside = garden[number - 1]["name"] if number % SIDE else None
            fitting = [card for card in left if card["name"] not in (above, beside)]
            if not fitting:
                return None
            garden.append(chance.choice(fitting))
            left.remove(garden[-1])
        return tuple(garden)

    def data(self, game, deck):
        return [card["name"] for card in deck.cards["garden"]]

    def lines(self, game, deck):
        names = [card["name"] for card in deck.cards["garden"]]
        return ["  ".join(f"{name:<6}" for name in names[row : row + SIDE]).rstrip() for row in range(0, SIDE**2, SIDE)]

    def unmet_constraints(self, game, deck, code):
        flowers = dict(zip(SPACES, (card["name"] for card in deck.cards["garden"]), strict=True))
        return [
            f"{space} and {other} are both {flowers[space]}"
            for space in SPACES
            for other in near(space)
            if space < other and flowers[space] == flowers[other]
        ]


class Walk(SimulatedGame):
    """A game in progress: the path of each beetle, and the seats that can still move."""

    __slots__ = ("flowers", "paths", "taken")

    def __init__(self, simulation, chance):
        super().__init__(chance)
        self.flowers = [int(card["nectar"]) for card in simulation.deck.cards["garden"]]
        self.paths = [[corner] for corner in CORNERS[: simulation.players]]
        self.taken = set(CORNERS[: simulation.players])

    def choices(self):
        for _ in self.paths:
            path = self.paths[self.seat]
            if free := [space for space in near(path[-1]) if space not in self.taken and len(path) < LONGEST]:
                return free
            self.seat = (self.seat + 1) % len(self.paths)
        return []

    def do(self, move):
        self.paths[self.seat].append(move)
        self.taken.add(move)
        self.seat = (self.seat + 1) % len(self.paths)

    def gain(self, move):
        return self.flowers[SPACES.index(move)]

    def result(self):
        points = tuple(sum(map(self.gain, path)) for path in self.paths)
        winners = tuple(seat for seat, total in enumerate(points) if total == max(points))
        return FinishedGame(max(map(len, self.paths)), points, winners)

    def sheets(self, names):
        beetles = [{"name": name, "path": path} for name, path in zip(names, self.paths, strict=True)]
        return [{"game": "beetles", "beetles": beetles}]


class Beetles(Simulation):
    unit = "steps"
    strategies = ("greedy", "random")

    def begin(self, chance, keep=False):
        return Walk(self, chance)
