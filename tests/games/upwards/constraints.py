"""Checks that strips follow their recipe in sets.yaml, independently of how they are drawn."""


def unmet_constraints(deck, recipe):
    """A message for each place where strips do not follow their recipe in sets.yaml. The check is independent of how
    they were drawn."""
    pages = deck.components["strip"].cards
    by_player = {}
    for page in pages:
        by_player.setdefault(page.id.partition(".")[0], []).append(page)
    mistakes = []
    if len(by_player) != recipe["strips"]:
        mistakes.append(f"there are {len(by_player)} strips instead of {recipe['strips']}")
    for player, player_pages in by_player.items():
        mistakes += [f"strip {player}: {mistake}" for mistake in _unmet_strip_constraints(player_pages, recipe)]
    return [*mistakes, *_unmet_challenge_constraints(pages, recipe)]


def _unmet_strip_constraints(pages, recipe):
    throws = [throw for page in pages for throw in page.throws]
    if [number for number, _ in throws] != list(range(1, recipe["rounds"] + 1)):
        yield f"the throws are not numbered from 1 to {recipe['rounds']}"
    for number, (dice, event) in throws:
        if len(dice) != recipe["dice"] or not set(dice) <= set(recipe["die"]):
            yield f"throw {number} shows {' '.join(map(str, dice))}"
        if event not in recipe["event"]:
            yield f"throw {number} shows the event “{event}”"


def _unmet_challenge_constraints(pages, recipe):
    task = recipe.get("challenge")
    for page in pages:
        option, targets = (task["option"], list(task["targets"])) if task else ("", [])
        if page.option != option or list(page.targets) != targets:
            yield f"page {page.id} does not describe the challenge"
        if list(page.targets.values()) != sorted(set(page.targets.values())):
            yield f"the targets on page {page.id} do not increase"
