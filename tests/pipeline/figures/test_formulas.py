"""Pictures of definitions: published values, closed forms and points worked out by hand."""

import math

import numpy as np
import pytest

from ironbark.pipeline import figures
from ironbark.pipeline.figures import losses
from ironbark.pipeline.figures.impurities import PARENT, PEAKED, SPLITS, risk_reduction
from ironbark.pipeline.figures.losses import BOOSTERS, GOAL, TIME, WEIGHTS, weights_along


@pytest.mark.parametrize(("title", "printed"), [("Sqrt Gini", (0.298, 0.200)), ("Misclassification", (0.507, 0.600))])
def test_risk_reductions_are_the_printed_ones(title, printed):
    gains = [risk_reduction(PEAKED[title], PARENT, *ends)[0] for ends in SPLITS]
    assert [round(gain, 3) for gain in gains] == list(printed)
    for left, right in SPLITS:
        _, share = risk_reduction(PEAKED[title], PARENT, left, right)
        assert share * left + (1 - share) * right == pytest.approx(PARENT)


def test_gaps_and_chords_are_drawn_where_they_are():
    figure = figures.draw(None, {"kind": "risk-reductions"}, caption_note="Study s.")
    assert [axis.get_title() for axis in figure.axes] == list(PEAKED)
    gaps = [line for axis in figure.axes for line in axis.lines if str(line.get_gid()).startswith("gap")]
    assert [round(np.ptp(line.get_ydata()), 3) for line in gaps] == [0.298, 0.2, 0.507, 0.6]
    chord = next(line for line in figure.axes[1].lines if line.get_gid() == "split 1")
    assert list(chord.get_xdata()) == [0, 0.67]
    assert list(chord.get_ydata()) == pytest.approx([0, 0.66])  # 2 min(p, 1 - p)


def test_losses_and_impurities():
    figure = figures.draw(None, {"kind": "losses-and-impurities"})
    left, right = figure.axes
    (loss,) = left.lines
    at = dict(zip(loss.get_xdata().round(9), loss.get_ydata(), strict=True))
    assert at[-2] == at[-1] == 1
    assert (at[0], at[1]) == (pytest.approx(math.exp(-1)), pytest.approx(math.exp(-2)))
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


def test_only_below_one_half_is_any_loss_of_the_figure_concave():
    axes = figures.draw(None, {"kind": "loss-curvature"}).axes
    drawn = {line.get_gid(): line.get_xydata() for axis in axes for line in axis.lines}
    ends = {}
    for label, (name, params) in (item for group in losses.LOSSES.values() for item in group.items()):
        p, values = drawn[label].T
        assert values == pytest.approx(losses.curvature(name, p, **params)) and (values[p > 0.5] >= 0).all()
        ends[label] = max(p[values < 0], default=None)
    assert ends["CCE"] is None and ends["SCE, $a$ = $b$ = 1"] is None
    assert ends["GCE, $q$ = 0.5"] == pytest.approx(1 / 3, abs=0.003)  # q / (1 + q)
    assert ends["$r$ = 0.5, $q$ = 0.3"] == pytest.approx(0.209, abs=0.003)
    assert ends["$r$ = 1, $q$ = 0.3"] == pytest.approx(0.186, abs=0.003)


@pytest.fixture(scope="module")
def along():
    """Method -> weights of the mislabelled sample by round."""
    return {name: weights_along(booster) for boosters in BOOSTERS.values() for name, booster in boosters.items()}


def at(method, margin, passed=0.0):
    """Weight of a margin, relative to that of margin 0."""
    weight = WEIGHTS[method, passed]
    return float(weight(np.array(margin)) / weight(np.array(0.0)))


def test_weights_of_margins():
    assert math.erfc(math.sqrt(TIME)) == pytest.approx(GOAL)
    for method in ("AdaBoost", "GentleBoost"):
        assert at(method, -2.0) == pytest.approx(math.e**2)
    assert at("LogitBoost", -2.0) == at("LogitBoost", 2.0) == pytest.approx(1 / math.cosh(2) ** 2)
    for passed, left in ((0.0, TIME), (0.5, TIME / 2)):
        assert at("BrownBoost", 1.0, passed) == pytest.approx(math.exp((left**2 - (1 + left) ** 2) / TIME))
    assert at("RobustBoost", -4.0) == 0 and at("RobustBoost", -3.0) > 1


def test_weights_along_the_rounds_and_by_linear_programs(along):
    assert all(weights[0] == pytest.approx(1) for weights in along.values())
    assert min(along[method][-1] for method in ("AdaBoost", "GentleBoost")) > 5
    robust = ("LogitBoost", "BrownBoost", "RobustBoost")
    assert max(along[method][-1] for method in robust) < 0.01, "the robust ones give it up"
    ended = {method for method in BOOSTERS["One mislabelled sample"] if len(along[method]) < 100}
    assert ended == {"BrownBoost", "RobustBoost"}
    most = {method: weights.max() for method, weights in along.items()}
    assert most["RMBoost"] < 6 < most["LPBoost"] == pytest.approx(10)  # the cap is 1 / nu
    assert most["RMBoost (vertex)"] > 60  # a fifth of all weight, and more, on one of 300 samples
    assert most["LPBoost (hard)"] == pytest.approx(300) and along["LPBoost (hard)"].min() < 1e-9
