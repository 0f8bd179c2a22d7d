"""The worked example of docs/label-errors.md and docs/reviewing.md runs, and gives what the pages say."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

DOCS = Path(__file__).parents[2] / "docs"


def blocks(kind, text):
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def test_the_pages_say_what_their_code_prints(tmp_path):
    text = (DOCS / "label-errors.md").read_text("utf-8").partition("## Options of the command")[0]
    review = (DOCS / "reviewing.md").read_text("utf-8")
    code = "\n".join(blocks("python", text) + blocks("python", review)[:1])
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "13" and lines[-3:] == ["11 9", "0.84 0.89", "13 [0.07, 0.17] False"], done.stdout
    command = [sys.executable, "-m", "ironbark.cli", "labels", "wine.csv", "--target", "cultivar"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    [shown] = blocks("text", text)
    assert set(shown.splitlines()) <= set(done.stdout.splitlines())
    subprocess.run([*command, "--review"], cwd=tmp_path, capture_output=True, check=True)
    sheet = pd.read_csv(tmp_path / "wine-review.csv", dtype=str)
    right = load_wine().target[sheet["row"].astype(int) - 2].astype(str)
    sheet["verdict"] = np.where(sheet["given"] == right, "keep", right)
    sheet.to_csv(tmp_path / "wine-review-answers.csv", index=False)
    command += ["--reviewed", "wine-review-answers.csv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    [shown] = blocks("text", review)
    assert set(shown.splitlines()) <= set(done.stdout.splitlines())
