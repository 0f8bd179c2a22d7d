"""Counts of the README's table of papers are those of docs/reproduction.md."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def line(file, start):
    [found] = [text for text in (ROOT / file).read_text("utf-8").splitlines() if text.startswith(start)]
    return found


@pytest.mark.parametrize(
    ("paper", "tables"),
    [("PG", {"PG Table III": ""}), ("RMB", {"RMB Table 3": "Table 3: ", "RMB Table 5": "Table 5: "})],
)
def test_each_table_of_a_paper_that_was_run_is_counted(paper, tables):
    stated = line("README.md", f"| {paper}: ").split("|")[4]
    for table, before in tables.items():
        count = re.search(r"(\d+ of \d+) not rejected", line("docs/reproduction.md", f"| {table} |"))[1]
        assert f"{before}{count}" in stated
    assert len(re.findall(r"\d+ of \d+", stated)) == len(tables)
