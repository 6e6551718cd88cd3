"""Rules as plain text: every word of the booklet, in lines for a terminal."""

import re

import pytest

from generator import games, paths
from generator.booklet.markdown import RulesSource, blocks, plain_text
from generator.printing.press import Press
from generator.reading.load import load

MARKDOWN = """\
# Paper *Moon*

Roll :die-1: and :lower: it. It's long enough to be broken into two lines.

- one
  - two
3. three

> A note of several words that goes on.

| | Colour | Dice |
|---|---|---|
| :mark-red: | red | 4 |
| :mark-blue: | blue | 12 |

![The ferry](ferry.png)

```check
x: 1
```
"""


def test_blocks_are_written_in_lines_of_a_width():
    def draw(block):
        from generator.booklet.figures import FigureFile

        return FigureFile(picture=block.file, caption=block.caption), ()

    text = plain_text(blocks(RulesSource(MARKDOWN, "f")), draw, 40)
    assert text == (
        "Paper Moon\n==========\n\n"
        "Roll [die 1] and ▼ it. It’s long enough\nto be broken into two lines.\n\n"
        "- one\n  - two\n\n3. three\n\n"
        "  | A note of several words that goes\n  | on.\n\n"
        "Colour  Dice\n------  ----\nred     4\nblue    12\n\n"
        "[Picture: The ferry]\n"
    )
    assert "- Colour: red; Dice: 4" in plain_text(blocks(RulesSource(MARKDOWN, "f")), draw, 10).replace("\n  ", " ")


@pytest.mark.parametrize("key", games.SHIPPED)
def test_the_rules_of_the_games_are_complete(key):
    game = load(key)
    text = Press(game, games.deal(game)).rules_text(80)
    assert max(map(len, text.splitlines())) <= 80 and not re.search(r"[{}]|:[a-z-]+:|\*\*", text)
    assert text.startswith(f"{game.title}\n===") and "What we decided" in text
    if key == "cosmic_consequences":
        assert "  On your next turn, before you roll, you may do one card action" in text, "the words of pictures"
        assert "[Picture: cards dragon-7, tiger-3, tiger-4. +7, −3 and −4 add up" in text


def test_rules_as_text_on_the_command_line(pencilbox):
    code, out, err = pencilbox("rules", "elevator_up", "--text")
    assert code == 0 and not err and "Top of the pile     You may play" in out
    _, out, _ = pencilbox("rules", "elevator_up", "--text", "--format", "json")
    assert "--text only works without --format json" in out
    assert "has no rules booklet" in pencilbox("rules", str(paths.ROOT / "examples/lantern_walk"), "--text")[2]
