"""Tables as they come: text files of every kind, spreadsheets, JSON and YAML, read as their authors see them."""

import json
import re

import pytest

from generator.errors import InputError, summary
from generator.faces.card_plans import answer
from generator.model.columns import roles_of
from generator.reading.load import load
from generator.reading.table_game import TableLook, described
from generator.tables.headings import identifier


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def deck(file, content=None):
    """The cards of a bare table, after writing its content."""
    return part(file, content).cards


def part(file, content=None):
    if isinstance(content, bytes):
        file.write_bytes(content)
    elif content is not None:
        file.write_text(content, newline="")
    return load(str(file)).components["cards"]


def rows(file, content=None):
    return [dict(card.values) for card in deck(file, content)]


def problems(file, content=None):
    with pytest.raises(InputError) as caught:
        deck(file, content)
    return [str(problem) for problem in summary(caught.value.problems)]


# ---- text files: separators and encodings


PLAIN = 'Name,Cost,Text\nDragon,5,"Fly, burn"\nGoblin,1,Steal\n'
CARDS = [{"name": "Dragon", "cost": "5", "text": "Fly, burn"}, {"name": "Goblin", "cost": "1", "text": "Steal"}]


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        'Name;Cost;Text\nDragon;5;"Fly, burn"\nGoblin;1;Steal\n',
        "Name;Cost;Text\nDragon;5;Fly, burn\nGoblin;1;Steal\n",
        "Name\tCost\tText\nDragon\t5\tFly, burn\nGoblin\t1\tSteal\n",
        "Name|Cost|Text\nDragon|5|Fly, burn\nGoblin|1|Steal\n",
        'sep=;\nName;Cost;Text\nDragon;5;"Fly, burn"\nGoblin;1;Steal\n',
        '"sep=,"\r\n' + PLAIN,
        "\ufeffsep=\t\nName\tCost\tText\nDragon\t5\tFly, burn\nGoblin\t1\tSteal\n",
        PLAIN.replace("\n", "\r"),
        PLAIN.replace("\n", "\r\n"),
        "\n\n" + PLAIN.replace("Goblin", "\n,,\nGoblin") + "\n,,\n",
        "Name,Cost,Text,,\nDragon,5,\"Fly, burn\",,\nGoblin,1,Steal\n",
        ",Name,Cost,Text\n,Dragon,5,\"Fly, burn\"\n,Goblin,1,Steal\n",
        "The Cards,,\nName,Cost,Text\nDragon,5,\"Fly, burn\"\nGoblin,1,Steal\n",
    ],
)  # fmt: skip
def test_any_form_of_text_gives_the_same_cards(folder, content):
    assert rows(folder / "cards.csv", content) == CARDS


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings_of_unicode(folder, encoding):
    content = "Name,Text\nÉlan,Größe ★\n".encode(encoding)
    loaded = part(folder / "cards.csv", content)
    assert dict(loaded.cards[0].values) == {"name": "Élan", "text": "Größe ★"}
    assert loaded.notes == ()


def test_windows_1252_is_read_with_a_note(folder):
    loaded = part(folder / "cards.csv", "Name,Text\nÉlan,Größe – “so”\n".encode("cp1252"))
    assert loaded.cards[0].text == "Größe – “so”"
    assert "not UTF-8, so it was read as Windows-1252" in loaded.notes[0]


def test_old_mac_files_are_read_with_a_note(folder):
    loaded = part(folder / "cards.csv", "Name,Text\rÉlan,Größe\r".encode("mac-roman"))
    assert loaded.cards[0].text == "Größe"
    assert "Mac OS Roman" in loaded.notes[0]


def test_a_heading_in_quotation_marks_may_contain_the_separator(folder):
    content = '"Name, full";"Cost, in gold"\nDragon;5\nGoblin;1\n'
    assert rows(folder / "cards.csv", content)[0] == {"name_full": "Dragon", "cost_in_gold": "5"}


def test_a_single_column_may_contain_commas(folder):
    assert rows(folder / "words.csv", "Word\nHello, world\nGood-bye\n") == [
        {"word": "Hello, world"},
        {"word": "Good-bye"},
    ]


def test_line_breaks_inside_quotation_marks_stay(folder):
    cards = deck(folder / "cards.csv", 'Name,Text\r\nDragon,"Fly.\r\nBurn."\r\nGoblin,Steal\r\n')
    assert cards[0].text == "Fly.\nBurn."
    assert [card.place.line for card in cards] == [2, 4]


def test_tabs_without_quoting_as_google_saves_them(folder):
    assert rows(folder / "cards.tsv", 'Name\tText\nDragon\t"Fly" or burn\n') == [
        {"name": "Dragon", "text": '"Fly" or burn'}
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "Name,Text\nDragon,Fly,burn\n",
            "cards.csv:2: this row has 3 values, but there are 2 columns; quote any text that contains a comma",
        ),
        ('Name,Text\nDragon,"Fly\nGoblin,Steal\n', "cards.csv:2: this quotation mark is never closed"),
        ('Name,Text\nDragon,"Fly" or burn\nOgre,"Hit\n."\n', "cards.csv:2: there is text after"),
        ("", "cards.csv: this table is empty; put the headings in the first row"),
        ("\n,,\n", "cards.csv: this table is empty"),
        ("Name,Text\n", "cards.csv:1: this deck has no cards"),
        (b"PK\x03\x04rest", "cards.csv: this is a spreadsheet or another zip file, not text"),
        (b"\xd0\xcf\x11\xe0rest", "cards.csv: this is an old Excel file (.xls)"),
        (b"Name\n\x81\x8d\n", "cards.csv: not UTF-8 or UTF-16, and its encoding is not certain; state it, for"),
        ("Name,Text\nDragon,#REF!\nOgre,#REF!\n",
        "cards.csv:2: the formula in this cell gives the error #REF! (also on line 3)"), ("Name,Qty\nA,many\n",
        "cards.csv:2: “Qty” must be from 0 to 1,000, not “many”"),
    ],
)  # fmt: skip
def test_problems_of_text_files_are_reported(folder, content, message):
    (line,) = problems(folder / "cards.csv", content)
    assert message in line


def test_commas_before_spaces_belong_to_texts(folder):
    found = part(folder / "cards.csv", "Name,Text,Cost\nDragon,Fly, burn, and rest,3\nGoblin,Steal,1\n")
    assert [card.values["text"] for card in found.cards] == ["Fly, burn, and rest", "Steal"]
    assert found.notes == ("extra commas were read as part of the text: line 2",)


def test_cells_may_be_quoted_after_a_space(folder):
    found = rows(folder / "cards.csv", 'Name, Text\nDragon, "Fly, burn"\nGoblin, "Steal"\n')
    assert found == [{"name": "Dragon", "text": "Fly, burn"}, {"name": "Goblin", "text": "Steal"}]


def test_texts_from_anki_state_their_headings(folder):
    anki = "#separator:tab\n#html:true\n#columns:Front\tBack\n"
    assert rows(folder / "cards.txt", anki + "dog\tHund\ncat\tKatze\n")[0] == {"front": "dog", "back": "Hund"}


def test_texts_from_anki_without_headings_have_two_sides(folder):
    anki = "#separator:Semicolon\n#html:false\n#deck column:1\n#tags column:5\n"
    found = part(folder / "cards.txt", anki + "Latin;canis;dog;noun;pets\nLatin;felis;cat;noun;pets wild\n")
    assert (found.columns.front, found.columns.back) == ("front", "back")
    assert [(column.name, column.label) for column in found.columns.rest] == [("field_4", "")]
    assert "“Anki deck”, “Anki tags”" in found.notes[0]
    assert [card.place.line for card in found.cards] == [5, 6]


@pytest.mark.parametrize(
    "content",
    [
        "Year,Event\n1066,Battle of Hastings\n1215,Magna Carta\n1969,Moon landing\n",
        "Rok;Udalosť\n1526;Bitka pri Moháči\n1969;Pristátie na Mesiaci\n",
        "Exercice,Niveau,Corrigé\n3 + 4,facile,7\n8 × 7,moyen,56\n",
        "Base form,Past tense,Past participle\ngo,went,gone\nsee,saw,seen\n",
        "الكلمة,النوع,الترجمة\nقلم,اسم,pen\nذهب,فعل,to go\n",
        "Úloha;Řešení\n2 + 2;4\n3 · 3;9\n",
    ],
)
def test_more_headings_of_two_sides(folder, content):
    found = part(folder / "cards.csv", content)
    first, *_, last = re.split("[,;]", content.splitlines()[0].lower())
    names = found.columns.front, found.columns.back
    assert names in ((identifier(first), identifier(last)), ("base_form", "past_tense"))


def test_dates_of_events_with_more_are_facts(folder):
    found = part(folder / "cards.csv", "Date,Event,Place\n1 May,Picnic,Park\n2 May,Concert,Hall\n3 May,Fair,Square\n")
    assert found.columns.front is None


def test_lists_side_by_side_are_cards_with_their_headings_as_types(folder):
    found = part(folder / "cards.csv", "easy,hard,weird\nsun,justice,zebra\ndog,irony,glue\n,debt,\n")
    titles = [(card.values[found.columns.title], card.values[found.columns.type]) for card in found.cards]
    assert titles[:3] == [("sun", "easy"), ("dog", "easy"), ("justice", "hard")]
    assert len(titles) == 7


def test_a_text_after_a_closing_quotation_mark_belongs_to_its_cell(folder):
    found = part(folder / "cards.csv", 'Name,Text\nDragon,"Fly" or burn\nGoblin,"Steal";\n')
    assert [card.values["text"] for card in found.cards] == ["Fly or burn", "Steal;"]
    assert found.notes == ("line 2: the text after a closing quotation mark was read as part of the cell",)


def test_of_several_texts_without_a_title_the_shorter_is_the_title(folder):
    columns = part(
        folder / "cards.csv", "class,ability,description\nscout,phase,Pass a wall.\nmage,bolt,Hit all."
    ).columns
    assert (columns.title, columns.rules) == ("ability", "description")


def test_a_first_row_whose_words_appear_again_is_a_card(folder):
    rows = "Airplane,Noun,Flying,Mime\nAirplane,Noun,Flying,Show\nBed,Noun,Sleeping,Act\nBird,Verb,Flying,Mime"
    assert len(part(folder / "cards.csv", rows).cards) == 4


def test_columns_without_a_heading_are_left_out_with_a_note(folder):
    loaded = part(folder / "cards.csv", "Name,,Text\nDragon,remark,Fly\n")
    assert dict(loaded.cards[0].values) == {"name": "Dragon", "text": "Fly"}
    assert loaded.notes == ("left out, because it has no heading: column B",)


