"""Schemas and pages list what the entries declare."""

from pathlib import Path

import pytest
import yaml

from ironbark.pipeline.plan.documents import generated

ROOT = Path(__file__).parents[3]
COMMAND = "run python -m ironbark.pipeline.plan.documents.generated"


def test_the_schemas_have_the_names_of_the_entries():
    for path, text in generated.schemas(ROOT).items():
        assert path.read_text("utf-8") == text, COMMAND


def test_the_pages_have_the_tables_of_the_entries():
    for path, text in generated.pages(ROOT).items():
        assert path.read_text("utf-8") == text, COMMAND


def test_every_list_of_names_is_in_a_schema():
    texts = "".join(path.read_text("utf-8") for path in (ROOT / "workflow/schemas").glob("*.yaml"))
    assert {name for _, name in generated._LIST.findall(texts)} == set(generated.NAMES)


@pytest.mark.parametrize(("name", "parts"), generated.PARTS.items())
def test_every_part_has_its_marks_once(name, parts):
    text = (ROOT / name).read_text("utf-8")
    for part in parts:
        assert text.count(f"<!-- from the {part} -->") == text.count(f"<!-- end of the {part} -->") == 1


def test_a_name_that_a_schema_lacks_is_written(monkeypatch):
    monkeypatch.setitem(generated.NAMES, "papers", ["a", "new"])
    text = "paper:\n  enum: [a]  # names of papers\nother: {enum: [a]}\n"
    assert yaml.safe_load(generated.schema(text)) == {"paper": {"enum": ["a", "new"]}, "other": {"enum": ["a"]}}
    assert generated.schema(generated.schema(text)) == generated.schema(text)


def test_what_stands_around_the_marks_is_kept():
    page = "before\n<!-- from the x -->\nold\n<!-- end of the x -->\nafter\n"
    text = generated.page(page, {"x": lambda reproduction: f"new {reproduction}"}, "data")
    assert text == "before\n<!-- from the x -->\n\nnew data\n\n<!-- end of the x -->\nafter\n"
