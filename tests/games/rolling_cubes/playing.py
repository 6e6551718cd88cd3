"""Random legal games as sheets, as plain data, with real throws of the thirteen dice."""

import random
from bisect import bisect_left
from string import ascii_uppercase

from generator.games.rolling_cubes import word_lists
from generator.games.rolling_cubes.last_die import Letter, RoundState, after_letter, letter_violations
from generator.games.rolling_cubes.play import WILDCARDS, Throw

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
        sheet = {"game": "rolling_cubes", "mode": mode, "players": players}
        if mode in ("one-by-one", "all-together"):
            return self.with_claims(self.rounds(sheet))
        return self.with_claims(
            {"last-die": self.last_die, "five-throws": self.five_throws, "tournament": self.tournament}[mode](sheet)
        )

    def with_claims(self, sheet):
        if self.rng.random() < 0.7:
            sheet["claimed"] = self.judge(sheet)[1]
        return sheet

    # -- words

    def random_faces(self):
        """A random face of each die."""
        return [self.rng.choice(faces) for _, faces in self.dice]

    def throw(self, faces):
        letters_by_colour = {}
        for (colour, _), face in zip(self.dice, faces, strict=True):
            letters_by_colour[colour] = letters_by_colour.get(colour, "") + face
        return {
            colour: "".join(self.rng.sample(letters, len(letters))) for colour, letters in letters_by_colour.items()
        }

    def word(self, throw, with_throw=True):
        """One of the best words for a throw, or 0."""
        best = word_lists.best(Throw(throw), self.words, self.game.rules, 12)
        if not best or self.rng.random() < 0.06:
            return 0
        laid_word = self.rng.choice(best)
        tiles = laid_word.tiles.lower() if self.rng.random() < 0.2 else laid_word.tiles
        word = {"tiles": tiles.replace("≠", self.rng.choice("≠/")), "word": laid_word.word}
        if with_throw:
            return word | {"throw": throw}
        colour_marks = self.rng.choice(["colours", "purple", "nothing"])
        if colour_marks == "colours":
            word["colours"] = list(laid_word.colours)
        elif colour_marks == "purple" and "purple" in laid_word.colours:
            word["purple"] = True
        return word

    # -- games 1 and 2

    def rounds(self, sheet):
        sheet["rounds"] = []
        if self.rng.random() < 0.3:
            sheet["tournament"] = True
        contenders = sheet["players"]
        while len(sheet["rounds"]) < 30:
            sheet["rounds"].append(self.round(sheet["mode"], contenders))
            complaints, totals, winners = self.judge(sheet)
            assert not complaints, complaints
            if winners or self.rng.random() < 0.02:
                break
            contenders = self.contenders(sheet, totals)
        return sheet

    def round(self, mode, contenders):
        throw = self.throw(self.random_faces())
        if mode == "all-together":
            known = {"throw": throw} if self.rng.random() < 0.6 else {}
            words = {name: self.word(throw, with_throw=False) for name in contenders}
            return self.with_rejected({**known, "words": words})
        words = {name: self.word(self.throw(self.random_faces()), self.rng.random() < 0.6) for name in contenders}
        return self.with_rejected({"words": words})

    def with_rejected(self, played):
        """The round, perhaps with a word that the others reject."""
        name = self.rng.choice(list(played["words"]))
        if self.rng.random() < 0.2:
            tiles = "".join(self.rng.sample("BDFGHKLMNPRSTVW", self.rng.randint(2, 9)))
            played["words"][name] = {"tiles": tiles, "word": tiles.lower()}
            if self.rng.random() < 0.5:
                played["words"][name]["rejected"] = True
            else:
                played["claimed"] = {name: 0}
        return played

    def contenders(self, sheet, totals):
        mode = sheet["mode"]
        targets = self.game.rules["tournament"]["targets"] if sheet.get("tournament") else self.game.rules["targets"]
        best = max(totals.values())
        return (
            [name for name in sheet["players"] if totals[name] == best] if best >= targets[mode] else sheet["players"]
        )

    # -- game 3

    def last_die(self, sheet):
        sheet["rounds"] = []
        first = self.rng.randrange(len(sheet["players"]))
        while True:
            sheet["rounds"].append(self.last_die_round(sheet["players"], first))
            first = (first + 1) % len(sheet["players"])
            complaints, _, winners = self.judge(sheet)
            assert not complaints, complaints
            if winners or self.rng.random() < 0.03:
                return sheet

    def last_die_round(self, players, first):
        """Letters that begin a word, and sometimes a bluff; dice that are used are put aside."""
        state = RoundState(len(players), first)
        free_dice = list(range(len(self.dice)))
        letters, round_of = [], {"letters": []}
        while True:
            name = players[state.seat]
            if letters and self.rng.random() < 0.15:
                return round_of | {"doubt": {"by": name, "answer": self.answer(state)}}
            faces = {number: self.rng.choice(self.dice[number][1]) for number in free_dice}
            able = [
                letter
                for letter in legal_letters(state, "".join(faces.values()), self.settings)
                if self.starts(state.spelling + letter.stands) or self.rng.random() < 0.01
            ]
            if not able or len(letters) > 9:
                return round_of | {"stuck": name}
            letter = self.rng.choice(able)
            free_dice.remove(next(number for number, face in faces.items() if face == letter.tile))
            state = after_letter(state, letter, self.settings)
            letters.append(letter)
            turn = {"player": name, "letter": letter.tile}
            round_of["letters"].append(turn | ({"as": letter.stands} if letter.tile in "=≠" else {}))

    def starts(self, spelling):
        return next(beginning(self.words, spelling.lower()), None) is not None

    def answer(self, state):
        words = [word for word in beginning(self.words, state.spelling.lower()) if len(word) >= 3][:20]
        return self.rng.choice(words) if words else "."

    # -- five throws

    def five_throws(self, sheet):
        sheet["lines"] = {}
        for name in sheet["players"]:
            lines = sheet["lines"][name] = {}
            for line in self.rng.sample(["no-wildcards", "trio", "full-house", "poker", "double"], 5):
                if self.rng.random() < 0.95:
                    lines[line] = self.line(line)
        return sheet

    def line(self, line):
        faces, rethrown = self.random_faces(), self.rng.choice([0, 0, 0, 1, 2, 5])
        for number in self.rng.sample(range(len(faces)), rethrown):
            faces[number] = self.rng.choice(self.dice[number][1])
        throw = self.throw(faces)
        for _ in range(6):
            word = self.word(throw, self.rng.random() < 0.7)
            if word and self.meets(line, word):
                break
        else:
            return 0
        return word | ({"rethrown": rethrown} if rethrown else {})

    def meets(self, line, word):
        sheet = {"mode": "five-throws", "players": ["Ann"], "lines": {"Ann": {line: word}}}
        return self.judge(sheet)[1]["Ann"] > 0

    # -- the tournament

    def tournament(self, sheet):
        sheet["games"] = {}
        for game, target, most in (("one-by-one", 21, 34), ("all-together", 17, 28), ("last-die", 2, 2)):
            best = self.rng.randint(target, most)
            reached = [best, *(self.rng.randint(0, best - 1) for _ in sheet["players"][1:])]
            sheet["games"][game] = dict(zip(sheet["players"], self.rng.sample(reached, len(reached)), strict=True))
        return sheet