def test_short_rows_are_blank_at_the_end(folder):
    assert rows(folder / "cards.csv", "Name,Cost,Text\nDragon\n") == [{"name": "Dragon", "cost": None, "text": None}]


def test_words_that_yaml_treats_as_blank_are_texts_in_a_table(folder):
    assert [card.name for card in deck(folder / "cards.csv", "Name,Cost\nnull,1\n~,2\n.,3\nno,4\n")] == [
        "null",
        "~",
        ".",
        "no",
    ]


# ---- reserved names


@pytest.mark.parametrize(
    "heading",
    [
        *("Copies", "QTY", "Quantity", "count", "Number of copies", "x", "Amount"),
        *("Times", "Mal", "fois", "veces", "Häufigkeit", "раз", "razy", "krát", "次数", "Volte", "gånger", "φορές"),
    ],
)
def test_copies_in_any_spelling(folder, heading):
    cards = deck(folder / "cards.csv", f"Name,{heading}\nDragon,3\nGoblin,x2\nOgre,\nElf,1.0\n")
    assert [card.name for card in cards] == ["Dragon"] * 3 + ["Goblin"] * 2 + ["Ogre", "Elf"]
    assert set(cards[0].values) == {"name"}


@pytest.mark.parametrize(
    ("content", "titles"),
    [
        ("4 Bolt\n2 Island\n1 Jace, the Mind Sculptor\n", {"Bolt": 4, "Island": 2, "Jace, the Mind Sculptor": 1}),
        ("Karte\n4x Bolt\n2 × Island\n", {"Bolt": 4, "Island": 2}),
        ("Name,Text\n4x Bolt,Burn\nIsland,Tap\n3×Opt,Draw\n", {"Bolt": 4, "Island": 1, "Opt": 3}),
        ("Dorf (3x)\nSchmiede x2\nMoat\nWald ×4\n", {"Dorf": 3, "Schmiede": 2, "Moat": 1, "Wald": 4}),
        ("3xVillage\n2* Smithy\n", {"Village": 3, "Smithy": 2}),
    ],
)
def test_copies_in_titles_are_read_with_a_note(folder, content, titles):
    loaded = part(folder / "cards.csv", content)
    name = loaded.columns.title
    counts = {title: sum(card.values[name] == title for card in loaded.cards) for title in titles}
    assert (counts, len(loaded.cards)) == (titles, sum(titles.values()))
    heading = loaded.columns.headings[name]
    assert f'are read as copies (if they belong to the titles: --columns "{heading}=title")' in loaded.notes[-1]


@pytest.mark.parametrize(
    ("content", "count"),
    [
        ("Name,Text\n4 Bolt,Burn\n2 Island,Tap\n", "4x Bolt"),
        ("1 Apple\n2 Banana\n3 Cherry\n", "1x Apple"),
        ("Title,Year\n12 Monkeys,1995\n8 Mile,2002\nHeat,1995\n", "12x Monkeys"),
        ("7 Wonders\nAzul\n5 Minute Dungeon\nHanabi\n", "7x Wonders"),
    ],
)
def test_numbers_in_titles_that_may_be_copies_are_printed_with_a_note(folder, content, count):
    loaded = part(folder / "cards.csv", content)
    assert all(card.copies == 1 for card in loaded.cards)
    assert f"are printed (if they are copies, write “{count}”)" in loaded.notes[-1]


@pytest.mark.parametrize(
    "content",
    [
        "Name,Suit\n2 of Hearts,H\n3 of Hearts,H\n2 of Spades,S\n",
        "Name\n5 Gold\n10 Gold\n20 Gold\n",
        "Name,Qty\n4 Seasons,2\n12 Angry Men,1\n",
        "Game\nMega Man X2\nMega Man X3\nMega Man X4\n",
        "Size\n3XL Shirt\n2XL Shirt\nXL Shirt\n",
        "Game\n7 Wonders\nAzul\nCatan\n",
    ],
)
def test_other_numbers_in_titles_are_not_copies(folder, content):
    assert not any("copies" in note for note in part(folder / "cards.csv", content).notes)


def test_a_title_may_begin_with_a_number(folder):
    (folder / "cards.csv").write_text("Name\n4x Bolt\n2x Island\n")
    loaded = load(str(folder / "cards.csv"), look=TableLook(columns="Name=title")).components["cards"]
    assert [card.title for card in loaded.cards] == ["4x Bolt", "2x Island"]
    assert loaded.notes == ()


def _found(folder, content):
    """The columns of a table by their roles, the other columns, and how these were left out."""
    found = part(folder / "cards.csv", content)
    return roles_of(found.columns), [column.name for column in found.columns.rest], found


def test_colours_as_codes_colour_the_cards(folder):
    roles, rest, found = _found(folder, "Name,Back colour\nA,#ff0\nB,#00ff00\n")
    assert (roles, rest, found.columns.colour) == ({"title": "name"}, [], "back_colour")


def test_playing_cards_with_numbers_for_their_suits(folder):
    lines = (
        f"{suit},{name},{rank},{'A23'[rank - 1]}" for suit, name in enumerate(("clubs", "hearts")) for rank in (1, 2, 3)
    )
    roles, rest, _ = _found(folder, "\n".join(["suit,suit_display,value,value_display", *lines]))
    assert (roles, rest) == ({"suit": "suit_display", "rank": "value_display"}, [])


def test_playing_cards_without_headings(folder):
    lines = [f"{suit},{rank}" for suit in ("hearts", "spades") for rank in (13, 9, 6)]
    assert _found(folder, "\n".join(lines))[0] == {"suit": "a", "rank": "b"}
    lines = [f"{suit},{name},Move as {name} does." for suit in ("hearts", "spades") for name in ("King", "Jack", "Two")]
    assert _found(folder, "\n".join(lines))[0] == {"title": "b", "rules": "c", "suit": "a"}


def test_numbers_with_many_decimals_are_for_programs(folder):
    roles, rest, _ = _found(folder, "Place,Lat,Lng,Height\nA,48.8804003,2.3549733,3.25\nB,6.4733311,3.1996447,4.5\n")
    assert (roles, rest) == ({"title": "place"}, ["height"])


@pytest.mark.parametrize(
    ("headings", "named"), [("Front,Back", False), ("Words,Meaning", False), ("English,Deutsch", True)]
)
def test_headings_of_sides_that_say_nothing_are_not_printed(folder, headings, named):
    assert part(folder / "cards.csv", f"{headings}\ndog,Hund\ncat,Katze").columns.named_sides == named


def test_without_headings_what_repeats_is_the_type_and_row_numbers_are_left_out(folder):
    lines = [f"{'WILD' if row < 6 else 'HERO'},{row},{row // 2}" for row in range(1, 10)]
    roles, rest, found = _found(folder, "\n".join(lines))
    assert (roles, rest) == ({"title": "c", "type": "a"}, [])
    assert 'it only numbers the rows: “B” (--columns "B=+" prints it)' in found.notes[-1]


def test_without_headings_texts_stay_in_order(folder):
    lines = [
        f"{word},{'nv'[word[0] > 'l']},the meaning of {word} is this,he used {word} only once"
        for word in ("run", "hop", "sit", "lie", "tie", "dye")
    ]
    roles, rest, found = _found(folder, "\n".join(lines))
    assert (roles, rest) == ({"title": "a", "type": "b", "rules": "c"}, ["d"])
    assert found.columns.rest[0].long


@pytest.mark.parametrize("answers", ["012", "123", "abc"])
def test_a_quiz_may_count_its_options_without_headings(folder, answers):
    lines = [f"Which of these is number {n}?,red {n},blue {n},green {n},{answers[n]}" for n in range(3)]
    roles, _, found = _found(folder, "\n".join(lines))
    assert (roles, len(found.columns.options)) == ({"front": "a", "back": "e"}, 3)
    assert found.columns.first_option == (answers != "012" and 1)


def test_the_options_of_a_quiz_are_right_of_the_question(folder):
    lines = [f"Maths,Algebra,What is number {n}?,{n},{n}1,{n}2,{'ABC'[n]}" for n in range(3)]
    roles, rest, found = _found(folder, "\n".join(["area,field,asked,o1,o2,o3,solution", *lines]))
    assert ([column.name for column in found.columns.options], roles["back"]) == (["o1", "o2", "o3"], "solution")
    assert rest == ["area", "field"]


@pytest.mark.parametrize(
    ("content", "sides"),
    [
        ("begriff,uebersetzung,lektion\nab,von,16\nad,zu,17\n", ("begriff", "uebersetzung")),
        (
            "Phrasal verb,Example,Traduzione-IT\nadd up,It adds up.,tornare\nask for,Ask for it.,chiedere\n",
            ("phrasal_verb", "traduzione_it"),
        ),
        ("No,Reading,Meaning,Level\n1,ichi,one,N5\n3,ni,two,N5\n", ("reading", "meaning")),
        ("Name,Meaning,Element\nThe Fool,New beginnings,Air\nThe Sun,Joy,Fire\n", (None, None)),
        ("English,Kana,Kanji\nyes,はい,n/a\nno,いいえ,n/a\ncat,ねこ,猫\n", ("english", "kana")),
        ("unit,一,one\nunit,二,two\nunit,三,three\nunit,四,four", ("b", "c")),
    ],
)
def test_words_and_their_translations_are_two_sides(folder, content, sides):
    columns = part(folder / "cards.csv", content).columns
    assert (columns.front, columns.back) == sides


def test_a_question_may_contain_commas(folder):
    found = part(
        folder / "cards.csv", "Question,A,B,Answer\nRed, blue,or green?,red,blue,red\nTwo,or three?,2,3,2\nWhy?,x,y,x\n"
    )
    assert [card.question for card in found.cards] == ["Red, blue,or green?", "Two,or three?", "Why?"]


def test_the_name_of_one_language_is_a_side(folder):
    assert _found(folder, "Deutsch,Grundform,Past\ngehen,go,went\nsehen,see,saw\n")[:2] == (
        {"front": "deutsch", "back": "grundform"},
        ["past"],
    )


def test_a_picture_that_all_cards_lack_is_left_out(folder):
    roles, _, found = _found(folder, "Name,Image\n" + "".join(f"Card {letter},none.png\n" for letter in "ABCDEFGH"))
    assert roles == {"title": "name"}
    assert "it names pictures, but none of them is in the table’s folder or can be printed" in found.notes[-1]


def test_lines_that_end_within_a_sentence_are_joined(folder):
    (card,) = deck(
        folder / "cards.csv",
        'Name,Text\nA,"They have heard that someone is digging there\n   around the old tower.\n   - Go."\n',
    )
    assert card.text == "They have heard that someone is digging there around the old tower.\n- Go."


