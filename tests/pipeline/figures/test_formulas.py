"""Pictures of definitions: published values, closed forms and points worked out by hand."""

import math

import numpy as np
import pytest
from scipy.special import expit, logit

from ironbark.pipeline import figures
from ironbark.pipeline.figures import losses
from ironbark.pipeline.figures.impurities import PARENT, PEAKED, SPLITS, risk_reduction
from ironbark.pipeline.figures.losses import BOOSTERS, GOAL, TIME, WEIGHTS, disc, frame


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


P = np.linspace(0.01, 0.99, 99)
U = 1 - P

#: Closed forms of the second derivative by the score.
FORMS = {
    "CCE": P * U,
    "MAE": P * U * (2 * P - 1),
    "GCE, $q$ = 0.5": P**0.5 * U * (P - 0.5 * U),
    "SCE, $a$ = $b$ = 1": P * U * (1 + (2 * P - 1)),
}


@pytest.mark.parametrize("label", FORMS)
def test_closed_forms(label):
    name, params = losses.LOSSES["Losses"][label]
    assert losses.curvature(name, P, **params) == pytest.approx(FORMS[label], abs=1e-12)


@pytest.mark.parametrize("label", losses.LOSSES["Robust focal loss"])
def test_robust_focal_loss_against_differences(label):
    name, params = losses.LOSSES["Robust focal loss"][label]
    r, q = params["r"], params["q"]

    def loss(z):
        return expit(-z) ** r * (1 - expit(z) ** q) / q

    z, step = logit(P), 1e-4
    differences = (loss(z + step) - 2 * loss(z) + loss(z - step)) / step**2
    assert losses.curvature(name, P, **params) == pytest.approx(differences, abs=1e-6)


def test_only_below_one_half_is_any_loss_of_the_figure_concave():
    found = losses._frame()
    lines = {
        line.get_gid(): line for axis in figures.draw(None, {"kind": "loss-curvature"}).axes for line in axis.lines
    }
    for label, part in found.groupby("loss"):
        assert lines[label].get_ydata() == pytest.approx(part["curvature"])
    assert (found[found["p"] > 0.5]["curvature"] >= 0).all()
    ends = found[found["curvature"] < 0].groupby("loss")["p"].max()
    assert "CCE" not in ends and "SCE, $a$ = $b$ = 1" not in ends
    assert ends["GCE, $q$ = 0.5"] == pytest.approx(1 / 3, abs=0.003)  # q / (1 + q)
    assert ends["$r$ = 0.5, $q$ = 0.3"] == pytest.approx(0.209, abs=0.003)
    assert ends["$r$ = 1, $q$ = 0.3"] == pytest.approx(0.186, abs=0.003)


@pytest.fixture(scope="module")
def data():
    return frame()


def test_disc():
    X, y = disc()
    inside = (X**2).sum(axis=1) < 2 / np.pi
    assert X[0].tolist() == [0, 0] and y[0] == -1
    assert np.array_equal(y[1:] == 1, inside[1:]) and abs(inside.mean() - 0.5) < 0.1


def at(data, method, margin, passed=0.0):
    part = data[(data["panel"] == "margin") & (data["method"] == method) & (data["passed"] == passed)]
    return float(np.interp(margin, part["x"], part["y"]))


def test_weights_of_margins(data):
    assert math.erfc(math.sqrt(TIME)) == pytest.approx(GOAL)
    for method, passed in WEIGHTS:
        assert at(data, method, 0.0, passed) == 1
    for method in ("AdaBoost", "GentleBoost"):
        assert at(data, method, -2.0) == pytest.approx(math.e**2)
    assert at(data, "LogitBoost", -2.0) == at(data, "LogitBoost", 2.0) == pytest.approx(1 / math.cosh(2) ** 2)
    for passed, left in ((0.0, TIME), (0.5, TIME / 2)):
        assert at(data, "BrownBoost", 1.0, passed) == pytest.approx(math.exp((left**2 - (1 + left) ** 2) / TIME))
    assert at(data, "RobustBoost", -4.0) == 0 and at(data, "RobustBoost", -3.0) > 1


def test_weights_along_the_rounds(data):
    for panel, boosters in BOOSTERS.items():
        for method in boosters:
            part = data[(data["panel"] == panel) & (data["method"] == method)]
            assert part["y"].iloc[0] == pytest.approx(1) and list(part["x"]) == list(range(1, len(part) + 1))
    rounds = data[data["panel"] == "rounds"]
    last = rounds.groupby("method", sort=False)["y"].last()
    assert (last[["AdaBoost", "GentleBoost"]] > 5).all()
    assert (last[["LogitBoost", "BrownBoost", "RobustBoost"]] < 0.01).all()  # the robust ones give it up
    ended = rounds.groupby("method")["ended"].last()
    assert set(ended[ended.astype(bool)].index) == {"BrownBoost", "RobustBoost"}


def test_weights_by_linear_programs(data):
    parts = data[data["panel"] == "programs"].groupby("method")["y"]
    assert parts.max()["RMBoost"] < 6 < parts.max()["LPBoost"] == pytest.approx(10)  # the cap is 1 / nu
    assert parts.max()["RMBoost (vertex)"] > 60  # a fifth of all weight, and more, on one of 300 samples
    assert parts.max()["LPBoost (hard)"] == pytest.approx(300) and parts.min()["LPBoost (hard)"] < 1e-9


def test_weights_are_drawn():
    figure = figures.draw(None, {"kind": "weight-reactions"})
    drawn = {line.get_gid() for axis in figure.axes for line in axis.lines}
    assert drawn >= {method for boosters in BOOSTERS.values() for method in boosters}
