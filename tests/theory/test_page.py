"""docs/theorems.md lists the statements with their tests."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = ("gains", "trees", "losses", "minimax", "concentration", "curvature")


def listed():
    """Items of the page, from the first lines of the docstrings."""
    for path in (ROOT / f"tests/theory/test_{name}.py" for name in FILES):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                title = ast.get_docstring(node).partition("\n")[0].rstrip(".")
                yield f"- {title}: `{path.stem}.{node.name}`"


def test_the_page_lists_the_tests():
    items = "\n".join(listed())
    page = (ROOT / "docs/theorems.md").read_text("utf-8")
    assert items in page, f"docs/theorems.md must hold these items:\n{items}"
