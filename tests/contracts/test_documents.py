"""Markdown files agree with what they describe: links, columns."""

import re
import subprocess
from pathlib import Path

from ironbark.pipeline.results.records import COLUMNS

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def documents():
    """All Markdown files of the repository, or of its folder where git does not know it."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, check=False
    )
    paths = [ROOT / name for name in listed.stdout.decode().splitlines()]
    return paths or [path for place in ("", "docs") for path in (ROOT / place).glob("*.md")]


def anchors(path):
    """Anchors of the headings of a document."""
    headings = re.findall(r"^#+ +(.+)$", FENCE.sub("", path.read_text("utf-8")), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", re.sub(r"\]\(.*?\)", "", text)).strip().lower().replace(" ", "-") for text in headings
    }


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
    found = documents()
    assert len(found) > 20
    assert {str(path.relative_to(ROOT)): list(broken(path)) for path in found if any(broken(path))} == {}


def test_all_columns_of_the_rows_are_documented():
    text = (ROOT / "results/README.md").read_text("utf-8").partition("## Columns of rows.parquet")[2]
    lines = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    named = [name for line in lines for name in re.findall(r"`(\w+)`", line)]
    assert sorted(named) == sorted(COLUMNS)
