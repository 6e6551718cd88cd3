"""The headings that mean the roles of columns, in English and five other languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache

ROLES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "key", "ref", "no", "nr", "card id", "card no", "card nr", "card number", "#"),
    "copies": (
        *("copies", "qty", "quantity", "number of copies", "no of copies", "count", "amount", "how many", "card count"),
        *("number of cards", "number in deck", "copies in deck", "count in deck", "quantity in deck", "qty in deck"),
        *("in deck", "per deck", "pcs", "pieces", "frequency", "x"),
    ),
    "title": ("title", "name", "card", "card name", "card title"),
    "front": ("front", "question", "term", "word"),
    "back": ("back", "answer", "definition", "translation"),
    "image": ("image", "art", "artwork", "picture", "illustration", "photo"),
    "cost": ("cost", "price", "mana", "mana cost", "number", "value"),
    "type": ("type", "kind", "category", "class", "type line"),
    "rules": ("rules", "text", "rule", "rules text", "effect", "ability", "description", "body"),
    "flavour": ("flavour", "flavor", "flavour text", "flavor text", "quote"),
    "footer": ("footer", "credit", "artist", "set"),
    "suit": ("suit",),
    "rank": ("rank",),
    "colour": ("colour", "color"),
}
"""The headings of each role. If two columns match, the one whose heading is listed first takes the role."""
COUNTS_COPIES = ("copies", "qty", "quantity", "numberofcopies", "noofcopies")
"""Folded headings that mean the number of copies even if a game declares them as fields."""
PAIRS = (
    *("front back", "question answer", "term definition", "word translation"),
    *("vorderseite rückseite", "frage antwort", "begriff definition", "begriff erklärung", "wort übersetzung"),
    *("recto verso", "question réponse", "terme définition", "mot traduction", "mot définition"),
    *("anverso reverso", "pregunta respuesta", "término definición", "palabra traducción", "palabra definición"),
    *("fronte retro", "domanda risposta", "termine definizione", "parola traduzione", "parola definizione"),
    *("voorkant achterkant", "vraag antwoord", "begrip definitie", "woord vertaling", "woord betekenis"),
)
"""The headings of the two sides of flash cards."""
LANGUAGES: Mapping[str, Mapping[str, str]] = {
    "German": {
        "id": "nummer, kartennummer, kartennr, schlüssel",
        "copies": "anzahl, anz, menge, stück, stückzahl, kopien, exemplare, anzahl karten, kartenanzahl, wie oft",
        "title": "titel, name, karte, kartenname, kartentitel, bezeichnung",
        "image": "bild, illustration, abbildung, grafik, foto, bilddatei",
        "cost": "kosten, preis, wert, zahl, mana",
        "type": "typ, art, kategorie, klasse, kartentyp, kartenart, sorte",
        "rules": "regeln, regel, regeltext, text, kartentext, effekt, wirkung, fähigkeit, beschreibung",
        "flavour": "stimmungstext, flavourtext, flavortext, zitat",
        "footer": "fußzeile, künstler, illustrator, quelle",
        "suit": "spielfarbe",
        "rank": "rang",
        "colour": "farbe",
    },
    "French": {
        "id": "numéro, n°, clé, identifiant, référence",
        "copies": "quantité, qté, nombre, exemplaires, copies, nombre d’exemplaires, nombre de cartes, nb",
        "title": "titre, nom, carte, nom de la carte",
        "image": "image, illustration, dessin, photo",
        "cost": "coût, prix, mana, valeur, chiffre",
        "type": "type, catégorie, classe, genre, famille",
        "rules": "règles, règle, texte, effet, pouvoir, capacité, description",
        "flavour": "texte d’ambiance, ambiance, citation",
        "footer": "pied de page, illustrateur, artiste, auteur, extension",
        "suit": "enseigne",
        "rank": "rang",
        "colour": "couleur",
    },
    "Spanish": {
        "id": "número de carta, clave, referencia",
        "copies": "cantidad, cant, copias, ejemplares, número de copias, cuántas, unidades",
        "title": "título, nombre, carta, nombre de la carta",
        "image": "imagen, ilustración, arte, dibujo, foto",
        "cost": "coste, costo, precio, maná, valor, número",
        "type": "tipo, categoría, clase",
        "rules": "reglas, regla, texto, efecto, habilidad, descripción",
        "flavour": "texto de ambientación, ambientación, cita",
        "footer": "pie, ilustrador, artista, autor, colección",
        "suit": "palo",
        "rank": "rango",
        "colour": "color",
    },
    "Italian": {
        "id": "numero carta, chiave, riferimento",
        "copies": "quantità, copie, numero di copie, esemplari, quante, pezzi",
        "title": "titolo, nome, carta, nome della carta",
        "image": "immagine, illustrazione, disegno, foto",
        "cost": "costo, prezzo, mana, valore, numero",
        "type": "tipo, categoria, classe",
        "rules": "regole, regola, testo, effetto, effetti, abilità, descrizione",
        "flavour": "testo di colore, citazione",
        "footer": "piè di pagina, illustratore, artista, autore, espansione",
        "suit": "seme",
        "rank": "rango",
        "colour": "colore",
    },
    "Dutch": {
        "id": "nummer, kaartnummer, sleutel",
        "copies": "aantal, hoeveelheid, kopieën, exemplaren, aantal kaarten, stuks",
        "title": "titel, naam, kaart, kaartnaam",
        "image": "afbeelding, plaatje, illustratie, tekening, foto",
        "cost": "kosten, prijs, waarde, getal, mana",
        "type": "type, soort, categorie, klasse",
        "rules": "regels, regel, tekst, effect, vaardigheid, omschrijving, beschrijving",
        "flavour": "sfeertekst, citaat",
        "footer": "voettekst, illustrator, kunstenaar, bron",
        "suit": "kaartkleur",
        "rank": "rang",
        "colour": "kleur",
    },
}
"""For each other language, the headings of each role, separated by commas."""
NUMBERS = ("number", "value", "zahl", "wert", "chiffre", "valeur", "numero", "valor", "valore", "getal", "waarde")
"""Folded headings of costs, which mean a rank if there is also a suit."""
_NAMES = """
english german french spanish italian dutch portuguese latin greek russian polish swedish danish norwegian
finnish czech hungarian turkish arabic hebrew japanese chinese korean ukrainian englisch deutsch franzosisch
spanisch italienisch niederlandisch latein griechisch russisch polnisch anglais allemand francais espagnol
italien ingles aleman frances espanol italiano inglese tedesco francese spagnolo engels duits frans spaans
nederlands kanji kana hiragana pinyin romaji
"""
LANGUAGE_NAMES = frozenset(_NAMES.split())
"""Folded names of languages and scripts: two such columns are the two sides of vocabulary cards."""
_IN_BRACKETS = re.compile(r"[(\[].*?[)\]]")
"""A unit or remark: `Cost (gold)`."""
_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "°": "o"})


def folded(heading: str) -> str:
    """A heading in lower case, without accents, spaces and punctuation: `Flavour-Text` → `flavourtext`."""
    if not heading.isascii():
        decomposed = unicodedata.normalize("NFKD", heading.translate(_LETTERS))
        heading = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return "".join(filter(str.isalnum, heading.casefold())) or heading.strip()


@cache
def _words(language: str) -> Mapping[str, tuple[str, int]]:
    """The folded headings of a language (“” for English), each with the role it means and its position in the list."""
    listed = {role: texts.split(", ") for role, texts in LANGUAGES[language].items()} if language else ROLES
    words: dict[str, tuple[str, int]] = {}
    for role, headings in listed.items():
        for position, heading in enumerate(headings):
            words.setdefault(folded(heading), (role, position))
    return words


@cache
def pairs() -> tuple[tuple[str, str], ...]:
    """The headings of the two sides of flash cards, folded."""
    return tuple((folded(front), folded(back)) for front, back in map(str.split, PAIRS))


def meaning(heading: str, language: str = "") -> tuple[str, int]:
    """The role that a heading means, in the singular or plural and without a unit in brackets, and its position in the
    list; ("", 0) for none. Words of `language`, if given, take precedence over English ones."""
    forms = [folded(heading)]
    if "(" in heading or "[" in heading:
        forms.append(folded(_IN_BRACKETS.sub("", heading)))
    for words in (_words(language), _words("")) if language else (_words(""),):
        for word in forms:
            for form in (word, word.removesuffix("s"), word.removesuffix("es")):
                if form in words:
                    return words[form]
    return "", 0


def language_of(headings: Iterable[str]) -> str:
    """The language of a table: the one that explains most of its non-English headings, or “” for English."""
    unknown = [folded(_IN_BRACKETS.sub("", heading)) for heading in headings if not meaning(heading)[0]]
    counts = {language: sum(word in _words(language) for word in unknown) for language in LANGUAGES} if unknown else {}
    best = max(counts, key=counts.__getitem__, default="")
    return best if best and counts[best] else ""


@cache
def _count_words() -> frozenset[str]:
    lists = [ROLES["copies"], *(words["copies"].split(", ") for words in LANGUAGES.values())]
    words = {folded(heading) for headings in lists for heading in headings if " " not in heading}
    return frozenset(words - {"x", "nb", "frequency", "menge"}) | {"copy"}


def names_a_count(heading: str) -> bool:
    """Whether a heading contains a word for a quantity: `Card Count`, `Anzahl im Stapel`."""
    return any(folded(word) in _count_words() for word in re.findall(r"\w+", heading))