def test_numbers_that_are_mostly_zeros_are_printed_without_them(folder):
    columns = part(folder / "cards.csv", "Name,Wood,Ore,Clay,Cost\nA,0,0,1,0\nB,2,0,0,2\nC,0,1,0,3\n").columns
    assert [column.name for column in columns.rest if column.sparse] == ["wood", "ore", "clay"]


def test_a_title_that_most_cards_lack_is_not_the_title(folder):
    assert _found(folder, "Card,Title,Orb\nStar,,Sun\nSix,Science,Sun\nMoon,,Mars\n")[0]["title"] == "card"


def test_taboo_words_have_no_labels(folder):
    columns = part(folder / "cards.csv", "Word,Taboo 1,Taboo 2\nBeach,sand,sea\nDog,bark,cat\n").columns
    assert [(column.name, column.label) for column in columns.rest] == [("taboo_1", ""), ("taboo_2", "")]


def test_headings_in_other_languages_are_understood(folder):
    (card, *others) = deck(folder / "karten.csv", "Karte;Anzahl;Art;Text\nDrache;3;Monster;Fliegt.\n")
    assert (len(others), card.karte, set(card.values)) == (2, "Drache", {"karte", "art", "text"})
    understood = part(folder / "karten.csv").columns
    assert (understood.title, understood.type, understood.image) == ("karte", "art", None)


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (
            "Name,Qty of decks\nA,3\nB,2\n",
            '“Qty of decks” is printed on the cards (if it is the number of copies: --columns "Qty of decks=copies")',
        ),
        ("Name,Count\nA,3\nB,many\n", "“Count” is not read as the number of copies, as one value is “many” (line 3)"),
        ("Name,Word Count\nA,long\nB,short\n", None),
        ("Name,Copies,Word Count\nA,2,3\n", None),
    ],
)
def test_a_column_that_looks_like_the_number_of_copies_is_not_ignored_silently(folder, content, note):
    assert part(folder / "cards.csv", content).notes == ((note,) if note else ())


def test_a_count_that_is_not_a_number_is_an_ordinary_column(folder):
    assert rows(folder / "cards.csv", "Name,Count\nDragon,2d6\n") == [{"name": "Dragon", "count": "2d6"}]


def test_coordinates_are_not_copies(folder):
    assert rows(folder / "cards.csv", "Name,x,y\nDragon,2,3\n") == [{"name": "Dragon", "x": "2", "y": "3"}]


def test_a_number_that_repeats_is_not_an_id(folder):
    cards = deck(folder / "cards.csv", "No,Name\n1,A\n1,B\n")
    assert [card.id for card in cards] == ["1", "2"]
    assert [card.no for card in cards] == ["1", "1"]


def test_ids_are_found_and_blank_ones_are_positions(folder):
    assert [card.id for card in deck(folder / "cards.csv", "ID,Name\nmoon,A\n,B\n")] == ["moon", "2"]


def test_ids_with_gaps_are_printed_and_others_are_named(folder):
    shirts = part(folder / "players.csv", "Nr,Player,Goals\n1,Ann,0\n4,Ben,2\n9,Cat,7\n")
    assert [column.label for column in shirts.columns.rest] == ["Nr", "Goals"]
    codes = part(folder / "codes.csv", "Key,Name,Goals\na7,Ann,0\nb2,Ben,2\nc9,Cat,7\n")
    assert codes.notes == ('not printed, because it contains the cards’ ids: “Key” (--columns "Key=+" prints it)',)
    counted = part(folder / "counted.csv", "Nr,Name,Goals\n5,Ann,0\n6,Ben,2\n7,Cat,7\n")
    assert counted.notes == ('not printed, because it only numbers the cards: “Nr” (--columns "Nr=+" prints it)',)
    groups = part(folder / "quartet.csv", "Nr,Car,Year\nA1,Beetle,1973\nA2,Duck,1970\nB1,Mini,1959\n")
    assert [column.label for column in groups.columns.rest] == ["Nr", "Year"]
    with pytest.raises(InputError, match="this deck has no cards"):
        part(folder / "blank.csv", "Nr,Name,Goals\n")
    assert part(folder / "long.csv", f"Nr,Name,Goals\n{'9' * 5000},Ann,0\n4,Ben,2\n").cards


def test_ids_that_repeat_are_reported_in_a_deck_with_fields(folder):
    table = "id,Name\n1,A\n1,B\n"
    (line,) = own_problems(folder, "cards.yaml", cards_yaml="fields: {name: {}}\ntable: cards.csv\n", cards_csv=table)
    assert "cards.csv:3: two cards have the id “1”; the first is on line 2" in line
    bare = part(folder / "bare.csv", table)
    assert [card.id for card in bare.cards] == ["1", "2"]
    assert bare.notes == ("“id” does not identify the cards, because “1” appears more than once",)
    assert not bare.columns.rest


def test_columns_called_like_attributes_of_a_card(folder):
    content = "Title,values,place,back,face,component,game\nA,1,2,3,4,5,6\n"
    assert rows(folder / "cards.csv", content)[0]["values"] == "1"
    assert not part(folder / "cards.csv").columns.own_back


def test_headings_that_repeat_are_numbered(folder):
    assert rows(folder / "cards.csv", "Name,Text,Text\nA,one,two\n") == [{"name": "A", "text": "one", "text_2": "two"}]


# ---- cards.yaml and game.yaml


GAME = """title: Own
players: 2
components:
  cards: {kind: deck, title: Cards, cards: %s, face: standard}
"""


def own(folder, cards, **files):
    """The cards of a game with these files."""
    (folder / "game.yaml").write_text(GAME % cards)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return load(str(folder)).components["cards"].cards


def own_problems(folder, cards, **files):
    with pytest.raises(InputError) as caught:
        own(folder, cards, **files)
    return [str(problem) for problem in summary(caught.value.problems)]


@pytest.mark.parametrize("name", ["cards.xls", "cards.docx", "cards.numbers"])
def test_formats_that_cannot_be_read_are_named(folder, name):
    (folder / name).write_bytes(b"\xd0\xcf")
    for file in (name, "cards.yaml"):
        (line,) = own_problems(folder, file, cards_yaml=f"table: {name}\n")
        advice = "copy its table into a spreadsheet, and save that" if name.endswith("docx") else "save it"
        assert f"{name} is not a table of cards that can be read; {advice} as .xlsx, .ods or .csv" in line


def test_a_deck_may_name_its_table_in_game_yaml(folder):
    cards = own(folder, "cards.csv", cards_csv="Name,Qty\nDragon,2\n")
    assert [card.name for card in cards] == ["Dragon", "Dragon"]


def test_undeclared_columns_are_texts_and_declared_ones_keep_their_names(folder):
    cards = own(
        folder,
        "cards.yaml",
        cards_yaml="fields: {light: {kind: number}, rulesText: {}}\ntable: cards.csv\n",
        cards_csv="Title,LIGHT,Rules text,Extra\nA,5,Go,no\n",
    )
    assert dict(cards[0].values) == {"light": 5, "rulesText": "Go", "title": "A", "extra": "no"}


def test_a_declared_field_of_a_reserved_name_counts_too(folder):
    cards = own(
        folder,
        "cards.yaml",
        cards_yaml="fields: {Copies: {kind: number}, id: {kind: text}}\ntable: cards.csv\n",
        cards_csv="id,Copies\na,2\nb,1\n",
    )
    assert [(card.id, card.values["id"], card.Copies) for card in cards] == [
        ("a", "a", 2),
        ("a", "a", 2),
        ("b", "b", 1),
    ]


def test_a_declared_count_is_only_a_field(folder):
    cards = own(folder, "cards.yaml", cards_yaml="fields: {count: {kind: number}}\ntable: cards.csv\n",
                cards_csv="Name,Count\nA,3\n")  # fmt: skip
    assert [card.count for card in cards] == [3]


def test_columns_can_be_renamed(folder):
    cards = own(
        folder,
        "cards.yaml",
        cards_yaml="table: {file: cards.csv, columns: {title: Karte, copies: Anzahl, id: Nummer}}\n",
        cards_csv="Nummer,Karte,Anzahl\nx,Drache,2\n",
    )
    assert [(card.id, dict(card.values)) for card in cards] == [("x", {"title": "Drache"})] * 2


def test_a_renamed_column_does_not_hide_another(folder):
    cards = own(
        folder,
        "cards.yaml",
        cards_yaml="table: {file: cards.csv, columns: {name: Karte}}\n",
        cards_csv="Name,Karte\nDragon,Drache\n",
    )
    assert dict(cards[0].values) == {"name_2": "Dragon", "name": "Drache"}


def test_renamed_columns_have_the_meaning_of_their_names(folder):
    own(
        folder,
        "cards.yaml",
        cards_yaml="fields: {tags: {list: true}}\ntable: {file: cards.csv, columns: {title: Karte, power: Cost}}\n",
        cards_csv="Karte,Cost,Tags\nDrache,2,x\n",
    )
    columns = load(str(folder)).components["cards"].columns
    assert (columns.title, columns.cost) == ("title", None)
    assert [(column.name, column.label) for column in columns.rest] == [("power", "Cost"), ("tags", "Tags")]


def test_a_renamed_column_must_exist(folder):
    (line,) = own_problems(
        folder,
        "cards.yaml",
        cards_yaml="table:\n  file: cards.csv\n  columns: {copies: Anzal}\n",
        cards_csv="Karte,Anzahl\nDrache,2\n",
    )
    assert line == "cards.yaml:2: “columns”: there is no column “Anzal”; did you mean Anzahl?"


def test_misspelt_headings_of_declared_fields_are_reported(folder):
    lines = own_problems(
        folder,
        "cards.yaml",
        cards_yaml="fields: {title: {}, colour: {}}\ntable: cards.csv\n",
        cards_csv="Titel,Color,Extra\nA,red,1\n",
    )
    assert lines == [
        "cards.csv:1: unknown field “Titel”; did you mean title?",
        "cards.csv:1: unknown field “Color”; did you mean colour?",
    ]


def test_a_misspelt_key_of_one_card_is_reported(folder):
    lines = own_problems(
        folder,
        "cards.yaml",
        cards_yaml="fields: {title: {}}\ncards:\n  - {title: A, note: x}\n  - {titel: B}\n",
    )
    assert lines == ["cards.yaml:4: unknown field “titel”; did you mean title?"]


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["Action, Academic", "Action"], [("Action", "Academic"), ("Action",)]),
        (["Big City; Town", "Old Inn"], [("Big City", "Town"), ("Old Inn",)]),
        (["Big City|Town, old", "Old Inn"], [("Big City", "Town, old"), ("Old Inn",)]),
        (["red gold", "blue"], [("red", "gold"), ("blue",)]),
        (["", "a,,b,"], [(), ("a", "b")]),
    ],
)
def test_the_separator_of_a_list_is_recognised(folder, cells, values):
    table = "Name\tTags\n" + "".join(f"A\t{cell}\n" for cell in cells)
    cards = own(folder, "cards.yaml", cards_yaml="fields: {tags: {list: true}}\ntable: cards.tsv\n", cards_tsv=table)
    assert [card.tags for card in cards] == values


