"""A game night in the browser: filled-in forms are dropped, judged, saved, and seen in the league."""

from selenium.webdriver.common.by import By

from tests.forms import filled
from tests.presses import form_of


def filled_form(file, **marks):
    """A form of Upwards! with these marks, as a viewer saves it."""
    form = form_of("upwards", "sheet")
    file.write_bytes(filled(form, {name.replace("__", "."): mark for name, mark in marks.items()}))
    return str(file)


def test_dropped_forms_are_saved_to_the_league(studio, browser, wait, tmp_path):
    rows = {"option__rows": "/Yes", "grid__a1": "4"}
    forms = [
        filled_form(tmp_path / "nele.pdf", player="Nele", grid__a2="5", **rows),
        filled_form(tmp_path / "otto.pdf", player="Otto", **rows),
    ]
    running = studio("upwards", PENCILBOX_LEAGUE=str(tmp_path / "league.sqlite"))
    browser.get(running.first("/g/upwards/score"))
    wait("document.querySelector('.box')")
    browser.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys("\n".join(forms))
    wait("document.querySelector('#headline').textContent.startsWith('Nele wins')")
    browser.find_element(By.ID, "save").click()
    wait("document.querySelector('#save').textContent.includes('aved')")
    wait("!document.querySelector('#save').textContent.includes('Saving')")
    browser.get(running.at("/league?project=upwards"))
    names = wait("[...document.querySelectorAll('.standings tbody th')].map((each) => each.textContent)")
    assert names == ["Nele", "Otto"]
