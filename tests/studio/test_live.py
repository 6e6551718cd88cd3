"""Saving a file in any editor shows on the page."""

import shutil

from generator import paths


def test_a_saved_table_changes_the_card(studio, browser, wait, tmp_path):
    shutil.copytree(paths.EXAMPLES / "sky_wonders", game := tmp_path / "sky_wonders")
    browser.get(studio(game).address)
    wait("[...document.querySelectorAll('#pieces li')].some((each) => each.textContent.includes('Paper Kite'))")
    picture = "document.querySelector('#pieces li:nth-child(3) img')?.src"
    before = wait(picture)
    table = game / "cards.csv"
    table.write_text(table.read_text().replace("Paper Kite", "Paper Dragon"))
    wait("[...document.querySelectorAll('#pieces li')].some((each) => each.textContent.includes('Paper Dragon'))")
    wait(f"{picture} !== arguments[0]", before)
