"""Ours and the published values in the panels of methods, against the frame that they are drawn from."""

import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures.series import noise_id
from ironbark.pipeline.jobs.artefacts import READERS
from ironbark.pipeline.published.comparison import COLUMNS

SPEC = {"kind": "published-curves"}
NOISES = [("clean", "0"), ("uniform", "0.2"), ("class_conditional", "0.1/0.3"), ("mahalanobis", "")]


@pytest.fixture
def comparison():
    cells = [
        (dataset, method, noise, rate, 90.0 - i, 1.0, 80.0 - i - 10 * (method == "dt-gini"), 0.5, 5)
        for dataset in ("mnist", "unsw")
        for method in ("dt-ane", "dt-gini")
        for i, (noise, rate) in enumerate(NOISES)
    ]
    names = ["dataset", "method", "noise", "rate", "published_mean", "published_spread", "mean", "spread", "n"]
    frame = pd.DataFrame(cells, columns=names).reindex(columns=COLUMNS)
    return frame.assign(metric="accuracy", task="binary", verdict="not rejected", table="2")


def hollow(axis):
    """Heights of the open points."""
    return [list(line.get_ydata()) for line in axis.lines if line.get_markerfacecolor() == "white"]


def test_a_panel_has_our_line_and_open_published_points(comparison, tmp_path):
    figure = figures.draw(comparison, SPEC, {"dt-ane": "ANE"}, {"mahalanobis": "Maha"}, {"mnist": "MNIST"})
    assert [axis.get_title() for axis in figure.axes] == ["ANE", "dt-gini"]
    ours = [list(line.get_ydata()) for line in figure.axes[1].lines if line.get_linestyle() != "None"]
    assert ours.count([70.0, 69.0]) == 2  # clean and uniform, for each data set
    assert sorted(hollow(figure.axes[1])[0]) == [87, 88, 89, 90] and len(hollow(figure.axes[1])) == 2
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["MNIST", "unsw", "ours", "published"]
    ticks = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert ticks == ["0", "0.2", "class-conditional-0.1-0.3", "Maha"]
    assert figure.axes[0].get_ylim() == figure.axes[1].get_ylim()
    figures.save(figure, tmp_path / "curves")


def test_no_axis_ends_far_above_a_hundred_percent_or_cuts_a_published_value(comparison):
    comparison["published_mean"] = comparison["published_mean"].where(comparison["noise"] != "uniform", 5.0)
    axis = figures.draw(comparison.assign(mean=99.5, spread=5.0), SPEC).axes[0]
    assert axis.get_ylim()[0] < 5 and 100 < axis.get_ylim()[1] < 105


def test_a_file_of_the_comparison_gives_the_same(comparison, tmp_path):
    comparison.to_csv(tmp_path / "comparison.csv", index=False)
    read = READERS["comparison"](None, {}, {"comparison": tmp_path / "comparison.csv"})
    drawn = [figures.draw(frame, SPEC).axes[0] for frame in (comparison, read)]
    assert hollow(drawn[0]) == hollow(drawn[1])
    assert [[text.get_text() for text in axis.get_xticklabels()] for axis in drawn][1][-1] == "mahalanobis"


def test_methods_and_data_sets_are_chosen(comparison):
    figure = figures.draw(comparison, SPEC | {"methods": ["dt-gini"], "datasets": ["unsw"]})
    assert [axis.get_title() for axis in figure.axes] == ["dt-gini"] and len(hollow(figure.axes[0])) == 1


def test_a_cell_without_our_mean_is_not_drawn(comparison):
    left = comparison.assign(mean=comparison["mean"].where(comparison["noise"] != "uniform"))
    assert sorted(hollow(figures.draw(left, SPEC).axes[0])[0]) == [87, 88, 90]
    with pytest.raises(InputError, match="no published cell of which we have a mean"):
        figures.draw(comparison.assign(mean=float("nan")), SPEC)
    with pytest.raises(InputError, match="check its datasets, methods and task"):
        figures.draw(comparison, SPEC | {"task": "multiclass"})


def test_ids_of_noises_are_those_of_the_configuration():
    assert [noise_id(*pair) for pair in NOISES] == [
        "clean",
        "uniform-0.2",
        "class-conditional-0.1-0.3",
        "mahalanobis",
    ]
