"""The page of `ironbark labels --review` in a browser without network: by keyboard, undo, autosave, download, phone."""

import csv
import io
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ironbark.cli import main, review_page

CARD = "section:not([hidden])"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table with names that a page must escape, and its review of 12 rows."""
    place = tmp_path_factory.mktemp("review")
    rng = np.random.default_rng(0)
    true = rng.choice(["ill & <b>weak</b>", "well", 'so-so, "fine"'], 150)
    codes = np.unique(true, return_inverse=True)[1]
    labels = np.where(rng.random(150) < 0.15, np.roll(true, 1), true)
    frame = pd.DataFrame({"fever </script>": codes * 3 + rng.normal(size=150), "note": codes % 2, "state": labels})
    frame.to_csv(place / "sick.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        assert main(["labels", "sick.csv", "--target", "state", "--review", "--rows", "12", "--jobs", "1"]) == 0
    return place


def show(tab, folder):
    """Open the page without the answers that another test has left."""
    tab.open(folder / "sick-review.html")
    tab.run("answers = {}; history = []; at = 0; move(0); 1")


def press(tab, key):
    tab.run(f"document.dispatchEvent(new KeyboardEvent('keydown', {{key: {key!r}, bubbles: true}})); 1")


def text(tab, place):
    return tab.run(f"document.querySelector({place!r}).innerText")


def test_answers_by_keyboard_are_what_the_command_reads(tab, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    show(tab, folder)
    assert text(tab, "#progress-text") == "0 of 12 rows have an answer"
    for key in "kuk1kkkkkkkk":
        press(tab, key)
    assert text(tab, "#progress-text") == "12 of 12 rows have an answer: download them"
    content = tab.run("csv()")
    rows = list(csv.DictReader(io.StringIO(content)))
    assert [row["verdict"] for row in rows[:3]] == ["keep", "unsure", "keep"]
    assert rows[3]["verdict"] == tab.run("cards[3].dataset.suggested") != rows[3]["given"]
    Path("answers.csv").write_text(content)
    arguments = ["labels", "sick.csv", "--target", "state", "--reviewed", "answers.csv", "--jobs", "1"]
    assert main(arguments) == 0 and "checked: 12 rows, of which 1 are wrong" in capsys.readouterr().out
    assert main(["labels", "sick.csv", "--target", "state", "--review", "--rows", "12", "--jobs", "1"]) == 0


def test_undo_moves_and_autosave(tab, folder):
    show(tab, folder)
    press(tab, "k")
    press(tab, "u")
    press(tab, "z")
    assert text(tab, "#progress-text").startswith("1 of 12") and "card 2 of 12" in text(tab, f"{CARD} h2")
    press(tab, "ArrowLeft")
    assert tab.run(f"document.querySelector('{CARD} [aria-pressed=true]').innerText").startswith("Keep")
    for _ in range(100):  # what is kept reaches the next page with a delay
        tab.open(folder / "sick-review.html")
        if text(tab, "#progress-text").startswith("1 of 12"):
            break
    assert text(tab, "#progress-text").startswith("1 of 12") and "card 2 of 12" in text(tab, f"{CARD} h2")


@pytest.mark.parametrize(("classes", "digits"), [(["1", "2", "3"], False), (["ill", "well"], True)])
def test_keys_are_no_digits_where_labels_are(classes, digits):
    """The digit of a label must not stand for another one."""
    card = review_page._card("7", "", classes[:2], classes, [], [])
    assert bool(re.search('data-key="[0-9]"', card)) == digits and 'data-key="k" value="keep"' in card


def test_what_a_card_shows(tab, folder):
    show(tab, folder)
    table = pd.read_csv(folder / "sick.csv", dtype=str)
    row = int(tab.run("rows[0]"))
    assert table["state"][row - 2] in text(tab, f"{CARD} p")
    cells = tab.run(f"Array.from(document.querySelectorAll('{CARD} tbody tr'), r => r.cells[1].innerText)")
    assert cells == table.drop(columns="state").iloc[row - 2].tolist()
    heads = tab.run(f"Array.from(document.querySelectorAll('{CARD} thead th'), h => h.innerText)")
    assert heads[:3] == ["Column", "This row", "Unusual for label"] and 3 < len(heads) <= 6
    assert tab.run("document.querySelectorAll('b').length") == 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_accessibility_at_phone_width(tab, folder, dark):
    tab.look(width=390, height=800, dark=dark)
    show(tab, folder)
    assert tab.run("document.documentElement.scrollWidth") <= 390 and tab.violations() == []


def test_cards_of_wide_tables_end(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(review_page, "SHOWN", 1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sick.csv").write_bytes((folder / "sick.csv").read_bytes())
    assert main(["labels", "sick.csv", "--target", "state", "--review", "--rows", "3", "--jobs", "1"]) == 0
    page = (tmp_path / "sick-review.html").read_text()
    assert page.count("Columns not shown: 1<") == 3 and page.count(">note<") < 3


def test_values_are_unusual_if_less_than_a_twentieth_of_a_class_is_as_rare():
    n, rng = 401, np.random.default_rng(0)
    shops, numbers = np.r_[50, np.arange(n - 1) % 40], np.r_[np.nan, rng.normal(size=n - 1)]
    table = SimpleNamespace(X=np.c_[shops, numbers, np.arange(n) > 9], y=np.repeat("m", n))
    table.features, table.categorical, pairs = ["shop", "number", "flag"], [0], [("m", "m")] * n
    found = [review_page._unusual(table, name, range(n), pairs) for name in table.features]
    shop, number, flag = ([i for i, label in enumerate(labels) if label == "m"] for labels in found)
    ends = np.argsort(numbers)[[*range(20), *range(-21, 0)]]  # the missing one is the last
    assert shop == [0] and number == sorted(ends) and flag == list(range(10))
