"""The size of the project: it does not grow unnoticed. An issue says by how much it may raise a number."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

#: Part -> pattern of its files, most lines (words of Markdown), most files.
BUDGETS = {
    "library and pipeline": ("src/*.py", 32_200, 270),
    "own scripts of pages": ("src/*.js", 100, 2),
    "tests": ("tests/*.py", 28_000, None),
    "benchmarks": ("benchmarks/*.py", 1_800, None),
    "Markdown": ("*.md", 26_000, None),
    "pages": ("docs/*.md", None, 22),
}


@pytest.mark.parametrize(("pattern", "most", "most_files"), BUDGETS.values(), ids=BUDGETS)
def test_stays_within_its_budget(pattern, most, most_files):
    listed = subprocess.run(["git", "ls-files", pattern], cwd=ROOT, capture_output=True, text=True, check=True)
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in listed.stdout.split()]
    size = sum(len(text.split()) if pattern.endswith("md") else text.count("\n") for text in texts)
    assert texts and (most is None or size <= most) and (most_files is None or len(texts) <= most_files)