def test_the_separator_can_be_stated(folder):
    cards = own(folder, "cards.yaml",
    cards_yaml="fields: {tags: {list: true}}\ntable: {file: cards.csv, separator: /}\n",
                cards_csv='Name,Tags\nA,"x, y / z"\n')  # fmt: skip
    assert cards[0].tags == ("x, y", "z")


def test_a_declared_back_is_a_text_if_there_is_a_front(folder):
    own(
        folder,
        "cards.yaml",
        cards_yaml="fields: {front: {}, back: {}}\ntable: cards.csv\n",
        cards_csv="front,back\na,b\n",
    )
    columns = load(str(folder)).components["cards"].columns
    assert (columns.front, columns.back, columns.own_back) == ("front", "back", False)


# ---- JSON and YAML


@pytest.mark.parametrize(
    "data",
    [
        [{"name": "Dragon", "cost": 5, "tags": ["fire", "air"]}, {"name": "😀", "rare": True, "cost": None}],
        {"cards": [{"name": "Dragon", "cost": 5, "tags": ["fire", "air"]}, {"name": "😀", "rare": True}]},
        {"set": "Base", "deck": [{"name": "Dragon", "cost": 5, "tags": ["fire", "air"]}, {"name": "😀", "rare": True}]},
    ],
)
@pytest.mark.parametrize("indent", [None, 2, "\t"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_json_as_programs_write_it(folder, data, indent, ascii_only):
    cards = rows(folder / "cards.json", json.dumps(data, indent=indent, ensure_ascii=ascii_only))
    assert cards == [
        {"name": "Dragon", "cost": "5", "tags": "fire, air", "rare": None},
        {"name": "😀", "cost": None, "tags": None, "rare": "true"},
    ]


def test_json_lists_are_lists_if_they_are_declared(folder):
    cards = own(folder, "cards.yaml", cards_yaml="fields: {tags: {list: true}}\ntable: {file: cards.json}\n",
                cards_json='[{"tags": ["big city", "town"]}]')  # fmt: skip
    assert cards[0].tags == ("big city", "town")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"name": "A"}, [5]]', "cards.json:1: a card must be a mapping"),
        ('[{"name": "A"}', "not readable as JSON"),
        ("[" * 100_000, "nested more than 40 levels deep"),
        ("5", "must be written with its keys: fields, columns, cards, table"),
    ],
)
def test_problems_of_json_files_are_reported(folder, content, message):
    assert message in problems(folder / "cards.json", content)[0]


def test_a_yaml_list_is_a_table_too(folder):
    assert rows(folder / "cards.yaml", "- {name: Dragon, cost: 5}\n- {name: Goblin}\n") == [
        {"name": "Dragon", "cost": "5"},
        {"name": "Goblin", "cost": None},
    ]


# ---- folders


def test_a_folder_with_one_table_needs_no_game_yaml(folder):
    (folder / "cards.csv").write_text(PLAIN)
    (folder / "notes.txt").write_text("buy milk")
    (folder / ".~lock.cards.csv#").write_text("")
    assert len(load(str(folder)).components["cards"].cards) == 2


def test_of_several_tables_one_must_be_named(folder):
    for name in ("a.csv", "b.xlsx"):
        (folder / name).write_text(PLAIN)
    with pytest.raises(InputError, match=r"has no game\.yaml, and 2 tables: a\.csv, b\.xlsx; print one of them"):
        load(str(folder))


# ---- tables of other programs


@pytest.mark.parametrize(
    "data",
    [
        {"object": "list", "data": [{"name": "Axe", "cost": 2}, {"name": "Bow", "cost": 3}]},
        {"axe": {"name": "Axe", "cost": 2}, "bow": {"name": "Bow", "cost": 3}},
        {"game": {"version": 2, "deck": {"cards": [{"name": "Axe", "cost": 2}, {"name": "Bow", "cost": 3}]}}},
        {"tools": [{"name": "Axe", "cost": 2}], "weapons": [{"name": "Bow", "cost": 3}]},
    ],
)
def test_json_in_other_shapes(folder, data):
    assert rows(folder / "cards.json", json.dumps(data)) == [
        {"name": "Axe", "cost": "2"},
        {"name": "Bow", "cost": "3"},
    ]


def test_texts_and_nested_values_in_json(folder):
    assert rows(folder / "cards.json", '["Bees?", "Rain"]') == [{"text": "Bees?"}, {"text": "Rain"}]
    nested = [{"name": "Axe", "stats": {"hit": 3}, "uses": [{"a": [{"b": 1}]}]}]
    loaded = part(folder / "cards.json", json.dumps(nested))
    assert dict(loaded.cards[0].values) == {"name": "Axe", "stats_hit": "3"}
    assert loaded.notes == ("left out, because they contain lists or too many values: “uses”",)


@pytest.mark.parametrize(
    ("content", "roles"),
    [
        ("Row,Monster,Attack\n1,Goblin,2\n2,Orc,4\n", {"title": "monster"}),
        ("Edition,Question\nBase,Who?\nBase,What?\n", {"title": "question"}),
        (",Label,Remark\n,Moon,It is far away.\n,Sun,It is rather hot.\n", {"front": "label", "back": "remark"}),
        ("Event,Date\nMoon landing,1969-07-20\nMagna Carta,1215-06-15\n", {"front": "event", "back": "date"}),
        ("Code,Ship Name,Ship Class\nA1,Argo,Galley\nA2,Bounty,Brig\n", {"title": "ship_name", "type": "ship_class"}),
        ("Nazwa,Ilość,Koszt,Opis\nMiecz,2,3,Tnie.\n", {"title": "nazwa", "cost": "koszt", "rules": "opis"}),
        ("名称,数量,费用,效果\n剑,2,3,攻击。\n", {"title": "名称", "cost": "费用", "rules": "效果"}),
    ],
)
def test_the_meaning_of_columns_comes_from_headings_and_cells(folder, content, roles):
    assert roles_of(part(folder / "cards.csv", content).columns) == roles


@pytest.mark.parametrize("more", ["cost", "attack"])
def test_ids_that_are_the_only_names_are_also_the_titles(folder, more):
    cards = {"Fire Ball": {more: 3, "text": "Burn."}, "Shield": {more: 1, "text": "Block."}}
    loaded = part(folder / "cards.json", json.dumps(cards))
    assert [card.id for card in loaded.cards] == ["Fire Ball", "Shield"]
    assert [card.values[loaded.columns.title] for card in loaded.cards] == ["Fire Ball", "Shield"]
    assert not part(folder / "cards.csv", f"id,{more},text\nA1,3,Burn.\nA2,1,Block.\n").columns.title
    loaded = part(folder / "cards.csv", f"id,Monster,{more}\ngob,Goblin,3\norc,Orc,1\n")
    assert loaded.columns.title == "monster"


def test_sentences_without_a_known_heading_are_long_texts(folder):
    columns = part(
        folder / "cards.csv",
        "Piece,Points,Clue\nBike,2,You may ride once more.\nTulip,1,Swap with a neighbour.\n",
    ).columns
    assert [(column.label, column.long) for column in columns.rest] == [("Points", False), ("Clue", True)]


def test_the_options_of_a_quiz(folder):
    columns = part(folder / "quiz.csv", "Question,A,B,C,Answer\nBig?,x,y,z,A\nSmall?,u,v,w,B\n").columns
    assert [column.name for column in columns.options] == ["a", "b", "c"]
    columns = part(
        folder / "quiz.csv", "Question;Option 1;Option 2;Correct;Level\nBig?;x;y;x;2\nOld?;u;v;v;3\n"
    ).columns
    assert [column.label for column in columns.options] == ["Option 1", "Option 2"]
    assert [column.label for column in columns.rest] == ["Level"]


def test_columns_of_a_definition_say_what_headings_mean(folder):
    table = "Tier,Stk,Laut,Notiz\nMaus,2,Piepst.,x\n"
    cards = own(
        folder, "cards.yaml", cards_yaml='table: c.csv\ncolumns: {Stk: copies, Laut: text, Notiz: "-"}\n', c_csv=table
    )
    assert [dict(card.values) for card in cards] == [{"tier": "Maus", "text": "Piepst."}] * 2
    lines = own_problems(
        folder, "cards.yaml", cards_yaml="table: c.csv\ncolumns: {copies: Stk, Laut: txt}\n", c_csv=table
    )
    assert lines == [
        "cards.yaml:1: “columns”: “txt” is not known; did you mean text?",
        "cards.yaml:1: “columns”: there is no column “copies”; write the heading first: Stk: copies",
    ]


@pytest.mark.parametrize(
    ("content", "title"),
    [
        (",HP,ATK\nOrc,3,2\nElf,2,3", "Orc"),
        (",,HP,ATK\n,Orc,3,2\n,Elf,2,3", "Orc"),
        ("sep=;\n;Punkte;Text\nOrk;3;Haut zu.\nElf;2;Singt.", "Ork"),
    ],
)
def test_a_blank_corner_is_above_the_titles(folder, content, title):
    found = part(folder / "cards.csv", content)
    assert found.cards[0].values[found.columns.title] == title


@pytest.mark.parametrize("content", [",Name,HP\n0,Orc,3\n1,Elf,2", ",Name,HP\n,Orc,3\nx,Elf,2\n,Ent,4"])
def test_a_blank_corner_above_numbers_or_blanks_is_left_out(folder, content):
    assert part(folder / "cards.csv", content).notes == ("left out, because it has no heading: column A",)


@pytest.mark.parametrize(
    "headings",
    [
        *("Lato A,Lato B", "Side 1,Side 2", "Seite A,Seite B", "cara a,cara b", "Wort,Bedeutung", "Vorne,Hinten"),
        *(
            "česky,anglicky",
            "front_word,back_word",
            "Русский,Английский",
            "Türkçe,İngilizce",
            "magyar,angol",
            "Welsh,English",
            "日本語,英語",
        ),
    ],
)
def test_two_sides_by_their_headings(folder, headings):
    found = part(folder / "cards.csv", f"{headings},Tag\npes,dog,animals\nkočka,cat,animals\ndům,house,things")
    assert [found.columns.headings[name] for name in (found.columns.front, found.columns.back)] == headings.split(",")


