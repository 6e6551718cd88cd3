"""The first row is recognised as headings or as a card, and rows that are not cards are left out and named."""

import pytest

from generator.tables.table_rows import table_rows


def rows(text, **options):
    lines = [line.split(",") for line in text.splitlines()]
    return table_rows([(number, line) for number, line in enumerate(lines, start=1) if any(line)], **options)


@pytest.mark.parametrize(
    "text",
    [
        "Name,Cost\nAxe,2\nBow,3",
        "Monster,Attack\nGoblin,2\nOrc,4",
        "Prompt\nWhat are you most proud of today?\nWho would you like to meet one day?",
        "country_name,capital_name\nFrance,Paris\nSpain,Madrid",
        "Deutsch,English\nHund,dog\nKatze,cat",
        "Название,Цена\nМеч,3\nЩит,2",
        "profession,health,hobby\nВрач,Здоров,Шахматы\nПовар,Аллергия,Кино",
        "Name,1,2,3\nAda,4,5,6\nBo,7,8,9",
        "Event,Date\nMoon landing,1969-07-20\nMagna Carta,1215-06-15",
        "Timestamp,Your name?,A secret.\n9/3/2024 8:14:22 AM GMT+2,Ann,I yodel.\n9/4/2024 8:15:03 PM GMT+2,Bo,No",
        "Your e-mail,Where were you born?\nanna@example.org,Rome\nbo@example.org,Oslo",
        "お名前は？,好きな食べ物は？\n花子,寿司\n太郎,ラーメン",
    ],
)
def test_a_row_of_headings(text):
    found = rows(text)
    assert found.headings[0] == 1
    assert not found.notes


@pytest.mark.parametrize(
    "text",
    [
        "Mermaid,3,Draw two cards from the sea.\nPirate,2,Steal a coin from a neighbour.",
        "dog\ncat\nhouse",
        "1,Volcanic,Weapon,2\n2,Schofield,Weapon,2",
        "Startup,A young company that wants to grow quickly.\nFounder,Someone who helped to start it.",
        "move,left,490\nmove,right,500\nwait,left,510",
        "France,Paris\nSpain,Madrid\nItaly,Rome",
        "$3.50,Rope\n$4.20,Lamp",
        "Сколько будет дважды два?,4\nСколько дней в неделе?,7",
    ],
)
def test_a_first_row_that_looks_like_a_card_is_one_and_a_note_says_so(text):
    found = rows(text)
    assert found.headings is None
    assert next(number for number, _ in found.cards) == 1
    assert "(if it contains the headings: --headings)" in found.notes[0]
    assert rows(text, headings=True).headings[0] == 1
    assert not rows(text, headings=True).notes


@pytest.mark.parametrize("text", ["Fluss,Meer\nRhein,Nordsee\nPo,Adria", "Animal,Sound\nDog,Woof\nCat,Meow"])
def test_several_words_for_what_things_are_are_headings_with_a_note(text):
    assert rows(text).headings[0] == 1
    assert rows(text).notes == ["the first row was read as the headings (if it is a card: --no-headings)"]


@pytest.mark.parametrize(
    "text", ["animal,das Tier\nhouse,das Haus\ntree,der Baum", "Land,country\nTier,animal\nHaus,house"]
)
def test_such_words_beside_translations_are_a_card(text):
    assert rows(text).headings is None


def test_small_letters_above_small_letters_are_a_card():
    text = "der apfel,eine frucht\ndas brot,was man beim bäcker kauft\nder käse,aus milch und sehr lange gereift"
    assert rows(text).headings is None
    assert "(if it contains the headings: --headings)" in rows(text).notes[0]


def test_headings_above_longer_texts_are_noted_if_no_word_is_known():
    found = rows("Saga,Ausgang\nNjáls saga,Der Hof brennt mit allen ab\nEgils saga,Er wird alt und blind und stirbt")
    assert found.headings[0] == 1
    assert found.notes == ["the first row was read as the headings (if it is a card: --no-headings)"]


