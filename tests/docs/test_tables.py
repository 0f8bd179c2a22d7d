"""Tables in docs/tables and lists in schemas are current, pages link all tables, and their counts are in tables."""

import csv
import re
import runpy
from pathlib import Path

import pytest
from docs.update_pages import TABLES, csv_text

from docs import update_pages

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs/tables"
RENDER = runpy.run_path(str(ROOT / "docs/render_pages.py"))
PAGES = [*sorted(ROOT.glob("docs/*.md")), ROOT / "README.md", ROOT / "config/README.md"]
COUNT = re.compile(r"\b(\d+) of (?:the )?(\d+)\b")


@pytest.mark.parametrize("kind", ["schemas", "tables"])
def test_entries_are_listed(kind):
    for path, text in RENDER[kind](ROOT).items():
        assert path.read_text("utf-8") == text, "run python docs/render_pages.py"


@pytest.mark.parametrize("name", TABLES)
def test_results_are_those_of_the_reference(name):
    text = (FOLDER / f"{name}.csv").read_text("utf-8")
    assert text == csv_text(TABLES[name]()), "run python tests/docs/update_pages.py"


def test_every_table_is_linked():
    linked = {name for path in PAGES for name in re.findall(r"tables/([\w-]+)\.csv\)", path.read_text("utf-8"))}
    assert linked == {path.stem for path in FOLDER.glob("*.csv")}


@pytest.mark.parametrize("page", ["reproduction", "reproduction-ane", "reproduction-pg", "reproduction-rmb", "README"])
def test_counts_of_results_are_in_a_table(page):
    """ "112 of 112" of a page is in a table that it links; the README has those of the overview."""
    text = (ROOT / ("README.md" if page == "README" else f"docs/{page}.md")).read_text("utf-8")
    names = re.findall(r"tables/([\w-]+)\.csv\)", text) or ["tables-and-figures", "agreement"]
    values = " ".join((FOLDER / f"{name}.csv").read_text("utf-8") for name in names)
    found = [f"{a} of {b}" for a, b in COUNT.findall(" ".join(text.split()))]
    assert [count for count in found if not re.search(rf"\b{count}\b", values)] == []


def test_lines_of_tables_have_a_cell_for_each_head():
    for path in FOLDER.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            assert len({len(line) for line in csv.reader(file)}) == 1, path.name


def test_every_list_of_names_is_in_a_schema():
    texts = "".join(path.read_text("utf-8") for path in (ROOT / "workflow/schemas").glob("*.yaml"))
    assert {name for _, name in RENDER["LIST"].findall(texts)} == set(RENDER["NAMES"])


def test_published_cells_are_counted_once():
    assert len(update_pages.tables_overview.cells("ane")) > 400
    [*rows, total] = update_pages.tables_overview.published_cells()[1:]
    assert total[1] == sum(row[1] for row in rows) == 2034
    assert all(row[1] == sum(row[2:]) for row in (*rows, total))


def test_every_data_set_names_licence_citation_and_size():
    for id, entry in update_pages.tables_overview.config()["datasets"].items():
        assert "licence" in entry and ("cite" in entry or entry["source"] == "file"), id
        assert "papers" not in entry or "download" in entry, id