@pytest.mark.parametrize(
    "heading",
    [
        "Done?",
        "Notes to self",
        "Last playtest",
        "user_id",
        "Created At",
        "Kommentar",
        "GMNotes",
        "Vote Count",
        "wanttoplay",
        "Art Status",
    ],
)
def test_columns_for_the_maker_are_left_out_with_a_note(folder, heading):
    found = part(folder / "cards.csv", f"Name,{heading},Text\nOrc,yes,Hit.\nElf,no,Sing.")
    assert not found.columns.rest
    assert found.notes == (
        "not printed, because it looks like notes to yourself or data for a program: "
        f'“{heading}” (--columns "{heading}=+" prints it)',
    )


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        *(
            ("set_id", "A1 A1"),
            ("broader_id", "fox,hare fig_dog"),
            ("idCarte", "1 1"),
            ("next", "AAA001-2 AAA001-3"),
            ("item-key", "type-5050ac23 type-6eb65f90"),
            ("Slug", "fire-ball ice-bolt"),
        ),
        *(
            ("sound", "a.mp3 b.ogg"),
            ("made", "2024-02-11T10:33:00Z 2024-02-12T08:12:00Z"),
            ("Data", '[{"x":1}] [{"x":2}]'),
        ),
    ],
)
def test_codes_for_programs_are_left_out_with_a_note(folder, heading, cells):
    first, second = cells.replace('"', '""').split(" ")
    found = part(folder / "cards.csv", f'Name,{heading},Text\nFireball,"{first}",Burn.\nBolt,"{second}",Freeze.')
    assert not found.columns.rest and "it contains codes for programs" in found.notes[0]


def test_a_name_for_programs_beside_the_title_is_left_out(folder):
    found = part(folder / "cards.csv", "Name,Title\ncard_001,Harbour Master\ncard_002,Net Mender")
    assert (found.columns.title, found.columns.rest) == ("title", ())
    assert part(folder / "cards.csv", "Name,Text\ncard_001,Draw.\ncard_002,Discard.").columns.title == "name"


@pytest.mark.parametrize("cells", ["amy@example.com raj@mail.example.org", "boots.png_(https://a.b/c.png) http://d.e"])
def test_addresses_are_left_out_with_a_note(folder, cells):
    first, second = cells.replace("_", " ", 1).rsplit(" ", 1)
    found = part(folder / "cards.csv", f"Picture,Prompt,Spicy\n{first},Sing a song,No\n{second},Tell a secret,Yes")
    assert found.columns.front == "prompt" and "web or e-mail addresses: “Picture”" in found.notes[0]


def test_relations_of_notion_keep_their_names(folder):
    page = "(https://www.notion.so/{}-8f1c2a7b9d3e4f5a6b7c8d9e0f1a2b3c)"
    cells = f"Wood {page.format('Wood')}", f'"Wood {page.format("Wood")}, Ore {page.format("Ore")}"', ""
    found = part(folder / "cards.csv", "Name,Goods\n" + "".join(f"Town {len(cell)},{cell}\n" for cell in cells))
    assert [card.values["goods"] for card in found.cards] == ["Wood", "Wood, Ore", None]
    assert not found.notes


@pytest.mark.parametrize(
    ("content", "language"),
    [
        ("Adı,Tür,Etki\nKılıç,silah,İki hasar ver.\nİksir,içecek,Bir can kazan.\n", "tr"),
        ("Τίτλος,Τύπος,Κείμενο\nΣπαθί,όπλο,Δύο πόντοι.\nΦίλτρο,ποτό,Ένας πόντος.\n", "el"),
        ("Name,Type,Text\nSword,item,Deal two damage.\nPotion,drink,Heal one wound.\n", ""),
    ],
)
def test_capitals_follow_the_language_of_the_headings(folder, content, language):
    part(folder / "cards.csv", content)
    assert load(str(folder / "cards.csv")).theme.language == language


def test_words_below_headings_of_codes_stay(folder):
    found = part(folder / "cards.csv", "Monster ID,Sound,State\nGoblin,Cackle,Bavaria\nOrc,Roar,Hesse")
    assert (found.columns.title, [column.name for column in found.columns.rest]) == ("monster_id", ["sound", "state"])


def test_a_column_that_says_what_is_done_is_for_the_maker(folder):
    found = part(folder / "cards.csv", "Name,Phase,Power\nOrc,Done,1\nElf,In progress,2\nEnt,To do,3")
    assert [column.name for column in found.columns.rest] == ["power"]


def test_a_column_that_repeats_another_is_not_printed(folder):
    content = "Name,Label,Power,Option 1\n" + "\n".join(f"Orc {n},Orc {n},{n % 2},Orc {n}" for n in range(9))
    found = part(folder / "cards.csv", content)
    assert [column.name for column in found.columns.rest] == ["power", "option_1"]
    assert "it repeats another column: “Label”" in found.notes[0]


def test_card_at_the_beginning_of_a_heading_makes_no_difference(folder):
    columns = part(
        folder / "cards.csv", "card_name,card_manacost,card_attribute\nOrc,1,Fire\nElf,2,Ice\nEnt,3,Ice"
    ).columns
    assert (columns.title, columns.cost, columns.rest[0].label) == ("card_name", "card_manacost", "Attribute")


def test_a_last_column_without_a_heading_is_left_out_if_every_row_has_it(folder):
    found = part(folder / "cards.csv", "Name,Cost\nOrc,1,x\nElf,2,y\nEnt,3,z")
    assert (len(found.cards), found.notes) == (3, ("left out, because it has no heading: column C",))


def test_numbers_of_blank_ids_may_be_ids(folder):
    found = part(folder / "cards.csv", "id,Name\n2,Orc\n,Elf\n3,Ent")
    assert [card.id for card in found.cards] == ["1", "2", "3"]
    assert found.notes == ("“id” does not identify the cards, because “2” appears more than once",)


def test_zeros_on_all_cards_are_not_printed(folder):
    found = part(folder / "cards.csv", "Name,Power,Right,Wrong\nOrc,1,0.0,0\nElf,2,0,1\nEnt,3,0,0")
    assert [column.name for column in found.columns.rest] == ["power", "wrong"]
    assert found.notes == ('not printed, because it contains only zeros: “Right” (--columns "Right=+" prints it)',)


def test_the_other_side_is_a_language_rather_than_how_to_read_one(folder):
    columns = part(folder / "cards.csv", "mandarin,pinyin,english\n水,shuǐ,water\n火,huǒ,fire").columns
    assert (columns.front, columns.back, columns.rest[0].name) == ("mandarin", "english", "pinyin")


def test_headings_of_programs_become_words_and_a_language_makes_no_difference(folder):
    columns = part(folder / "cards.csv", "name_en,atkSpeed,move_speed,text_en\nOrc,1,2,Hit.\nElf,2,3,Sing.").columns
    assert (columns.title, columns.rules) == ("name_en", "text_en")
    assert [column.label for column in columns.rest] == ["atk Speed", "Move speed"]


@pytest.mark.parametrize("headings", ["First Name,Last Name", "Vorname,Nachname", "prénom,nom", "given_name,surname"])
def test_both_parts_of_a_name_are_the_title(folder, headings):
    found = part(folder / "cards.csv", f"{headings},Born\nAda,Lovelace,1815\nAlan,Turing,1912\nAristotle,,-384")
    titles = [card.values[found.columns.title] for card in found.cards]
    assert titles == ["Ada Lovelace", "Alan Turing", "Aristotle"]
    assert [column.label for column in found.columns.rest] == ["Born"]


def test_a_second_column_without_a_heading_is_the_other_side(folder):
    columns = part(folder / "cards.csv", "Spanish,\nMalo,Bad\nBueno,Good\nNegro,Black").columns
    assert (columns.front, columns.back) == ("spanish", "b")
    found = part(folder / "cards.csv", ",Unnamed: 0,Name,Text\n0,0,Orc,Hit.\n1,1,Elf,Sing.")
    assert (found.columns.title, found.columns.rest) == ("name", ())


def test_tables_side_by_side_are_one(folder):
    content = "Adjective,Points,,Noun,Points\nFurious,2,,Pickle,1\nDamp,1,,Goose,3\n,,,Trombone,2"
    found = part(folder / "cards.csv", content)
    assert found.notes == ("2 tables side by side were read as one",)
    assert [tuple(card.values.values()) for card in found.cards] == [
        *(("Furious", "2", "Adjective"), ("Damp", "1", "Adjective")),
        *(("Pickle", "1", "Noun"), ("Goose", "3", "Noun"), ("Trombone", "2", "Noun")),
    ]
    assert found.columns.type == "type"
    found = part(folder / "cards.csv", "Name,Points,,Hint,Author\nFurious,2,,Pickle,me\nDamp,1,,Goose,you")
    assert len(found.cards) == 2


def test_what_does_not_apply_is_blank(folder):
    found = part(folder / "cards.csv", "Name,Power,Text\nOrc,#N/A,Hit.\nElf,2,Sing.")
    assert [card.values["power"] for card in found.cards] == [None, "2"]
    assert found.notes == ("#N/A was read as blank: line 2",)


@pytest.mark.parametrize(
    ("rows", "roles"),
    [
        ("noun;dom;house\nverb;iść;to go\nnoun;kot;cat\nnoun;pies;dog\nverb;pić;to drink\nverb;jeść;to eat", "type"),
        (
            "Film?;Jaws;Film\nWho sang?;Abba;Pop\nWho won?;Italy;Pop\nWhere?;Rome;Film\nWho?;I;Film\nHow?;So;Film",
            "front back",
        ),
    ],
)
def test_roles_of_columns_without_headings(folder, rows, roles):
    (folder / "cards.csv").write_text(rows)
    found = load("cards.csv", look=TableLook(headings=False)).components["cards"]
    assert all(getattr(found.columns, role) for role in roles.split())


@pytest.mark.parametrize(
    ("content", "title"),
    [
        (",Stats,,Group,\nName,Strength,Power,Task,Type\nOrc,3,2,Hit,Foe\nElf,2,3,Sing,Ally", "name"),
        ("Karte,,,,\nTitel,Text,Kosten,Typ,Anzahl\nOrk,Haut.,3,Feind,1\nElf,Singt.,2,Freund,2", "titel"),
        ("id,text,factor\n,,Traffic\na,Run a campaign.,\nb,Build a shop.,\nc,Hire a team.,", None),
        ("---,CardName,House\nVary,Varys,Varys\nEuronG,Euron,Greyjoy", "cardname"),
        ("Nombre,Efecto,\nMetilo,Una sal.,x\nEtilo,Otra sal.,y", "nombre"),
    ],
)
def test_titles_below_groups_of_headings_and_beside_sparse_columns(folder, content, title):
    assert part(folder / "cards.csv", content).columns.title == title