def test_headings_that_are_only_probable_are_noted():
    found = rows("Sword,Shield,Helmet\nAxe,Buckler,Cap\nBow,Quiver,Hood")
    assert found.headings[0] == 1
    assert found.notes == ["the first row was read as the headings (if it is a card: --no-headings)"]
    assert rows("Sword,Shield,Helmet\nAxe,Buckler,Cap", headings=False).headings is None


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("Name,Qty\nAxe,2\nBow,3\nTotal,5", "row 4 (a total)"),
        ("Name,Type,Qty\nAxe,Tool,2\nBow,Tool,3\n,,5", "row 4 (only numbers)"),
        ("Karte,Stk\nAxt,2\nBogen,3\nSumme:,5", "row 4 (a total)"),
        ("Name,Qty\nAxe,2\nName,Qty\nBow,3", "row 3 (repeated headings)"),
        (
            "Name,Qty,Text\nWEAPONS,,\nAxe,2,Hit.\nBow,3,Shoot.\nArmour:,,\nCap,1,Wear.",
            "rows 2, 5 (a section heading)",
        ),
        ("A,B,C,D,E\nDeath I,,,,\na,b,c,d,e\nf,g,h,i,j\nk,l,m,n,o\np,q,r,s,t\nu,v,w,x,y", "row 2 (a section heading)"),
        ("Название,Кол-во\nМеч,2\nЩит,3\nИтого,5", "row 4 (a total)"),
        ("Name,Kg,M\nAxe,2,4\nBow,3,5\nAverage,2.5,4.5", "row 4 (an average or the like)"),
        (
            "Name,Kg,Era" + "\nAxe,4,Iron" * 20 + "\nAwl,1,Iron\nMax,4,\nMin,1,\nØ,3.86,\nStdev,0.6,\nTotal,81,",
            "rows 23, 24, 25, 26 (an average or the like); row 27 (a total)",
        ),
        ("Nom,Prix\nLac,2.5 €\nMer,3 €\nMoyenne générale,2.75 €", "row 4 (an average or the like)"),
        ("Name,Cost\n# Weapons, for one or two hands\nAxe,2\n# more to do\nBow,3", "rows 2, 4 (a comment)"),
        (
            "Question,Answer,Created,Done\nWho?,Me,12 mars 2024 18:02,No\n,,13 mars 2024,No\nWhy?,So,1 mai 2024,Yes",
            "row 3 (only dates, numbers or ticks)",
        ),
        ("No,Question,Answer\n1,Who?,Me\n2,Why?,So\n3,,\n4,,", "rows 4, 5 (only numbers)"),
        ("Name,Text,\nAxe,Hit.,\n,,to do\nBow,Shoot.,", "row 3 (nothing below a heading)"),
        ("Colour,Hex\n#red\nred,#f00\ngreen,#0f0\nblue,#00f", "row 2 (a comment)"),
    ],
)
def test_rows_that_are_not_cards_are_left_out(text, left_out):
    found = rows(text)
    assert found.notes == [f"left out: {left_out} (--all-rows prints every row)"]
    assert len(rows(text, all_rows=True).cards) == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "Name,Cost\nTotal Recall,5\nSum of Parts,2",
        "Name,Cost,Text\nAxe,2,Hit.\nTotal,9,Add it all up.",
        "Rank,Suit\n1,Stars\n2,Stars\n3,Stars",
        "a,b\n1,2\n3,4",
        "Name,Age\nMia,9\nBo,5\nMax,9",
        "Name,Power,Text\nKing,9,Wins.\nDuke,6,Loses.\nCount,5,",
        "Name,Age,Kg\nMia,9,30\nBo,5,20\nMin,7,41",
        "Mood,Points\nAverage,5\nSplendid,9",
        "Name,Text\nJoker,\nAce,High.\nKing,Low.",
        "Name\nAXE\nBOW",
    ],
)
def test_cards_that_look_odd_stay(text):
    assert len(rows(text).cards) == text.count("\n")


def test_lines_of_other_programs_and_comments_are_skipped():
    assert rows("# my deck, v3\n#by Ada: draft\nName,Cost\n---,:---:\nAxe,2\n====,===\nBow,3").cards == [
        (5, ["Axe", "2"]),
        (7, ["Bow", "3"]),
    ]


@pytest.mark.parametrize("titles", ["My game", "My game\nLast edited 3 May", "My game\nVersion 3\nLast edited 3 May"])
def test_titles_above_the_headings_are_not_cards(titles):
    found = rows(f"{titles}\nName,Qty,Effect\nFarm,3,Gain 1 wheat.\nPort,1,Trade 2 for 1.")
    assert found.headings[1] == ["Name", "Qty", "Effect"]
    assert len(found.cards) == 2


@pytest.mark.parametrize("title", ["Would you rather …?", "Ideen", "Never have I ever", "IDEAS 2024", "Listing:"])
@pytest.mark.parametrize("gap", ["\n\n", "\n\n\n"])
def test_a_title_above_a_list_is_not_a_card(title, gap):
    assert [row[0] for _, row in rows(f"{title}{gap}fly\nbe rich\nsing well\ndance all night").cards] == [
        *("fly", "be rich", "sing well", "dance all night")
    ]


