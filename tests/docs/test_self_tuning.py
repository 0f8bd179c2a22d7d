"""Accuracies in the README and the guide are those of the picture, docs/figures/self-tuning.csv."""

from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[2]
FOUND = pd.read_csv(ROOT / "docs/figures/self-tuning.csv").set_index(["method", "rate"])


def words(name):
    return " ".join((ROOT / name).read_text("utf-8").split())


def percent(method, rate):
    return f"{100 * FOUND.loc[(method, rate), 'accuracy']:.1f}"


def test_readme():
    ours, forest, trees = (percent(name, 0.4) for name in ("forest, self-tuned", "scikit-learn forest", "LightGBM"))
    count = FOUND["tables"].iloc[0]
    text = (
        f"accuracy of {ours} %, scikit-learn's forest {forest} % and LightGBM {trees} % (means over {count} data sets"
    )
    assert text in words("README.md")


def test_guide():
    rates = (0.0, 0.2, 0.4)
    ours, forest = (" / ".join(percent(m, r) for r in rates) for m in ("forest, self-tuned", "scikit-learn forest"))
    assert f"{ours} % accuracy with 0 / 20 / 40 % wrong labels; scikit-learn's forest {forest} %" in words(
        "docs/choosing.md"
    )


def test_the_forest_that_is_advertised_is_ahead_where_labels_are_wrong():
    ahead = FOUND["accuracy"].unstack("rate")
    rivals = ahead.drop(index="forest, self-tuned")
    assert (ahead.loc["forest, self-tuned", [0.2, 0.3, 0.4]] > rivals[[0.2, 0.3, 0.4]].max()).all()