@pytest.mark.parametrize("headings", ["mot,trad", "Vorne,Hinten", "question,right_answer", "prompt,response"])
def test_words_for_two_sides_are_headings(folder, headings):
    loaded = part(folder / "cards.csv", f"{headings}\nla lune,the moon\nle soleil,the sun")
    assert (len(loaded.cards), loaded.columns.front) == (2, headings.split(",")[0].lower())


@pytest.mark.parametrize("headings", ["", "Tema,Q,X1,X2,X3,OK\n"])
def test_answers_that_repeat_an_option_make_a_quiz(folder, headings):
    rows = ["Moon,Where is it?,Sky,Sea,Hill,Sky", "Moon,Is it big?,No,Yes,Maybe,Yes", "Sun,Is it hot?,Yes,No,Well,Yes"]
    columns = part(folder / "cards.csv", headings + "\n".join(rows)).columns
    letters = [columns.letters[name] for name in (columns.front, columns.back)]
    assert (letters, len(columns.options)) == (["B", "F"], 3)


def test_wrong_answers_are_options(folder):
    content = "question,right_answer,wrong_one,wrong_two\nBig?,x,y,z\nOld?,u,v,w"
    columns = part(folder / "cards.csv", content).columns
    assert [column.name for column in (*columns.options, *columns.rest)] == ["wrong_one", "wrong_two"]
    assert (columns.back, len(columns.options)) == ("right_answer", 2)


@pytest.mark.parametrize("headings", ["pl|g|tr", "Ger;Eng", "icelandic,en,note", "DE\tFR"])
def test_codes_of_languages_are_two_sides(folder, headings):
    sign = next(filter(headings.__contains__, "|;,\t"))
    width = len(headings.split(sign))
    cells = [["kot", "kedi", "x"], ["pies", "köpek", "y"], ["dom", "ev", "z"]]
    content = "\n".join([headings, *(sign.join(row[:width]) for row in cells)])
    loaded = part(folder / "cards.csv", content)
    assert len(loaded.cards) == 3 and loaded.columns.front and loaded.columns.back


def test_one_code_of_a_language_is_a_word(folder):
    loaded = part(folder / "cards.csv", "it,un gatto\nde,een hond\nla,la mouche")
    assert len(loaded.cards) == 3 or loaded.columns.labelled
    loaded = part(folder / "cards.csv", "en,ja,species,age,colour,sign,day\nTom,Tomu,cat,3,red,x,Monday")
    assert (loaded.columns.title, loaded.columns.front) == ("en", None)


@pytest.mark.parametrize("heading", ["Ilość w talii", "Anzahl im Deck", "Cantidad en el mazo", "Количество в колоде"])
def test_copies_in_the_deck(folder, heading):
    name = {"I": "Nazwa", "A": "Karte", "C": "Nombre", "К": "Название"}[heading[0]]
    assert [card.copies for card in deck(folder / "cards.csv", f"{name},{heading}\nA,2\nB,1")] == [2, 2, 1]


@pytest.mark.parametrize("sign", ["\x01", "\x1a", "\ufeff", "\x85", "\x01 \x7f", "\u2028"])
@pytest.mark.parametrize("place", [0, 1, 2, 4])
def test_a_row_of_invisible_characters_is_blank(tmp_path, sign, place):
    lines = ["Name;Cost", "Axe;2", "Bow;3", "Crown;5"]
    lines.insert(place, f"{sign};{sign}")
    cards = deck(tmp_path / "cards.csv", "\n".join(lines) + "\n")
    assert len(cards) == 3
    assert "Bow" in cards[1].values.values()


def test_a_quiz_with_remarks_in_its_headings(folder):
    options = ",".join(f"Answer {n} - max 75 characters" for n in (1, 2, 3))
    headings = f"Question - max 120 characters,{options},Time limit (sec) – 5 or 10,Correct answer(s) - at least one"
    found = part(folder / "cards.csv", f"{headings}\nHow many?,5,6,7,20,2\nWho?,me,you,her,10,3\nWhere?,here,up,in,5,1")
    columns = found.columns
    assert [column.label for column in columns.rest] == ["Time limit (sec) – 5 or 10"]
    assert (len(columns.options), columns.named_sides) == (3, False)
    assert columns.headings[columns.back or ""].startswith("Correct")


def test_sentences_are_not_types_and_numbers_are_not_footers(folder):
    tips = ["Keep a straight line from head to heels", "Chest up and elbows inside", "Squeeze your glutes hard"]
    rows = [
        f"{name},{n},{tip}" for n, (name, tip) in enumerate(zip(("Push-up", "Squat", "Plank"), tips, strict=True), 3)
    ]
    columns = part(folder / "cards.csv", "\n".join(["Exercise,Sets,Tip", *rows])).columns
    assert (columns.title, columns.type, columns.footer) == ("exercise", None, None)


def test_a_slash_in_a_heading_stays(folder):
    columns = part(folder / "cards.csv", "Name,P/T,Text\nOrc,2/3,Hit.\nElf,1/1,Sing.").columns
    assert [column.label for column in columns.rest] == ["P/T"]


def test_numbers_that_repeat_below_a_number_sign_are_copies(folder):
    assert len(deck(folder / "cards.csv", "Name,#\nOrc,2\nElf,3\nEnt,2")) == 7
    assert len(deck(folder / "cards.csv", "Name,#\nOrc,1\nElf,2\nEnt,3")) == 3


@pytest.mark.parametrize(
    "headings", ["Option A,Option B,Option C", "Word 1,Word 2,Word 3", "Easy,Medium,Hard", "Leicht,Mittel,Schwer"]
)
def test_columns_of_equal_rank_have_no_title(folder, headings):
    columns = part(folder / "cards.csv", f"{headings}\nfly,hide,see\nlive long,live well,stay").columns
    assert (columns.title, columns.front) == (None, None) and len(columns.rest) > 1


def test_two_parts_are_two_sides(folder):
    columns = part(
        folder / "cards.csv", "Part 1,Part 2\nA bird in the hand,is worth two\nToo many cooks,spoil it"
    ).columns
    assert (columns.front, columns.back) == ("part_1", "part_2")


def test_a_comma_may_stand_for_thousands(folder):
    rows = "Oak,Feeds over 2,300 species.,Yes\nPine,Only one.,No\nLime,Costs 1,200,000 pounds,No"
    found = part(folder / "cards.csv", f"Tree,Fact,Native\n{rows}")
    assert [card.values["fact"] for card in found.cards] == [
        "Feeds over 2,300 species.",
        "Only one.",
        "Costs 1,200,000 pounds",
    ]
    assert found.notes == ("extra commas were read as part of the text: line 2, line 4",)


def test_groups_of_unknown_headings_are_skipped(folder):
    rows = "Info,,Combat,,Loot,\nMonster,Biome,HP,ATK,Gold,Item\nSlime,Swamp,4,1,1,Gel\nHarpy,Cliffs,9,4,6,Feather"
    columns = part(folder / "cards.csv", rows).columns
    assert (columns.title, columns.rest[0].label, len(columns.rest)) == ("monster", "Biome", 5)


def test_texts_in_lines_are_not_titles(folder):
    rows = '"- Draw\n- Discard",Two,1\n"- Run\n- Hide",Three,2\n"- Read\n- Write",Four,2'
    columns = part(folder / "cards.csv", f"Steps,Players,Level\n{rows}").columns
    assert columns.title == "players"


def test_a_meaning_in_a_wide_table_is_not_the_back(folder):
    names = "Constellation,Abbr.,Meaning,Star,Magnitude,Month,Hemisphere,Story"
    rows = "Orion,Ori,The Hunter,Rigel,0.13,January,Both,Chases\nLyra,Lyr,The Lyre,Vega,0.03,August,North,Sings"
    columns = part(folder / "cards.csv", f"{names}\n{rows}").columns
    assert (columns.title, columns.back) == ("constellation", None)
    assert part(folder / "cards.csv", "Rune,Meaning,Sound\nFehu,wealth,f\nUruz,ox,u").columns.back == "meaning"


def test_short_words_of_a_heading_are_not_split(folder):
    columns = part(folder / "cards.csv", "Name,pKa,moveSpeed\nAcid,3.9,1\nBase,8.3,2").columns
    assert [column.label for column in columns.rest] == ["pKa", "move Speed"]


@pytest.mark.parametrize("headings", ["Statement,True/False,Why", "Clue,Solution,Points", "Q,A,Round"])
def test_answers_under_other_headings_are_on_the_back(folder, headings):
    columns = part(folder / "cards.csv", f"{headings}\nBats are blind,False,10\nHoney stays good,True,20").columns
    assert columns.back == headings.split(",")[1].lower().replace("/", "_")


@pytest.mark.parametrize(
    ("headings", "rows", "sides"),
    [
        ("Country,Capital,Population", ["Chile,Santiago,19", "Peru,Lima,34"], "Country Capital"),
        ("landLabel,hauptstadtLabel,flaeche", ["Peru,Lima,3", "Chile,Santiago,4"], "landLabel hauptstadtLabel"),
        ("id,question_ar,answer_ar,level", ["7,Who?,I,1", "9,Where?,Here,2"], "question_ar answer_ar"),
        ("Infinitif,Groupe,je,tu,il,nous,vous,ils,Traduction", ["aller,3,a,b,c,d,e,f,go"], "Infinitif Traduction"),
        ("Event,Year", ["Sputnik,1957", "Apollo,1969"], "Event Year"),
        ("Date,Event,Notes", [f"May {year},Peace {year},Long ago" for year in (1648, 1815, 1945, 1989)], "Event Date"),
        ("Product,PLU", ["Banana,4011", "Apple,4131"], "Product PLU"),
        ("Pic,Metres", [f"Mont {name},{name}" for name in (4810, 4634, 4545, 4506)], "Pic Metres"),
    ],
)
def test_answers_are_on_the_back(folder, headings, rows, sides):
    columns = part(folder / "cards.csv", "\n".join([headings, *rows])).columns
    found = f"{columns.headings.get(columns.front)} {columns.headings.get(columns.back)}"
    assert found == sides


@pytest.mark.parametrize(
    "content",
    ["7 x 8 =,56\n6 x 4 =,24\n8 x 3 =,24\n2 x 2 =,4", "Hastings,1066\nMagna Carta,1215\nFire,1666\nUnion,1707"],
)
def test_sums_and_numbers_that_differ_are_questions_and_answers(folder, content):
    columns = part(folder / "cards.csv", content).columns
    assert (columns.front, columns.back) == ("a", "b")


@pytest.mark.parametrize(
    "content", ["Orc,3\nElf,2\nTroll,3\nImp,1\nBat,1", "Name,Metres\nOak,9\nElm,8\nAsh,7\nFir,6\nYew,5"]
)
def test_numbers_of_things_are_on_the_front(folder, content):
    assert part(folder / "cards.csv", content).columns.back is None