@pytest.mark.parametrize("text", ["fly\n\nrun\n\nsing\n\ndance", "fly\n\nrun", "fly\nrun\n\nsing\ndance"])
def test_blank_rows_between_cards_do_not_make_titles(text):
    assert len(rows(text).cards) == len([line for line in text.split("\n") if line])


@pytest.mark.parametrize(
    "text", ["Name,Text,Bard,Cleric\nHex,A curse.,Bard,\nAid,Help.,,Cleric", "id,effects,l\na,effects,l\nb,effects,l"]
)
def test_columns_that_repeat_their_headings_do_not_make_them_a_card(text):
    assert rows(text).headings is not None


def test_words_above_a_few_rows_with_commas_are_cards():
    found = rows("dog\ncat\nmouse\ncow\nred, green\nblue, black")
    assert len(found.cards) == 6


def test_lines_of_a_deck_list_are_not_headings():
    for text in ("3x Village\n2 × Throne Room\n10x Copper", "4 Bolt\n3 Island", "7 x 8\n6 x 9", "Dorf (3x)\nWald (2x)"):
        assert rows(text).headings is None
    assert rows("3x Village\nSmithy\nMoat").headings is None


def test_the_parts_of_a_deck_list_are_not_cards():
    found = rows("Deck\n4 Bolt\n20 Island\n1 Opt\nSideboard (2)\n2 Smash\n// Rest\n3x Duress")
    assert [number for number, _ in found.cards] == [2, 3, 4, 6, 8]
    assert found.notes[-1] == "left out: rows 1, 5, 7 (a section heading) (--all-rows prints every row)"
    assert len(rows("Deck\nSideboard\nCommander").cards) == 3


@pytest.mark.parametrize(
    "headings", ["Option A,Option B", "Side 1,Side 2", "Seite A,Seite B", "Word,Taboo 1,Taboo 2,Taboo 3", "textA,textB"]
)
def test_headings_that_count_up_are_headings(headings):
    found = rows(f"{headings}\nBe rich,Be famous,Fly,Run\nNo coffee,No tea,Sleep,Eat")
    assert (found.headings[0], found.notes) == (1, [])


def test_cards_that_count_up_are_cards():
    assert rows("Seat 1,Seat 2\nSeat 3,Seat 4\nSeat 5,Seat 6").headings is None


@pytest.mark.parametrize(
    "text",
    [
        "the fool,sun and dawn,the reversed fool\nthe tower,fire and fall,the reversed tower\n"
        "the moon,dream and fear,the reversed moon\nthe star,hope and calm,the reversed star",
        "gentil,kind\n" + "\n".join(f"mot{letter},word{letter}" for letter in "abcdefghijkl"),
        "雨,あめ,rain,Grade1\n右,みぎ,right,Grade1\n円,まる,circle,Grade1\n王,おう,king,Grade1",
    ],
)
def test_a_first_row_with_words_of_the_rows_below_is_a_card(text):
    assert rows(text).headings is None


TITLED = "Name,Cost,Type,Text\nAxe,2,Tool,Hit\nBow,3,Tool,Shoot"


@pytest.mark.parametrize(
    ("above", "notes"),
    [
        ("My deck,,,\nby Ada,,,\n", []),
        ("Cards,,,\n", []),
        ("Quiz,,,\nAdd questions.,,,\nHave fun!,,,\nSee below.,,,\n,,,\n", ["rows 1, 2, 3, 4 (above the headings)"]),
        ("Author:,Ada,,\nExported,2024-05-01,,\n", ["rows 1, 2 (above the headings)"]),
    ],
)
def test_whatever_is_above_the_headings_is_skipped(above, notes):
    found = rows(above + TITLED)
    assert found.headings[1] == ["Name", "Cost", "Type", "Text"]
    assert found.notes == [f"left out: {note} (--all-rows prints every row)" for note in notes]


def test_a_title_above_a_table_without_headings_is_named():
    found = rows("Joker,,\nAxe,2,Hit.\nBow,3,Shoot.")
    assert (found.headings, len(found.cards)) == (None, 2)
    assert "row 1 (above the table)" in found.notes[1]


def test_numbers_of_any_length_are_no_averages():
    assert not rows(f"Name,Kg\nAxe,2\nAverage,2.{'0' * 5000}").left_out
