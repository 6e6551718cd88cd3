"""An independent, slow and simple implementation of the rules. It shares no code with the judge.

It takes a sheet as plain data, the dice as (colour, faces), the full list and the common words as sets. It returns its
complaints, each player's total and the winners. It only reads complete sheets with the full names of the players.
"""

from itertools import combinations

LINES = ["no-wildcards", "trio", "full-house", "poker", "double"]
NUMBERS = {"red": 4, "orange": 2, "green": 3, "light-blue": 1, "blue": 2, "purple": 1}


def laid(word):
    return word["tiles"].upper().replace("/", "≠")


class Referee:
    def __init__(self, sheet, dice, words, common):
        self.sheet, self.dice, self.words, self.common = sheet, dice, words, common
        self.players = sheet["players"]
        self.complaints = []

    def complain(self, what):
        self.complaints.append(what)

    # -- dice

    def ways(self, tiles, dice, wanted=None):
        """Every way to lay the tiles with different dice, as lists of colours in the order of the tiles."""
        if not tiles:
            yield []
            return
        tried = set()
        for number, (colour, faces) in enumerate(dice):
            kind = (colour, tuple(faces))
            if tiles[0] in faces and kind not in tried and (wanted is None or wanted[0] == colour):
                tried.add(kind)
                for rest in self.ways(tiles[1:], dice[:number] + dice[number + 1 :], wanted and wanted[1:]):
                    yield [colour, *rest]

    def thrown_dice(self, throw):
        return [(colour, [face]) for colour, letters in throw.items() for face in letters.replace("/", "≠")]

    def can_fall(self, throw):
        for colour, count in NUMBERS.items():
            letters = throw.get(colour, "").replace("/", "≠")
            some = [die for die in self.dice if die[0] == colour]
            if len(letters) != count or not any(True for _ in self.ways(letters, some)):
                return False
        return True

    def layings(self, word, throw):
        tiles = laid(word)
        if len(word.get("colours", tiles)) != len(tiles):
            return
        dice = self.thrown_dice(throw) if throw else self.dice
        for colours in self.ways(tiles, dice, word.get("colours")):
            if throw or word.get("colours") or not word.get("purple") or "purple" in colours:
                yield colours

    # -- words

    def word(self, word, throw, where):
        """The points of a word; collects the complaints about it."""
        throw = word.get("throw", throw)
        tiles, said = laid(word), word["word"].upper()
        if throw and not self.can_fall(throw):
            self.complain(f"{where}: no such throw")
        if not any(True for _ in self.layings(word, throw)):
            self.complain(f"{where}: tiles cannot be laid so")
        if len(tiles) != len(said):
            self.complain(f"{where}: as many tiles as letters")
        else:
            self.stands_for(tiles, said, where)
        if len(said) < 2 or (not word.get("voted") and said.lower() not in self.words):
            self.complain(f"{where}: no word")
        return self.worth(word, throw)

    def stands_for(self, tiles, said, where):
        for number, (tile, letter) in enumerate(zip(tiles, said, strict=True)):
            others = said[:number] + said[number + 1 :]
            shown = [other for other in tiles if other not in "=≠"]
            if tile == "=" and letter not in shown:
                self.complain(f"{where}: = copies nothing")
            elif tile == "≠" and letter in others:
                self.complain(f"{where}: ≠ differs not")
            elif tile not in "=≠" and tile != letter:
                self.complain(f"{where}: tile and letter differ")

    def worth(self, word, throw):
        tiles = laid(word)
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
            return int(any("purple" in colours for colours in self.layings(word, throw)))
        others = {face for colour, faces in self.dice if colour != "purple" for face in faces}
        return int(bool(word.get("purple")) or any(tile not in others for tile in laid(word)))

    # -- games 1 and 2

    def rounds(self):
        target = {"one-by-one": 31, "all-together": 25}[self.sheet["mode"]]
        if self.sheet.get("tournament"):
            target = {"one-by-one": 21, "all-together": 17}[self.sheet["mode"]]
        totals, still, tied = dict.fromkeys(self.players, 0), list(self.players), False
        for number, each in enumerate(self.sheet["rounds"], 1):
            worth = self.words_of(each, f"round {number}")
            if tied and len(still) == 1:
                self.complain(f"round {number}: the game was won")
                continue
            if any(name not in still for name in worth if each["words"][name]):
                self.complain(f"round {number}: only those who tied play")
            last = number == len(self.sheet["rounds"])
            if any(name not in worth for name in still):
                if last:
                    self.add(totals, worth, still, each, bonus=False)
                    continue
                self.complain(f"round {number}: not everybody has played")
            self.add(totals, worth, still, each, bonus=not tied)
            best = max(totals[name] for name in still)
            if best >= target:
                still, tied = [name for name in still if totals[name] == best], True
        self.claims(totals)
        return totals, still if tied and len(still) == 1 else []

    def words_of(self, each, where):
        if "throw" in each and not self.can_fall(each["throw"]):
            self.complain(f"{where}: no such throw")
        return {
            name: self.word(word, each.get("throw"), f"{where}, {name}") if word else 0
            for name, word in each["words"].items()
        }

    def add(self, totals, worth, still, each, bonus):
        gained = {name: worth.get(name, 0) for name in still}
        best = max(gained.values())
        if bonus and best and len(self.players) > 1:
            leaders = [name for name in still if gained[name] == best]
            for name in leaders:
                gained[name] += 2 if len(leaders) == 1 else 1
        for name in still:
            totals[name] += gained[name]
        for name, claimed in each.get("claimed", {}).items():
            if claimed != gained.get(name, 0):
                self.complain(f"{name} claims {claimed}")

    def claims(self, totals):
        for name, claimed in self.sheet.get("claimed", {}).items():
            if claimed != totals[name]:
                self.complain(f"{name} claims {claimed} in all")

    # -- game 3

    def last_die(self):
        target = 2 if self.sheet.get("tournament") else 5 if len(self.players) == 2 else 3
        won = dict.fromkeys(self.players, 0)
        for number, each in enumerate(self.sheet["rounds"], 1):
            if max(won.values()) >= target:
                self.complain(f"round {number}: the game was won")
                break
            winner = self.chain(each, f"round {number}", number == len(self.sheet["rounds"]))
            if winner:
                won[winner] += 1
        self.claims(won)
        return won, [name for name in self.players if won[name] >= target]

    def after(self, name):
        return self.players[(self.players.index(name) + 1) % len(self.players)]

    def chain(self, each, where, last):
        tiles = spelt = ""
        owners = []
        for entry in each["letters"]:
            tile, letter = entry["letter"].replace("/", "≠"), entry.get("as", entry["letter"])
            if owners and entry["player"] != self.after(owners[-1]):
                self.complain(f"{where}: not {entry['player']}'s turn")
            if (
                (tile in "=≠" and not owners)
                or (tile == "=" and letter not in tiles)
                or (tile == "≠" and letter in spelt)
            ):
                self.complain(f"{where}: {tile} cannot be {letter}")
            tiles, spelt = tiles + tile, spelt + letter
            if not any(True for _ in self.ways(tiles, self.dice)):
                self.complain(f"{where}: no die for {tile}")
            if len(spelt) >= 3 and spelt.lower() in self.common:
                self.complain(f"{where}: {spelt} is complete")
                return owners[-1]
            owners.append(entry["player"])
        return self.end_of_chain(each, where, last, spelt, owners)

    def end_of_chain(self, each, where, last, spelt, owners):
        doubt = each.get("doubt")
        endings = ("stuck" in each) + bool(doubt)
        if endings > 1 or (endings < 1 and not last):
            self.complain(f"{where}: does not end as it should")
        for name in filter(None, [each.get("stuck"), doubt and doubt["by"]]):
            if name != self.after(owners[-1]):
                self.complain(f"{where}: not {name}'s turn")
        if "stuck" in each or not doubt:
            return owners[-1] if "stuck" in each else None
        if doubt["answer"] == ".":
            return doubt["by"]
        if doubt["answer"].startswith(spelt.lower()) and self.knows(doubt["answer"]):
            return owners[-1]
        self.complain(f"{where}: {doubt['answer']} does not answer")
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
        whole = filled == len(LINES) * len(self.players)
        return totals, [name for name in self.players if totals[name] == best] if whole else []

    def line(self, line, word, where):
        worth = self.word(word, None, where)
        again = word.get("rethrown", 0)
        if again > 5:
            self.complain(f"{where}: {again} dice thrown again")
        ways = list(self.layings(word, word.get("throw")))
        met = not ways or any(self.suits(line, laid(word), colours) for colours in ways)
        points = max(worth - again, 0) if met else 0
        if word.get("claimed", points) != points:
            self.complain(f"{where}: {word['claimed']} claimed")
        return points

    def suits(self, line, tiles, colours):
        if line == "no-wildcards":
            return "=" not in tiles and "≠" not in tiles
        if line == "double":
            return any(one == other and one not in "=≠" for one, other in combinations(tiles, 2))
        counts = sorted((colours.count(colour) for colour in set(colours)), reverse=True)
        if line == "full-house":
            return len(counts) > 1 and counts[0] >= 3 and counts[1] >= 2
        return counts[0] >= {"trio": 3, "poker": 4}[line]

    # -- the tournament

    def tournament(self):
        totals, places = dict.fromkeys(self.players, 0), {}
        targets = {"one-by-one": 21, "all-together": 17, "last-die": 2}
        for game, target in targets.items():
            reached = self.sheet["games"][game]
            best = max(reached.values())
            if best < target or list(reached.values()).count(best) > 1:
                self.complain(f"{game}: one winner, who reached {target}")
            for name in self.players:
                places[game, name] = 1 + len([other for other in reached.values() if other > reached[name]])
                totals[name] += [10, 7, 6, 5, 4, 3][places[game, name] - 1]
                claimed = self.sheet.get("awarded", {}).get(game, {}).get(name)
                if claimed not in (None, [10, 7, 6, 5, 4, 3][places[game, name] - 1]):
                    self.complain(f"{game}: {name} claims {claimed}")
        self.claims(totals)
        drawn = [name for name in self.players if totals[name] == max(totals.values())]
        first = min(places["all-together", name] for name in drawn)
        return totals, [name for name in drawn if places["all-together", name] == first]


def judgement(sheet, dice, words, common):
    """The complaints, the totals by name, and the names of the winners."""
    referee = Referee(sheet, dice, words, common)
    play = {"last-die": referee.last_die, "five-throws": referee.five_throws, "tournament": referee.tournament}
    totals, winners = play.get(sheet["mode"], referee.rounds)()
    return referee.complaints, totals, winners
