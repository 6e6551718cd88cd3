"""An independent, slow and simple implementation of the rules. It shares no code with the judge.

It takes a sheet as plain data, the dice as (colour, faces), the full list and the common words as sets. It returns its
complaints, each player's total and the winners. It only reads complete sheets with the full names of the players.
"""

from collections import Counter
from itertools import combinations, product

LINES = ["no-wildcards", "trio", "full-house", "poker", "double"]
NUMBERS = {"red": 4, "orange": 2, "green": 3, "light-blue": 1, "blue": 2, "purple": 1}


def tiles_of(word):
    return word["tiles"].upper().replace("/", "≠")


class Referee:
    def __init__(self, sheet, dice, words, common):
        self.sheet, self.dice, self.words, self.common = sheet, dice, words, common
        self.players = sheet["players"]
        self.complaints = []

    def complain(self, complaint):
        self.complaints.append(complaint)

    # -- dice

    def ways(self, tiles, dice, wanted_colours=None):
        """Every way to lay the tiles with different dice, as lists of colours in the order of the tiles."""
        if not tiles:
            yield []
            return
        tried = set()
        for number, (colour, faces) in enumerate(dice):
            kind = (colour, tuple(faces))
            if tiles[0] in faces and kind not in tried and (wanted_colours is None or wanted_colours[0] == colour):
                tried.add(kind)
                for rest in self.ways(
                    tiles[1:], dice[:number] + dice[number + 1 :], wanted_colours and wanted_colours[1:]
                ):
                    yield [colour, *rest]

    def thrown_dice(self, throw):
        return [(colour, [face]) for colour, letters in throw.items() for face in letters.replace("/", "≠")]

    def can_fall(self, throw):
        for colour, count in NUMBERS.items():
            letters = throw.get(colour, "").replace("/", "≠")
            dice = [die for die in self.dice if die[0] == colour]
            if len(letters) != count or not any(True for _ in self.ways(letters, dice)):
                return False
        return True

    def ways_to_lay(self, word, throw):
        tiles = tiles_of(word)
        if len(word.get("colours", tiles)) != len(tiles):
            return
        dice = self.thrown_dice(throw) if throw else self.dice
        for colours in self.ways(tiles, dice, word.get("colours")):
            if throw or word.get("colours") or not word.get("purple") or "purple" in colours:
                yield colours

    # -- words

    def is_rejected(self, word, points):
        """Whether the others rejected a word: it is marked, or it is not in the list and has 0 points beside it."""
        return bool(word.get("rejected")) or (
            points == 0 and not word.get("voted") and word["word"].lower() not in self.words
        )

    def from_one_throw(self, words):
        """Whether some throw shows all these words: for each letter and colour, as many dice as any word needs. The
        purple die of a word that ticks it may show any of the letters of the word."""
        coloured, anywhere, ticked = Counter(), Counter(), []
        for word in words:
            if "colours" in word:
                coloured |= Counter(zip(tiles_of(word), word["colours"], strict=True))
            else:
                anywhere |= Counter(tiles_of(word))
                ticked += [[(tile, "purple") for tile in set(tiles_of(word))]] if word.get("purple") else []
        for choice in product(*ticked):
            needed = coloured | Counter(set(choice))
            shown = Counter(tile for tile, _ in needed.elements())
            tiles = [*needed.elements(), *((tile, None) for tile in (anywhere - shown).elements())]
            rarest = sorted(tiles, key=lambda tile: sum(tile[0] in faces for _, faces in self.dice))
            if self.can_take(rarest, self.dice):
                return True
        return False

    def can_take(self, tiles, dice):
        """Whether there is a different die for each tile, some with their colours."""
        if not tiles:
            return True
        tile, wanted = tiles[0]
        tried = set()
        for number, (colour, faces) in enumerate(dice):
            kind = (colour, tuple(faces))
            if tile in faces and wanted in (None, colour) and kind not in tried:
                tried.add(kind)
                if self.can_take(tiles[1:], dice[:number] + dice[number + 1 :]):
                    return True
        return False

    def word(self, word, throw, where, points=None):
        """The points of a word; collects the complaints about it."""
        if self.is_rejected(word, points):
            return 0
        throw = word.get("throw", throw)
        tiles, spelling = tiles_of(word), word["word"].upper()
        if throw and not self.can_fall(throw):
            self.complain(f"{where}: no such throw")
        if not any(True for _ in self.ways_to_lay(word, throw)):
            self.complain(f"{where}: tiles cannot be laid")
        if len(tiles) != len(spelling):
            self.complain(f"{where}: a different number of tiles and letters")
        else:
            self.check_letters(tiles, spelling, where)
        if len(spelling) < 2 or (not word.get("voted") and spelling.lower() not in self.words):
            self.complain(f"{where}: not a word")
        return self.points_of(word, throw)

    def check_letters(self, tiles, spelling, where):
        for number, (tile, letter) in enumerate(zip(tiles, spelling, strict=True)):
            others = spelling[:number] + spelling[number + 1 :]
            shown = [other for other in tiles if other not in "=≠"]
            if tile == "=" and letter not in shown:
                self.complain(f"{where}: = copies no letter")
            elif tile == "≠" and letter in others:
                self.complain(f"{where}: ≠ does not differ")
            elif tile not in "=≠" and tile != letter:
                self.complain(f"{where}: tile and letter differ")

    def points_of(self, word, throw):
        tiles = tiles_of(word)
        wild = [tile for tile in tiles if tile in "=≠"]
        total = len(tiles) - len(wild)  # 1 point for each letter die
        if wild:
            total += len(wild) - 1  # 0 points for the first wildcard, 1 for the others
        for letter in set(tiles) - {"=", "≠"}:
            alike = tiles.count(letter)
            total += 0 if alike == 1 else 1 if alike == 2 else 2
        return total + self.purple(word, throw)

    def purple(self, word, throw):
        if throw or word.get("colours"):
            return int(any("purple" in colours for colours in self.ways_to_lay(word, throw)))
        others = {face for colour, faces in self.dice if colour != "purple" for face in faces}
        return int(bool(word.get("purple")) or any(tile not in others for tile in tiles_of(word)))

    # -- games 1 and 2

    def rounds(self):
        target = {"one-by-one": 31, "all-together": 25}[self.sheet["mode"]]
        if self.sheet.get("tournament"):
            target = {"one-by-one": 21, "all-together": 17}[self.sheet["mode"]]
        totals, still, tied = dict.fromkeys(self.players, 0), list(self.players), False
        for number, game_round in enumerate(self.sheet["rounds"], 1):
            word_points = self.words_of(game_round, f"round {number}")
            if tied and len(still) == 1:
                self.complain(f"round {number}: the game was over")
                continue
            if any(name not in still for name in word_points if game_round["words"][name]):
                self.complain(f"round {number}: only those who tied play")
            last = number == len(self.sheet["rounds"])
            if any(name not in word_points for name in still):
                if last:
                    self.add(totals, word_points, still, game_round, bonus=False)
                    continue
                self.complain(f"round {number}: not everybody has played")
            self.add(totals, word_points, still, game_round, bonus=not tied)
            best = max(totals[name] for name in still)
            if best >= target:
                still, tied = [name for name in still if totals[name] == best], True
        self.claims(totals)
        return totals, still if tied and len(still) == 1 else []

    def words_of(self, game_round, where):
        if "throw" in game_round and not self.can_fall(game_round["throw"]):
            self.complain(f"{where}: no such throw")
        throw, points = game_round.get("throw"), game_round.get("claimed", {})
        laid = [
            word
            for name, word in game_round["words"].items()
            if word and not self.is_rejected(word, points.get(name)) and any(True for _ in self.ways_to_lay(word, None))
        ]
        if self.sheet["mode"] == "all-together" and not throw and not self.from_one_throw(laid):
            self.complain(f"{where}: not from one throw")
        return {
            name: self.word(word, throw, f"{where}, {name}", points.get(name)) if word else 0
            for name, word in game_round["words"].items()
        }

    def add(self, totals, word_points, still, game_round, bonus):
        round_points = {name: word_points.get(name, 0) for name in still}
        best = max(round_points.values())
        if bonus and best and len(self.players) > 1:
            leaders = [name for name in still if round_points[name] == best]
            for name in leaders:
                round_points[name] += 2 if len(leaders) == 1 else 1
        for name in still:
            totals[name] += round_points[name]
        for name, claimed in game_round.get("claimed", {}).items():
            if claimed != round_points.get(name, 0):
                self.complain(f"{name} claims {claimed}")

    def claims(self, totals):
        for name, claimed in self.sheet.get("claimed", {}).items():
            if claimed != totals[name]:
                self.complain(f"{name} claims a total of {claimed}")

    # -- game 3

    def last_die(self):
        target = 2 if self.sheet.get("tournament") else 5 if len(self.players) == 2 else 3
        won = dict.fromkeys(self.players, 0)
        if len(self.players) < 2:
            self.complain("nobody plays alone")
        for number, game_round in enumerate(self.sheet["rounds"], 1):
            if max(won.values()) >= target:
                self.complain(f"round {number}: the game was over")
                break
            winner = self.last_die_round(game_round, f"round {number}", number == len(self.sheet["rounds"]))
            if winner:
                won[winner] += 1
        self.claims(won)
        return won, [name for name in self.players if won[name] >= target]

    def after(self, name):
        return self.players[(self.players.index(name) + 1) % len(self.players)]

    def last_die_round(self, game_round, where, last):
        tiles = spelling = ""
        owners = []
        for entry in game_round["letters"]:
            tile, letter = entry["letter"].replace("/", "≠"), entry.get("as", entry["letter"])
            if owners and entry["player"] != self.after(owners[-1]):
                self.complain(f"{where}: not {entry['player']}'s turn")
            if (
                (tile in "=≠" and not owners)
                or (tile == "=" and letter not in tiles)
                or (tile == "≠" and letter in spelling)
            ):
                self.complain(f"{where}: {tile} cannot be {letter}")
            tiles, spelling = tiles + tile, spelling + letter
            if not any(True for _ in self.ways(tiles, self.dice)):
                self.complain(f"{where}: no die for {tile}")
            if len(spelling) >= 3 and spelling.lower() in self.common:
                self.complain(f"{where}: {spelling} is complete")
                return owners[-1]
            owners.append(entry["player"])
        return self.end_of_round(game_round, where, last, spelling, owners)

    def end_of_round(self, game_round, where, last, spelling, owners):
        doubt = game_round.get("doubt")
        endings = ("stuck" in game_round) + bool(doubt)
        if endings > 1 or (endings < 1 and not last):
            self.complain(f"{where}: has no proper end")
        for name in filter(None, [game_round.get("stuck"), doubt and doubt["by"]]):
            if name != self.after(owners[-1]):
                self.complain(f"{where}: not {name}'s turn")
        if "stuck" in game_round or not doubt:
            return owners[-1] if "stuck" in game_round else None
        if doubt["answer"] == ".":
            return doubt["by"]
        if doubt["answer"].startswith(spelling.lower()) and self.knows(doubt["answer"]):
            return owners[-1]
        self.complain(f"{where}: {doubt['answer']} is not an answer")
        return doubt["by"]

    def knows(self, word):
        return word in self.words or word in self.common

    # -- five throws

    def five_throws(self):
        totals, filled = dict.fromkeys(self.players, 0), 0
        for name in self.players:
            for line, word in self.sheet["lines"].get(name, {}).items():
                filled += 1
                totals[name] += self.line(line, word, f"{name}, {line}") if word else 0
        self.claims(totals)
        best = max(totals.values())
        complete = filled == len(LINES) * len(self.players) or bool(self.sheet.get("ended"))
        return totals, [name for name in self.players if totals[name] == best] if complete else []

    def line(self, line, word, where):
        points = self.word(word, None, where, word.get("claimed"))
        if self.is_rejected(word, word.get("claimed")):
            return 0
        rethrown = word.get("rethrown", 0)
        if rethrown > 5:
            self.complain(f"{where}: {rethrown} dice thrown again")
        ways = list(self.ways_to_lay(word, word.get("throw")))
        met = not ways or any(self.meets(line, tiles_of(word), colours) for colours in ways)
        points = max(points - rethrown, 0) if met else 0
        if word.get("claimed", points) != points:
            self.complain(f"{where}: {word['claimed']} claimed")
        return points

    def meets(self, line, tiles, colours):
        if line == "no-wildcards":
            return "=" not in tiles and "≠" not in tiles
        if line == "double":
            return any(tile == other and tile not in "=≠" for tile, other in combinations(tiles, 2))
        counts = sorted((colours.count(colour) for colour in set(colours)), reverse=True)
        if line == "full-house":
            return len(counts) > 1 and counts[0] >= 3 and counts[1] >= 2
        return counts[0] >= {"trio": 3, "poker": 4}[line]

    # -- the tournament

    def tournament(self):
        totals, places = dict.fromkeys(self.players, 0), {}
        if len(self.players) < 2:
            self.complain("nobody plays alone")
        targets = {"one-by-one": 21, "all-together": 17, "last-die": 2}
        for game, target in targets.items():
            reached = self.sheet["games"][game]
            best = max(reached.values())
            if best < target or list(reached.values()).count(best) > 1:
                self.complain(f"{game}: must have one winner with at least {target}")
            for name in self.players:
                places[game, name] = 1 + len([other for other in reached.values() if other > reached[name]])
                totals[name] += [10, 7, 6, 5, 4, 3][places[game, name] - 1]
                claimed = self.sheet.get("awarded", {}).get(game, {}).get(name)
                if claimed not in (None, [10, 7, 6, 5, 4, 3][places[game, name] - 1]):
                    self.complain(f"{game}: {name} claims {claimed}")
        self.claims(totals)
        tied = [name for name in self.players if totals[name] == max(totals.values())]
        first = min(places["all-together", name] for name in tied)
        return totals, [name for name in tied if places["all-together", name] == first]


def judgement(sheet, dice, words, common):
    """The complaints, the totals by name, and the names of the winners."""
    referee = Referee(sheet, dice, words, common)
    play = {"last-die": referee.last_die, "five-throws": referee.five_throws, "tournament": referee.tournament}
    totals, winners = play.get(sheet["mode"], referee.rounds)()
    return referee.complaints, totals, winners
