"""Pictures of definitions: the values that the paper prints, and curves at points worked out by hand."""

import math

import numpy as np
import pytest

from ironbark.pipeline import figures
from ironbark.pipeline.figures.impurities import PARENT, PEAKED, SPLITS, risk_reduction


@pytest.mark.parametrize(("title", "printed"), [("Sqrt Gini", (0.298, 0.200)), ("Misclassification", (0.507, 0.600))])
def test_risk_reductions_are_the_printed_ones(title, printed):
    gains = [risk_reduction(PEAKED[title], PARENT, *ends)[0] for ends in SPLITS]
    assert [round(gain, 3) for gain in gains] == list(printed)


def test_shares_of_the_children_give_back_the_parent():
    for left, right in SPLITS:
        _, share = risk_reduction(PEAKED["Sqrt Gini"], PARENT, left, right)
        assert share * left + (1 - share) * right == pytest.approx(PARENT)


def test_gaps_and_chords_are_drawn_where_they_are(tmp_path):
    figure = figures.draw(None, {"kind": "risk-reductions"}, caption_note="Study s.")
    assert [axis.get_title() for axis in figure.axes] == list(PEAKED)
    gaps = [line for axis in figure.axes for line in axis.lines if str(line.get_gid()).startswith("gap")]
    assert [round(np.ptp(line.get_ydata()), 3) for line in gaps] == [0.298, 0.2, 0.507, 0.6]
    chord = next(line for line in figure.axes[1].lines if line.get_gid() == "split 1")
    assert list(chord.get_xdata()) == [0, 0.67]
    assert list(chord.get_ydata()) == pytest.approx([0, 0.66])  # 2 min(p, 1 - p)
    figures.save(figure, tmp_path / "a")


def test_losses_and_impurities():
    figure = figures.draw(None, {"kind": "losses-and-impurities"})
    left, right = figure.axes
    (loss,) = left.lines
    at = dict(zip(loss.get_xdata().round(9), loss.get_ydata(), strict=True))
    assert at[-2] == at[-1] == 1
    assert (at[0], at[1]) == (pytest.approx(math.exp(-1)), pytest.approx(math.exp(-2)))
    assert [tick.get_text() for tick in left.get_xticklabels()] == ["$-\\mu$", "0"]
    assert list(left.get_xticks()) == [-1, 0]
    curves = {line.get_label(): dict(zip(line.get_xdata(), line.get_ydata(), strict=True)) for line in right.lines}
    peaks = {name: max(curve.values()) for name, curve in curves.items()}
    expected = {f"NE, $\\lambda$ = {v}": v for v in (0.2, 0.5, 0.8)} | {f"GCE, $q$ = {v}": 1 for v in (0.2, 0.5, 0.8)}
    assert peaks == pytest.approx(expected | {"CL": 1, "CE": 1})
    assert curves["CL"][0.25] == 0.5
    assert curves["NE, $\\lambda$ = 0.5"][0.25] == pytest.approx(math.sqrt(0.25 * 0.75))
    assert curves["NE, $\\lambda$ = 0.5"][0.125] == 0.25  # up to 0.2 it is the conservative line
    assert curves["CE"][0.25] == pytest.approx(2 - 0.75 * math.log2(3))
    q, r = 0.5, 2.0
    by_hand = (1 - (0.25**r + 0.75**r) ** (1 / r)) / (1 - (2 * 0.5**r) ** (1 / r))
    assert curves[f"GCE, $q$ = {q}"][0.25] == pytest.approx(by_hand)
