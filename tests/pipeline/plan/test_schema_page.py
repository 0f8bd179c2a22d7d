"""Tables of configuration keys say what the schemas say."""

from pathlib import Path

import pytest
import yaml

from ironbark.pipeline.plan.documents import schema_page

ROOT = Path(__file__).parents[3]
TEXT = """
$defs:
  one:
    properties:
      late: {description: "Set by hand, e.g. two. A second sentence.", enum: [red, blue]}
      early: {description: "Either red or blue.", enum: [red, blue]}
  two:
    properties:
      late: {description: Of the other object.}
      url: {description: "Source url: an address."}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "workflow/schemas").mkdir(parents=True)
    (tmp_path / "workflow/schemas/toy.schema.yaml").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_first_sentences_and_choices_in_order(folder):
    rows = schema_page.keys(folder, "toy", "$defs.one", "$defs.two").splitlines()[2:]
    late = "| `late` | Set by hand, e.g. two (red, blue); Of the other object |"
    assert rows == ["| `early` | Either red or blue |", late]


def test_settings_have_their_defaults():
    lines = schema_page.settings(ROOT).splitlines()[2:]
    shown = {line.split(" | ")[0].strip("| `"): line.split(" | ")[1].strip("`") for line in lines}
    defaults = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    assert {key: yaml.safe_load(text) for key, text in shown.items()} == defaults
