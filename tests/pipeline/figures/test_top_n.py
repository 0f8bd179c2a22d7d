"""Counts of ranks, drawn."""

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures import rankings
from ironbark.pipeline.results import records


def rows(means):
    made = [
        {"dataset": dataset, "task": "binary", "noise_id": "clean", "noise": "clean", "rate": "0", "method": method}
        | {"repeat": 0, "fold": 0, "status": "ok", "average_precision": mean}
        for dataset, line in means.items()
        for method, mean in line.items()
    ]
    return records.frame(made, ["average_precision"])


MEANS = {"one": {"a": 0.9, "b": 0.8, "c": 0.8}, "two": {"a": 0.1, "b": 0.5, "c": 0.7}, "three": {"a": 0.1, "b": 0.5}}
SPEC = {"kind": "top-n", "task": "binary", "metric": "average_precision", "methods": ["a", "b", "c"]}


def test_lines_are_the_counts():
    figure = figures.draw(rows(MEANS), SPEC, {"a": "Alpha"}, caption_note="Note.")
    drawn = {line.get_gid(): list(line.get_ydata()) for line in figure.axes[0].lines}
    assert drawn == {"a": [1, 2, 3], "b": [1, 3, 3], "c": [1, 2, 2]}  # of two settings for c, three for the others
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["Alpha", "b", "c"]
    assert "3 settings" in figure.get_label()


def test_counts_by_hand():
    ranks = pd.DataFrame(np.random.default_rng(0).integers(1, 5, (30, 4)), columns=list("abcd"))
    found = rankings.counts(ranks)
    for n in range(1, 5):
        for method in ranks:
            assert found.loc[n, method] == sum(rank <= n for rank in ranks[method])


def test_nothing_selected_is_an_error():
    with pytest.raises(InputError, match="no result row"):
        figures.draw(rows(MEANS), SPEC | {"datasets": ["four"]})
