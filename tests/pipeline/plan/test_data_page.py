"""docs/data.md says what the catalogue says."""

from pathlib import Path

import pytest
import yaml

from ironbark.pipeline.analysis.kinds import PRINTED_DATASETS
from ironbark.pipeline.data import SOURCES
from ironbark.pipeline.plan import data_page
from ironbark.pipeline.plan.config.reading import read

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def entries():
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return read(ROOT / "config", ROOT / "workflow/schemas", settings)["datasets"]


def test_the_page_is_that_of_the_catalogue(entries):
    page = (ROOT / data_page.PAGE).read_text("utf-8")
    assert page.count(data_page.START) == page.count(data_page.END) == 1
    assert page == data_page.renewed(page, entries), "run python -m ironbark.pipeline.plan.data_page"


def test_every_source_has_its_words():
    assert set(data_page.ORIGINS) == set(SOURCES)
    assert set(data_page.PAPERS) == set(PRINTED_DATASETS)


def test_every_data_set_of_a_paper_names_licence_citation_and_size(entries):
    for id, entry in entries.items():
        assert "licence" in entry and ("cite" in entry or entry["source"] == "file"), id
        assert "papers" not in entry or "download" in entry, id
        assert set(entry.get("papers", {})) <= set(data_page.PAPERS)


def test_a_row_and_its_remarks():
    entry = {
        **{
            "title": "Two | three",
            "source": "openml",
            "openml_id": 7,
            "download": 0.5,
            "papers": {"pg": "x", "rmb": "y"},
        },
        **{"licence": "CC BY 4.0 (UCI Machine Learning Repository)", "expect": {"n": 1200, "d": 3, "k": 2}},
        **{"deviations": ["A."], "notes": ["B."], "in_mirror": {"deviations": ["C."]}},
    }
    lines = data_page.text({"b-1": entry, "a-1": {"title": "A", "source": "mirror"}}).splitlines()
    assert lines[3] == "| `a-1` | A |  | a mirror only |  |  |  |"
    assert lines[4] == (
        "| `b-1` | Two \\| three | 1,200 x 3, 2 | [OpenML 7](https://www.openml.org/d/7) | 0.5 "
        "| CC BY 4.0, UCI | PG, RMB |"
    )
    assert lines[-3:] == ["- `b-1` differs: A.", "- `b-1` differs in the mirror: C.", "- `b-1`: B."]


def test_what_stands_around_the_marks_is_kept(entries):
    page = f"before\n{data_page.START}\nold\n{data_page.END}\nafter\n"
    renewed = data_page.renewed(page, {"a": entries["iris"]})
    assert renewed.startswith(f"before\n{data_page.START}\n\n| Id") and renewed.endswith(f"{data_page.END}\nafter\n")
    assert "old" not in renewed and "`a`" in renewed
