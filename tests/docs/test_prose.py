"""Pages, configuration and docstrings are short, in plain technical English, and link what exists."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: Expressions to avoid; write: the published values, next to, match, results, multiclass, fix, accuracy, is in, 0.5.
AVOIDED = (
    r"the print\b|printed (numbers?|values?|means?|ones)\b|beside the (print|paper)|comes? out at\b|what comes out\b",
    r"several classes\b|\bstrangers?\b|\bmend(s|ed|ing)?\b|how (often it was )?right (it|they)\b|(is|are|was) told\b",
    r"stands? (in (?!for)|under|beside|twice)|(?<![\w.\])}*])\.\d+ (%|points|of)",
)
FOUND = re.compile("|".join(AVOIDED), re.IGNORECASE)

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def tracked(*patterns):
    """Files of the repository, or of its folder where git does not know it."""
    command = ["git", "ls-files", "-co", "--exclude-standard", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False).stdout.decode().splitlines()
    names = listed or sorted({str(p.relative_to(ROOT)) for each in patterns for p in ROOT.rglob(each.split("/")[-1])})
    return [name for name in names if (ROOT / name).is_file()]


def docstrings(text):
    """Docstrings of a module and of all that it defines, as one text."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    return "\n".join(filter(None, map(ast.get_docstring, nodes)))


def prose(name):
    """What people read of a file: a page without code, a configuration as it is, the docstrings of a module."""
    text = (ROOT / name).read_text("utf-8")
    if name.endswith(".py"):
        return docstrings(text)
    return FENCE.sub("", text) if name.endswith(".md") else text


@pytest.mark.parametrize("kind", ["*.md", "config/*.yaml", "src/*.py"])
def test_no_expression_that_should_be_avoided(kind):
    names = tracked(kind)
    assert len(names) > 20
    found = {name: sorted({hit[0] for hit in FOUND.finditer(prose(name))}) for name in names}
    assert {name: hits for name, hits in found.items() if hits} == {}


def test_the_readme_fits_a_screen_or_two():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 120 and len(text.split()) <= 950


def anchors(path):
    """Anchors of the headings of a document."""
    headings = re.findall(r"^#+ +(.+)$", FENCE.sub("", path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\]\(.*?\)", "", t)).strip().lower().replace(" ", "-") for t in headings}


def broken(path):
    """Relative links of a document whose file or heading does not exist."""
    for target in LINK.findall(FENCE.sub("", path.read_text("utf-8"))):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        file = path.parent / name if name else path
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            yield target


def test_relative_links():
    assert {name: list(broken(ROOT / name)) for name in tracked("*.md") if any(broken(ROOT / name))} == {}
