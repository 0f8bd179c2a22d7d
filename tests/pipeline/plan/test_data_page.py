"""docs/data.md says what the catalogue says."""

from pathlib import Path

import pytest
import yaml

from ironbark.pipeline.data import SOURCES
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.documents import data_page

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def entries():
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return read(ROOT / "config", ROOT / "workflow/schemas", settings)["datasets"]


def test_every_source_names_where_an_entry_comes_from():
    entry = dict.fromkeys(("loader", "openml_id", "url", "archive", "name", "texts", "vectors", "images", "table"), "x")
    for name in SOURCES:
        assert data_page._origin({**entry, "source": name, "files": ["x"]})


def test_every_data_set_of_a_paper_names_licence_citation_and_size(entries):
    for id, entry in entries.items():
        assert "licence" in entry and ("cite" in entry or entry["source"] == "file"), id
        assert "papers" not in entry or "download" in entry, id
        assert set(entry.get("papers", {})) <= set(data_page.LABELS)


def test_a_row_and_its_remarks():
    entry = {
        **{
            "title": "Two | three; 1 is yes",
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
        "| `b-1` | Two \\| three | 1,200 x 3, 2 | [OpenML 7](https://www.openml.org/d/7) | 0.5 |  | PG, RMB |"
    )
    assert lines[-3:] == ["- `b-1` differs: A.", "- `b-1` differs in the mirror: C.", "- `b-1`: B."]
