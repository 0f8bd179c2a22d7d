"""The worked example of docs/label-errors.md and docs/reviewing.md runs, and gives what the pages say."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

from ironbark.cli import main

DOCS = Path(__file__).parents[2] / "docs"


def blocks(kind, text):
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def test_the_pages_say_what_their_code_prints(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "label-errors.md").read_text("utf-8").partition("## Options of the command")[0]
    review = (DOCS / "reviewing.md").read_text("utf-8")
    exec("\n".join(blocks("python", text) + blocks("python", review)[:1]), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "13" and lines[-3:] == ["11 9", "0.84 0.89", "13 [0.07, 0.17] False"], lines

    def printed(*options):
        assert main(["labels", "wine.csv", "--target", "cultivar", *options]) == 0
        return set(capsys.readouterr().out.splitlines())

    [shown] = blocks("text", text)
    assert set(shown.splitlines()) <= printed()
    printed("--review")
    sheet = pd.read_csv("wine-review.csv", dtype=str)
    right = load_wine().target[sheet["row"].astype(int) - 2].astype(str)
    sheet["verdict"] = np.where(sheet["given"] == right, "keep", right)
    sheet.to_csv("wine-review-answers.csv", index=False)
    [shown] = blocks("text", review)
    assert set(shown.splitlines()) <= printed("--reviewed", "wine-review-answers.csv")
