"""Random legal games as sheets, as plain data, with real throws of the thirteen dice."""

import random
from bisect import bisect_left
from string import ascii_uppercase

from generator.games.rolling_cubes import search
from generator.games.rolling_cubes.dice import WILDCARDS, Throw
from generator.games.rolling_cubes.last_die import Letter, RoundState, after_letter, letter_violations

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"]
MODES = ["one-by-one", "all-together", "last-die", "five-throws", "tournament"]


def legal_letters(state, faces, settings):
    """Every letter that the next player may add with this throw."""
    letters = [
        Letter(state.seat, tile, stands)
        for tile in sorted(set(faces))
        for stands in (ascii_uppercase if tile in WILDCARDS else tile)
    ]
    return [letter for letter in letters if not any(letter_violations(state, letter, settings))]


def beginning(words, start):
    """Every word in a list that begins with `start`, the shortest first."""
    for length, block in sorted(words.blocks.items()):
        starts = range(0, len(block), length + 1)
        for at in starts[bisect_left(starts, start.encode(), key=lambda at, end=length: block[at : at + end]) :]:
            if not block.startswith(start.encode(), at):
                break
            yield block[at : at + length].decode()


class Table:
    """Plays one game with dice and words; `judge`, a referee, says whether it is over."""

    def __init__(self, seed, game, words, settings, judge):
        self.rng = random.Random(seed)
        self.game, self.words, self.settings, self.judge = game, words, settings, judge
        self.dice = [(card.colour, card.faces) for card in game.components["dice"].cards]

    def sheet(self, mode):
        players = NAMES[: self.rng.randint(2 if mode in ("last-die", "tournament") else 1, 6)]
        made = {"game": "rolling_cubes", "mode": mode, "players": players}
        if mode in ("one-by-one", "all-together"):
            return self.with_claims(self.rounds(made))
        return self.with_claims(
            {"last-die": self.last_die, "five-throws": self.five_throws, "tournament": self.tournament}[mode](made)
        )

    def with_claims(self, made):
        if self.rng.random() < 0.7:
            made["claimed"] = self.judge(made)[1]
        return made

    # -- words

    def fallen(self):
        """A random face of each die."""
        return [self.rng.choice(faces) for _, faces in self.dice]

    def throw(self, fallen):
        shown = {}
        for (colour, _), face in zip(self.dice, fallen, strict=True):
            shown[colour] = shown.get(colour, "") + face
        return {colour: "".join(self.rng.sample(letters, len(letters))) for colour, letters in shown.items()}

    def word(self, throw, with_throw=True):
        """One of the best words for a throw, or 0."""
        found = search.best(Throw(throw), self.words, self.game.rules, 12)
        if not found or self.rng.random() < 0.06:
            return 0
        one = self.rng.choice(found)
        tiles = one.tiles.lower() if self.rng.random() < 0.2 else one.tiles
        made = {"tiles": tiles.replace("≠", self.rng.choice("≠/")), "word": one.word}
        if with_throw:
            return made | {"throw": throw}
        how = self.rng.choice(["colours", "purple", "nothing"])
        if how == "colours":
            made["colours"] = list(one.colours)
        elif how == "purple" and "purple" in one.colours:
            made["purple"] = True
        return made

    # -- games 1 and 2

    def rounds(self, made):
        made["rounds"] = []
        if self.rng.random() < 0.3:
            made["tournament"] = True
        still = made["players"]
        while len(made["rounds"]) < 30:
            made["rounds"].append(self.round(made["mode"], still))
            complaints, totals, winners = self.judge(made)
            assert not complaints, complaints
            if winners or self.rng.random() < 0.02:
                break
            still = self.still(made, totals)
        return made

    def round(self, mode, still):
        throw = self.throw(self.fallen())
        if mode == "all-together":
            return {"throw": throw, "words": {name: self.in_round(self.word(throw)) for name in still}}
        return {"words": {name: self.word(self.throw(self.fallen()), self.rng.random() < 0.6) for name in still}}

    def in_round(self, word):
        return word and {key: value for key, value in word.items() if key != "throw"}

    def still(self, made, totals):
        mode = made["mode"]
        targets = self.game.rules["tournament"]["targets"] if made.get("tournament") else self.game.rules["targets"]
        best = max(totals.values())
        return [name for name in made["players"] if totals[name] == best] if best >= targets[mode] else made["players"]

    # -- game 3

    def last_die(self, made):
        made["rounds"] = []
        first = self.rng.randrange(len(made["players"]))
        while True:
            made["rounds"].append(self.chain(made["players"], first))
            first = (first + 1) % len(made["players"])
            complaints, _, winners = self.judge(made)
            assert not complaints, complaints
            if winners or self.rng.random() < 0.03:
                return made

    def chain(self, players, first):
        """Letters that begin a word, and sometimes a bluff; used dice are put aside."""
        state = RoundState(len(players), first)
        left = list(range(len(self.dice)))
        letters, round_of = [], {"letters": []}
        while True:
            name = players[state.seat]
            if letters and self.rng.random() < 0.15:
                return round_of | {"doubt": {"by": name, "answer": self.answer(state)}}
            faces = {number: self.rng.choice(self.dice[number][1]) for number in left}
            able = [
                one
                for one in legal_letters(state, "".join(faces.values()), self.settings)
                if self.starts(state.spelling + one.stands) or self.rng.random() < 0.01
            ]
            if not able or len(letters) > 9:
                return round_of | {"stuck": name}
            letter = self.rng.choice(able)
            left.remove(next(number for number, face in faces.items() if face == letter.tile))
            state = after_letter(state, letter, self.settings)
            letters.append(letter)
            turn = {"player": name, "letter": letter.tile}
            round_of["letters"].append(turn | ({"as": letter.stands} if letter.tile in "=≠" else {}))

    def starts(self, spelt):
        return next(beginning(self.words, spelt.lower()), None) is not None

    def answer(self, state):
        found = [word for word in beginning(self.words, state.spelling.lower()) if len(word) >= 3][:20]
        return self.rng.choice(found) if found else "."

    # -- five throws

    def five_throws(self, made):
        made["lines"] = {}
        for name in made["players"]:
            lines = made["lines"][name] = {}
            for line in self.rng.sample(["no-wildcards", "trio", "full-house", "poker", "double"], 5):
                if self.rng.random() < 0.95:
                    lines[line] = self.line(line)
        return made

    def line(self, line):
        fallen, again = self.fallen(), self.rng.choice([0, 0, 0, 1, 2, 5])
        for number in self.rng.sample(range(len(fallen)), again):
            fallen[number] = self.rng.choice(self.dice[number][1])
        throw = self.throw(fallen)
        for _ in range(6):
            word = self.word(throw, self.rng.random() < 0.7)
            if word and self.suits(line, word):
                break
        else:
            return 0
        return word | ({"rethrown": again} if again else {})

    def suits(self, line, word):
        sheet = {"mode": "five-throws", "players": ["Ann"], "lines": {"Ann": {line: word}}}
        return self.judge(sheet)[1]["Ann"] > 0

    # -- the tournament

    def tournament(self, made):
        made["games"] = {}
        for game, target, most in (("one-by-one", 21, 34), ("all-together", 17, 28), ("last-die", 2, 2)):
            best = self.rng.randint(target, most)
            reached = [best, *(self.rng.randint(0, best - 1) for _ in made["players"][1:])]
            made["games"][game] = dict(zip(made["players"], self.rng.sample(reached, len(reached)), strict=True))
        return made
