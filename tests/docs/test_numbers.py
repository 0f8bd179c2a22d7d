"""The numbers of the reproduction pages are those of `data/reference`, those of the arena page of its pack.

Each module ``statements_<page>`` lists functions that compute one statement of a page, a table or a sentence, from the
reference results. The page must hold it word for word. A sentence of a page that counts something ("3 of 15") and is in
no statement fails.
"""

import re
from pathlib import Path

import pytest

from docs import statements_ane, statements_arena, statements_overview, statements_pg, statements_rgbdt, statements_rmb

ROOT = Path(__file__).parents[2]
PAGES = {
    "arena": statements_arena,
    "reproduction-ane": statements_ane,
    "reproduction-pg": statements_pg,
    "reproduction-rgbdt": statements_rgbdt,
    "reproduction-rmb": statements_rmb,
    "reproduction": statements_overview,
}
COUNT = re.compile(r"\b\d+ of (?:the )?\d+\b|\b\d+/\d+ cells\b")


def words(text):
    """Text without line breaks and repeated blanks."""
    return " ".join(text.split())


def page(name):
    return words((ROOT / f"docs/{name}.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "statement"),
    [(name, statement) for name, module in PAGES.items() for statement in module.STATEMENTS],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_page_says_what_the_reference_results_give(name, statement):
    text = statement()
    assert words(text) in page(name), f"docs/{name}.md must hold this, word for word:\n{text}"


@pytest.mark.parametrize("name", PAGES)
def test_every_count_is_computed(name):
    rest = page(name)
    for statement in PAGES[name].STATEMENTS:
        rest = rest.replace(words(statement()), "")
    assert not COUNT.findall(rest), "list the sentence in the statements of this page, or drop it"


def test_every_reproduction_page_is_listed():
    assert set(PAGES) - {"arena"} == {path.stem for path in (ROOT / "docs").glob("reproduction*.md")}


def test_the_count_of_robust_lgb_is_not_the_one_that_ignored_ties():
    """Once written as "better in 5 of 15", which counted ties as gains."""
    text = statements_rgbdt.robust_losses()
    assert "better in 3 of 15 settings, equal in 2 and worse in 10" in text


def test_the_verdict_on_the_authors_gradient_can_be_either():
    assert "gradient explains the published ranks" in statements_rgbdt.verdict(5.0, 3.0, 2.0)
    for rank in (5.0, 4.0, 6.5):
        assert "gradient does not explain the published ranks" in statements_rgbdt.verdict(5.0, rank, 2.0)
