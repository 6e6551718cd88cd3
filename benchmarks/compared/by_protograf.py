"""The deck in protograf 0.5: `python by_protograf.py`, in a folder in which it may write deck.pdf."""
# ruff: noqa: F403, F405, UP031

import csv
import re
from pathlib import Path

from protograf import *

HERE = Path(__file__).parent
COLOURS = {"Night": "#2d3a63", "Harbour": "#1f6f8b", "Market": "#a3532b", "Garden": "#3f7d46"}

with (HERE / "deck.csv").open(encoding="utf-8", newline="") as file:
    rows = [[re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", cell) for cell in row] for row in csv.reader(file)]

Create(filename="deck.pdf", paper="A4", units="mm", margin=9)
Data(data_list=rows)
Deck(width=63.5, height=88.9, stroke=None, grid_marks=True, grid_marks_length=6)

for kind, colour in COLOURS.items():
    band = rectangle(x=0, y=0, width=63.5, height=12, fill_stroke=colour)
    Card("all", S("{{ Type == '%s' }}" % kind, band))
Card("all", circle(cx=55.5, cy=6, radius=4, fill_stroke="white"))
Card("all", text(text=T("{{ Name }}"), x=4, y=8, font_size=13, stroke="white", align="left"))
Card("all", text(text=T("{{ Cost }}"), x=55.5, y=7.7, font_size=14))
Card("all", image(T(f"{HERE}/art/{{{{ Picture }}}}"), x=4, y=15, width=55.5, height=37))
Card("all", text(text=T("{{ Type }}"), x=4, y=56.6, font_size=8.5, align="left"))
Card("all", text(text=T("{{ Text }}"), x=4, y=58, width=55.5, height=26, font_size=10, align="left", html=True))
CardBack("all", rectangle(x=0, y=0, width=63.5, height=88.9, fill_stroke=COLOURS["Night"]))
CardBack("all", text(text="Night Market", x=31.75, y=46, font_size=13, stroke="white"))
Save()