def test_a_column_that_may_be_an_answer_can_be_put_on_the_back(folder):
    rows = ["Name,Nickname", *(f"Nora{letter},Mo{letter}" for letter in "abcde")]
    (folder / "cards.csv").write_text("\n".join(rows))
    found = load("cards.csv").components["cards"]
    assert found.notes[-1].startswith("to make flash cards with “Nickname” on the back: --columns")
    columns = load("cards.csv", look=TableLook(columns="Nickname=back")).components["cards"].columns
    assert (columns.front, columns.back) == ("name", "back")


def test_options_keep_the_letters_of_their_headings(folder):
    content = "Вопрос,А,Б,В,Правильный ответ\nСколько?,1,2,3,В\nКто?,я,ты,он,А"
    found = part(folder / "cards.csv", content)
    assert found.columns.option_letters == "АБВ"
    assert answer(found.cards[0].values, found.columns) == "В: 3"


@pytest.mark.parametrize(
    ("heading", "texts"),
    [
        ("Date de création", ["12 mars 2024", "3 mai 2024"]),
        ("Stamp", ["12 mars 2024 18:02", "3 mai 2024 09:15"]),
        ("When", ["3/14/2024 6:02:11 PM", "3/15/2024 9:15:00 AM"]),
        ("damage_index", ["acid", "fire"]),
        ("Total", ["3", "8"]),
    ],
)
def test_what_programs_need_is_left_out_and_named(folder, heading, texts):
    found = part(folder / "cards.csv", f"Name,Copies,{heading}\nOrc,2,{texts[0]}\nElf,1,{texts[1]}")
    assert not found.columns.rest
    assert any(f"“{heading}”" in note for note in found.notes)


def test_wide_tables_leave_out_what_is_the_same_on_every_card(folder):
    headings = "object,name,a,b,c,d,e,f,g"
    rows = [f"card,Orc {n},{n},{n + 1},{n + 2},{n + 3},{n + 4},{n + 5},{n + 6}" for n in range(4)]
    found = part(folder / "cards.csv", "\n".join([headings, *rows]))
    assert [column.name for column in found.columns.rest] == [*"abcdefg"]
    found = part(folder / "cards.csv", "set,name,a\nCore,Orc,1\nCore,Elf,2\nCore,Imp,2")
    assert found.columns.footer == "set"


# ---- columns for whoever makes the cards, and texts of other programs


@pytest.mark.parametrize("no", ["FALSE", "no", "nein", "Нет", "☐", "0"])
def test_cards_that_are_not_to_be_printed_are_left_out_with_a_note(folder, no):
    found = part(folder / "a.csv", f"Name,Text,OK to print?\nAxe,Hits.,yes\nBow,Shoots.,{no}\nCap,Fits.,TRUE\n")
    assert [card.values["name"] for card in found.cards if card.copies] == ["Axe", "Cap"]
    notes = ['1 card left out, because “OK to print?” says no (--columns "OK to print?=-" prints it)']
    assert list(found.notes) == notes[: no != "0"]


def test_ticks_for_oneself_are_not_printed(folder):
    found = part(folder / "a.csv", "Wort,Übersetzung,gelernt?\nHund,dog,x\nKuh,cow,\n")
    assert "“gelernt?”" in found.notes[0] and not found.columns.rest and len(found.cards) == 2
    assert len(part(folder / "b.csv", "Name,Print?,Cost\nAxe,x,1\nBow,,2\n").columns.rest) == 1
    assert problems(folder / "c.csv", "Name,Qty\nAxe,a\nBow,2\n")


def test_sounds_are_left_out_and_made_up_headings_not_printed(folder):
    found = part(folder / "a.txt", "#separator:tab\n#html:true\n日\tひ\tday [sound:hi.mp3]\n月\tつき\tmoon\n")
    assert [card.values["field_3"] for card in found.cards] == ["day", "moon"]
    assert "left out, because sounds cannot be printed: [sound:hi.mp3]" in found.notes
    assert [column.label for column in found.columns.rest] == [""]


@pytest.mark.parametrize(
    ("headings", "rows", "roles"),
    [
        ("Κωδ.,Έκθεμα,Υλικό", "Α.{n},Αγγείο {w},Πηλός", {"title": "έκθεμα"}),
        ("Art.-Nr.,Teil,Ort", "A-M{n},Bolzen {w},Lager", {"title": "teil"}),
        ("Код,Предмет,Зал", "Б-{n},Ваза {w},Первый", {"title": "предмет"}),
        ("Titel,Komponist,Text", "Lied {w},Bach,M. {w}", {"title": "titel"}),
        ("Titel,Text", "Lied {w},Zieht {w}.", {"title": "titel", "rules": "text"}),
        ("Växt,Sort,Avstånd", "Tomat {w},{w},4{n}", {"title": "växt"}),
        ("Name,Type", "Card {w},Spell", {"title": "name", "type": "type"}),
    ],
)
def test_codes_are_no_titles_and_names_no_types(folder, headings, rows, roles):
    words = ["oak", "ash", "elm", "fir", "yew", "bay", "box", "fig", "nut", "pea"]
    lines = [rows.format(n=n, w=word) for n, word in enumerate(words, 1)]
    assert roles_of(part(folder / "a.csv", "\n".join([headings, *lines])).columns) == roles


@pytest.mark.parametrize(
    ("content", "sides"),
    [
        ("dog - Hund\ncat - Katze\nbird - Vogel\nmouse - Maus", ("dog", "Hund")),
        ("Mitosis: division of a cell\nOsmosis: movement of water\nEnzyme: a protein\nGene: a unit", None),
        ("Q: Who?\nA: I\n\nQ: Where?\nA: Here", ("Who?", "I")),
        ("Frage: Wer?\nAntwort: Ich\nFrage: Wo?\nAntwort: Hier", ("Wer?", "Ich")),
        ("Theory test\nClass B\n\nQ: Who?\nA: I\nQ: Where?\nA: Here", ("Who?", "I")),
    ],
)
def test_lines_of_two_parts_are_two_sides(folder, content, sides):
    found = part(folder / "cards.txt", content)
    first = found.cards[0].values
    told = first[found.columns.front], first[found.columns.back]
    assert told == (sides or ("Mitosis", "division of a cell"))


@pytest.mark.parametrize(
    "content",
    ["Ann - Lee\nBob\nCat - Fox\nDora", "2 Ox - foil\n3 Elk - foil\n1 Ant - foil\n4 Bee - foil", "Q: Who?\nA: I"],
)
def test_other_lines_stay_whole(folder, content):
    assert len(part(folder / "cards.txt", content).cards[0].values) == 1


def test_parts_that_recur_at_the_beginning_of_lines_are_types(folder):
    content = "Truth: Who is it?\nDare: Sing a song.\nTruth: Where is it?\nDare: Jump.\nDare: Run.\nTruth: Why not?"
    columns = part(folder / "cards.txt", content).columns
    assert (columns.type, columns.title) == ("a", "b")


# ---- JSON of other programs


QUIZ = [{"question": f"{n}?", "answer": "a", "options": ["a", "b", "c"]} for n in range(2)]


@pytest.mark.parametrize(
    "data",
    [
        {"response_code": 0, "results": QUIZ},
        {"quiz": {"sport": {"q1": QUIZ[0]}, "maths": {"q1": QUIZ[1]}}},
        {"meta": {"page": 1}, "data": [{"id": n, "attributes": card} for n, card in enumerate(QUIZ)]},
        [card | {"question": {"text": card["question"]}} for card in QUIZ],
    ],
)
def test_questions_in_json(folder, data):
    loaded = part(folder / "cards.json", json.dumps(data))
    assert [card.values["question"] for card in loaded.cards] == ["0?", "1?"]
    columns = loaded.columns
    assert (columns.front, columns.back) == ("question", "answer")
    assert [option.name for option in columns.options] == ["options_1", "options_2", "options_3"]


def test_wrong_answers_in_json(folder):
    cards = [
        {"question": "Who is &quot;R&amp;D&quot;?", "correct_answer": "a", "incorrect_answers": ["b", "c", "d"]},
        {"question": "True?", "correct_answer": "True", "incorrect_answers": ["False"]},
    ]
    loaded = part(folder / "cards.json", json.dumps(cards))
    assert loaded.cards[0].values["question"] == 'Who is "R&D"?'
    assert loaded.cards[1].values["incorrect_answers_1"] == "False"
    assert len(loaded.columns.options) == 3


def test_lists_beside_that_of_the_cards(folder):
    cards = {"tags": ["x"], "authors": [{"who": "Joe"}], "items": [{"name": "A"}, {"name": "B"}]}
    loaded = part(folder / "cards.json", json.dumps(cards))
    assert [dict(card.values) for card in loaded.cards] == [{"name": "A"}, {"name": "B"}]
    assert loaded.notes == ("left out, beside the list of cards: “authors”",)
    cards["things"] = cards.pop("items")
    assert problems(folder / "cards.json", json.dumps(cards)) == [
        "cards.json:1: these lists have nothing in common: “authors” (1), “things” (2); put the cards under the key "
        "“cards”"
    ]


# ---- cells to be filled in, and labels of Notion


def test_placeholders_are_counted(folder):
    table = "Name,Cost,Text\nAxe,TBD,-\nBow,???,Shoots.\nCup,-,Holds tea.\nDog,1,todo\n"
    loaded = part(folder / "cards.csv", table)
    assert loaded.cards[0].values["cost"] == "TBD"
    assert loaded.notes == ("3 cards have a placeholder, which is printed: “TBD”, “-”, “???”, “todo”",)


def test_a_related_table_of_notion(folder):
    table = "Name,Related to Spells (Cards)\nAxe,Fire (https://www.notion.so/Fire-0123)\nBow,\n"
    loaded = part(folder / "cards.csv", table)
    assert [column.label for column in loaded.columns.rest] == ["Spells"]
    assert loaded.cards[0].values["related_to_spells_cards"] == "Fire"


@pytest.mark.parametrize(
    "content",
    [
        "Draft 4, not final\nName,Cost,Text\nAxe,2,Hit\nBow,3,Shoot\nCap,1,Wear\n",
        "Draft 4, not final\nName;Cost;Text\nAxe;2;Hit\nBow;3;Shoot\nCap;1;Wear\n",
        "Exported;2024-05-01\nBy:;Ada\n\nName;Cost;Text\nAxe;2;Hit\nBow;3;Shoot\nCap;1;Wear\n",
    ],
)
def test_sentences_and_entries_above_a_table_are_skipped(folder, content):
    assert rows(folder / "cards.csv", content)[0] == {"name": "Axe", "cost": "2", "text": "Hit"}


