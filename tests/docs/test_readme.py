"""Counts of the README's table of papers are those of docs/reproduction.md."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


COUNTED = {"PG": {"PG Table III": ""}, "RMB": {"RMB Table 3": " in Table 3", "RMB Table 5": " in Table 5"}}


@pytest.mark.parametrize("paper", COUNTED)
def test_each_table_of_a_paper_that_was_run_is_counted(paper):
    [row] = re.findall(rf"^[|] {paper}: .*", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    stated = row.split("|")[4]
    for table, after in COUNTED[paper].items():
        text = (ROOT / "docs/reproduction.md").read_text("utf-8")
        count = re.search(rf"^[|] {table} [|].* (\d+ of \d+) not rejected", text, re.MULTILINE)[1]
        assert f"{count}{after}" in stated
    assert len(re.findall(r"\d+ of \d+", stated)) == len(COUNTED[paper])
