"""Accuracies in the README and on pages are those of the picture, docs/figures/self-tuning.csv."""

from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[2]
FOUND = pd.read_csv(ROOT / "docs/figures/self-tuning.csv").set_index(["method", "rate"])["accuracy"]
SHOWN = {"README.md": (0.4,), "docs/choosing.md": (0.0, 0.2, 0.4), "docs/self-tuning.md": (0.0, 0.2, 0.4)}


@pytest.mark.parametrize("method", ["forest, self-tuned", "scikit-learn forest"])
@pytest.mark.parametrize("name", SHOWN)
def test_a_page_has_the_accuracies_of_the_picture(name, method):
    text = (ROOT / name).read_text("utf-8")
    assert all(f"{100 * FOUND[method, rate]:.1f}" in text for rate in SHOWN[name])


def test_the_forest_that_is_advertised_is_ahead_where_labels_are_wrong():
    ahead = FOUND.unstack("rate")
    rivals = ahead.drop(index="forest, self-tuned")
    assert (ahead.loc["forest, self-tuned", [0.2, 0.3, 0.4]] > rivals[[0.2, 0.3, 0.4]].max()).all()