def test_columns_with_most_of_the_text_are_printed_without_a_heading(folder):
    found = part(folder / "cards.csv", "Name,,\nAxe,2,Hit with all your might.\nBow,3,Shoot as far as you can.\n")
    assert found.notes == ("printed even though they have no heading, because most of the text is there: columns B, C",)
    assert [column.label for column in found.columns.rest] == ["", ""]


def test_notes_about_several_columns_name_the_one_that_the_option_prints(folder):
    found = part(folder / "cards.csv", "Name,Done,Playtest notes,Due\nOrc,x,a,\nElf,,b,\n")
    assert found.notes == (
        "not printed, because they look like notes to yourself or data for a program: “Done”, “Playtest notes” "
        '(--columns "Done=+" prints “Done”)',
    )
    assert described(found).endswith("title (Name)")  # without `Due`, which no card has


def test_mappings_inside_a_card_become_lines(folder):
    hit = {"name": "Hit", "cost": ["Fire", "Ice"], "damage": 20, "text": "Flip a coin.", "url": "/api/hit"}
    cards = [
        {
            "name": "Axe",
            "attacks": [hit, {"name": "Rest", "index": "rest"}],
            "classes": [{"index": "a", "name": "Bard"}],
        },
        {
            "name": "Bow",
            "attacks": [hit],
            "classes": [{"name": "Elf"}, {"name": "Orc"}],
            "text": ["It is one day.", "Then it is two."],
        },
    ]
    first, second = (card.values for card in part(folder / "cards.json", json.dumps(cards)).cards)
    assert first["attacks"] == "**Hit** Fire, Ice · damage 20 · Flip a coin.\nRest"
    assert (first["classes"], second["classes"]) == ("Bard", "Elf, Orc")
    assert second["text"] == "It is one day.\nThen it is two."


def test_what_is_too_much_inside_a_card_is_named(folder):
    cards = [
        {
            "name": "Axe",
            "log": [{"name": n, "text": "Far."} for n in "abcdefg"],
            "acts": [{"name": "Hit", "dice": [{"d": 6}]}],
        }
    ]
    loaded = part(folder / "cards.json", json.dumps(cards))
    assert loaded.cards[0].values["acts"] == "Hit"
    assert loaded.notes == ("left out, because they contain lists or too many values: “log”, “acts dice”",)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("animals.csv", "Card 1,Card 2\nCow,Calf\nDog,Puppy"),
        ("animals.csv", "Karta A;Karta B\nCow;Calf\nDog;Puppy"),
        ("pexeso 2.txt", "Cow - Calf\nDog - Puppy\nHen - Chick\nCat - Kitten"),
        ("Memory animals.csv", "Animal,Young\nCow,Calf\nDog,Puppy"),
    ],
)
def test_both_halves_of_a_pair_are_cards(folder, file, content):
    found = part(folder / file, content)
    names = [card.values[found.columns.title] for card in found.cards]
    assert {"Cow", "Calf", "Dog", "Puppy"} <= {*names}
    assert "both halves of each pair are cards, as for a game of pairs" in found.notes
    assert found.columns.back is None and not found.columns.rest


@pytest.mark.parametrize("headings", ["Left,Right", "I have,Who has", "links,rechts"])
def test_halves_of_dominoes_stand_on_one_side(folder, headings):
    columns = part(folder / "cards.csv", f"{headings}\n12,3 x 5\n15,4 x 4\n16,2 x 9").columns
    assert (columns.title, columns.back, len(columns.rest)) == (None, None, 2)


@pytest.mark.parametrize("file", ["cards.md", "cards.txt"])
def test_lists_with_bullets_have_the_headings_of_their_parts_as_types(folder, file):
    parts = ["# Talk", "In pairs, for long.", "## Level A"]
    parts += ["1. Who are you, really?\n2. Where?", "## Level B\n- Why?\n- How?"]
    found = part(folder / file, "\n\n".join(parts))
    assert [(card.values["title"], card.values["type"]) for card in found.cards] == [
        ("Who are you, really?", "Level A"),
        ("Where?", "Level A"),
        ("Why?", "Level B"),
        ("How?", "Level B"),
    ]
    assert found.notes == ("left out: rows 1, 3 (not in the list) (--all-rows prints every row)",)


def test_lists_of_two_parts_may_have_a_title_and_headings(folder):
    lines = ["LATIN - STAGE 1", "for Friday!", "", "Stage 1", "canis, m. - dog", "mater, f. - mother", "via - street"]
    found = part(folder / "cards.txt", "\n".join([*lines, "", "Stage 2", "hortus, m. - garden", "rex - king"]))
    assert [tuple(card.values.values()) for card in found.cards][2:4] == [
        ("via", "street", "Stage 1"),
        ("hortus, m.", "garden", "Stage 2"),
    ]
    assert len(found.cards) == 5 and "rows 1, 2 (not in the list)" in found.notes[-1]


def test_what_columns_are_said_to_mean_counts_more_than_ids(folder):
    (folder / "cards.csv").write_text("Key,Verse\na1,In the beginning\nb2,Blessed are the meek\n")
    columns = load("cards.csv", look=TableLook(columns="Key=back")).components["cards"].columns
    assert (columns.front, columns.back) == ("verse", "back")
    found = part(folder / "cards.csv", "Reference,Verse,Week\nGenesis 1:1,In the,1\nPsalm 23:1,The Lord,2\n")
    assert "reference" in found.cards[0].values


def test_cells_of_programs_are_read_as_they_are_meant(folder):
    found = part(
        folder / "cards.csv", 'Name,ISBN13,Formula,Cost\nAxe,"=""978""",E_kin,2{wood}\nBow,"=""""",F_G,{coin}\n'
    )
    first, second = (card.values for card in found.cards)
    assert (first["isbn13"], second["isbn13"]) == ("978", None)
    assert (first["formula"], second["formula"]) == ("E_kin", "F_G")
    assert (first["cost"], second["cost"]) == ("2 wood", "coin")


def test_lists_in_json_differ_if_any_of_their_texts_does(folder):
    cards = [{"name": f"Spell {n}", **dict.fromkeys("abcdefgh", n), "parts": ["V", "S"][: n % 2 + 1]} for n in range(4)]
    found = part(folder / "cards.json", json.dumps(cards))
    assert "parts" in [column.name for column in found.columns.rest]


@pytest.mark.parametrize(
    ("told", "shown"), [("1,3", "A, C: x, z"), ("B & C", "B, C: y, z"), ("2", "B: y"), ("1,9", "1,9")]
)
def test_several_right_answers_are_told_with_their_texts(folder, told, shown):
    content = f'Question,Option 1,Option 2,Option 3,Correct answer\nWhich?,x,y,z,"{told}"\nWho?,u,v,w,2'
    found = part(folder / "cards.csv", content)
    assert answer(found.cards[0].values, found.columns) == shown


def test_numbers_that_all_differ_are_no_costs(folder):
    rows = [f"Beast {n},{n * 7},{n % 3},Bite {n}." for n in range(1, 11)]
    columns = part(folder / "cards.csv", "\n".join(["Name,Number,Cost,Text", *rows])).columns
    assert columns.cost == "cost"
    columns = part(folder / "cards.csv", "\n".join(["Name,Rank,Power,Text", *rows])).columns
    assert columns.cost is None and "rank" in [column.name for column in columns.rest]


def test_columns_with_questions_as_headings_are_paragraphs(folder):
    heading = "Do you like animals, and if so, which ones do you like best?"
    rows = [f"Ann {n},{'Oui' if n else 'Non'},It is nice {n}." for n in range(9)]
    columns = part(folder / "cards.csv", "\n".join([f"Name,{heading.replace(',', '')},Text", *rows])).columns
    assert [column.long for column in columns.rest] == [True]


def test_a_single_heading_above_a_list_is_no_type(folder):
    found = part(
        folder / "cards.md", "# Quests\n\nDraft 2, one each\n\n- Find it.\n- Lose it.\n- Keep it.\n- Sell it.\n"
    )
    assert [[*card.values.values()] for card in found.cards] == [["Find it."], ["Lose it."], ["Keep it."], ["Sell it."]]
    assert found.notes[-1] == "left out: rows 1, 3 (not in the list) (--all-rows prints every row)"


@pytest.mark.parametrize("headings", ["Name,STR,SAG,Text", "Name,SOL,BAL,Text"])
def test_labels_of_values_are_printed(folder, headings):
    columns = part(folder / "cards.csv", f"{headings}\nOrc,3,2,Hit.\nElf,2,3,Sing.").columns
    assert [column.label for column in columns.rest] == headings.split(",")[1:3]


def test_a_blank_column_of_colours_is_none(folder):
    assert part(folder / "cards.csv", "Name,Colour,Type\nOrc,,Foe\nElf,,Ally").columns.colour is None


def test_bold_words_at_the_beginning_of_items_are_titles(folder):
    lines = [f"- **Quest {n}** – Find *{n}* things." for n in range(4)]
    found = part(folder / "quests.md", "# Quests\n\n" + "\n".join(lines))
    assert [*found.cards[1].values.values()][:2] == ["Quest 1", "Find *1* things."]
    assert (found.columns.title, found.columns.rules, found.columns.back) == ("title", "text", None)


def test_headings_of_web_pages_and_of_languages_in_their_own_script(folder):
    page = "<table><tr><th>Land<th>Fläche<br>(km²)</tr><tr><td>Bayern<td>70.542<tr><td>Hessen<td>21.116</table>"
    assert [*part(folder / "page.html", page).columns.headings.values()] == ["Land", "Fläche (km²)"]
    columns = part(folder / "cards.csv", "Français,العربية,Genre\nla maison,بيت,f.\nle livre,كتاب,m.").columns
    assert (columns.headings[columns.front], columns.headings[columns.back]) == ("Français", "العربية")


def test_nothing_of_a_list_is_lost(folder):
    found = part(folder / "cards.txt", "Test\nB\n\nQ: Who?\nA: I\nQ: Where?\nA: Here\nQ: Open?\n")
    assert [[*card.values.values()] for card in found.cards] == [["Who?", "I"], ["Where?", "Here"], ["Open?", None]]
    assert "rows 1, 2 (above the table)" in found.notes[0]
    found = part(folder / "cards.md", "- *Run* to a tree - fast\n- Sit\n- **Hop** twice - slowly\n")
    assert [*found.cards[0].values.values(), len(found.cards)] == ["*Run* to a tree - fast", 3]
    content = "## A\n- *Run* home\n- Sit\n\n## B\n- Hop\n- **Jump** up\n"
    assert [card.values["title"] for card in part(folder / "cards.md", content).cards] == [
        *("*Run* home", "Sit", "Hop", "**Jump** up")
    ]
