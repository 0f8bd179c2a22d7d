"""The worked example of docs/label-errors.md runs, and gives what the page says."""

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/label-errors.md"


def test_the_page_says_what_its_code_prints(tmp_path):
    text = PAGE.read_text("utf-8").partition("## Options of the command")[0]
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "13" and lines[-3:] == ["11 9", "0.84 0.89", "13 [0.07, 0.17] False"], done.stdout
    command = [sys.executable, "-m", "ironbark.cli", "labels", "wine.csv", "--target", "cultivar"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    [shown] = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    assert set(shown.splitlines()) <= set(done.stdout.splitlines())
