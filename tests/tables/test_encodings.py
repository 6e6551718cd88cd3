"""Encodings that are certain are recognised; others are asked for."""

import pytest

from generator.errors import InputError
from generator.tables.delimited import checked_encoding, delimited, recognised_encoding

RUSSIAN = "Название;Количество;Текст\nВоин;3;Нанесите два урона любой цели.\nЛучник;2;Дальний бой.\n"
CHINESE = "名称,数量,效果\n火球术,2,对一个敌人造成五点伤害。\n守卫,3,嘲讽。\n治疗,1,恢复三点生命值。\n"
JAPANESE = "カード名,枚数,効果\n火の玉,2,相手に3点のダメージを与える。\n"
KOREAN = "이름,수량,설명\n기사,3,이번 턴에 두 번 공격한다.\n궁수,2,멀리 있는 적을 공격한다.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "cp1251"),
        (RUSSIAN.upper() + RUSSIAN * 3, "cp1251"),
        (CHINESE, "gb18030"),
        (JAPANESE, "cp932"),
        (KOREAN, "cp949"),
        ("Название;Цена\nМеч;3\n", "cp1251"),
        ("Дата;Событие\n862 г.;Призвание варягов\n882 г.;О Руси и о нас\n988 г.;Крещение\n1097 г.;Съезд\n", "cp1251"),
        ("Nom,Texte\nÉpée,Frappe à côté.\n", "cp1252"),
        ("Název;Počet\nRytíř;3\n", "cp1250"),
        ("Kelime;Yasak 1\nKahvaltı;çay\nÖğretmen;okul\nŞemsiye;yağmur\n", "cp1254"),
        ("a;b\nİstanbul'da güneş;ışık\n", "cp1254"),
        ("a;b\nzielona gęś;mały koń\nżaba;świat\nwąż;król\n", "cp1250"),
        ("a;b\nkůň;příliš žluťoučký\nděti;ďábel\n", "cp1250"),
        ("a;b\nőz;fűszer\nerdő;szép tündér\n", "cp1250"),
        ("a;b\nčovjek;žena\nšuma;đak\nkuća;više\n", "cp1250"),
        ("a;b\nMaður;þorp\nfjörður;Þórsmörk ætíð\n", "cp1252"),
        ("a;b\nmuñeca;¿dónde está?\ncorazón;año\n", "cp1252"),
        ("a;b\nCrème brûlée;œuf “dur”\nNoël;ça va…\n", "cp1252"),
        ("a;b\nÄpfel & Öl;süß – groß\n", "cp1252"),
        ("a;b\nmañana;corações, irmãos\n", "cp1252"),
        ("a;b\nsmørbrød;blåbær og gås\n", "cp1252"),
        ("a;b\nåker;lönn, älg, idé\n", "cp1252"),
        ("Name;Text\nStrasse;SISI – “IT IS” … it’s\n", "cp1252"),
        ("a;b\nArrivée;la peste à Marseille\nÈre;fête de Noël\n", "mac-roman"),
        ("a;b\nÄpfel;Tür\nBär;Löwe, größere Käfer\n", "mac-roman"),
    ],
)
def test_what_is_certain_is_recognised(text, encoding):
    assert recognised_encoding(text.encode(encoding), "cards.csv") == encoding


@pytest.mark.parametrize(
    ("text", "encoding"), [(RUSSIAN, "koi8-r"), ("Όνομα;Τιμή\nΞίφος;3\n", "cp1253"), ("שם,מחיר\nחרב,3\n", "cp1255")]
)
def test_what_is_not_certain_is_asked_for(tmp_path, text, encoding):
    path = tmp_path / "cards.csv"
    path.write_bytes(text.encode(encoding))
    with pytest.raises(InputError, match="its encoding is not certain; state it, for example with --encoding"):
        delimited(path, "cards.csv")
    assert delimited(path, "cards.csv", encoding).rows[0][1] == text.splitlines()[0].replace(";", ",").split(",")


@pytest.mark.parametrize("name", ["latin-9000", "rot13", "base64", ""])
def test_an_unknown_encoding_is_refused(name):
    with pytest.raises(InputError, match="there is no encoding"):
        checked_encoding(name)


def test_a_stated_encoding_that_does_not_fit_is_reported(tmp_path):
    path = tmp_path / "cards.csv"
    path.write_bytes(b"Name\n\xff\xfe\xff\n")
    with pytest.raises(InputError, match=r"cards\.csv:2: not valid UTF-8; state its encoding with --encoding"):
        delimited(path, "cards.csv", "utf-8")
