"""Figure 1 of the Robust-GBDT paper: closed forms, differences, and where chosen_losses cease to be convex."""

import numpy as np
import pytest
from scipy.special import expit, logit

from ironbark.pipeline import figures
from ironbark.pipeline.figures import losses

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
    assert (found[found["p"] > 0.5]["curvature"] >= 0).all()
    ends = found[found["curvature"] < 0].groupby("loss")["p"].max()
    assert "CCE" not in ends and "SCE, $a$ = $b$ = 1" not in ends
    assert ends["GCE, $q$ = 0.5"] == pytest.approx(1 / 3, abs=0.003)  # q / (1 + q)
    assert ends["$r$ = 0.5, $q$ = 0.3"] == pytest.approx(0.209, abs=0.003)
    assert ends["$r$ = 1, $q$ = 0.3"] == pytest.approx(0.186, abs=0.003)


def test_the_figure_has_a_line_for_each_loss():
    found = losses._frame()
    figure = figures.draw(None, {"kind": "loss-curvature"})
    for axis, (panel, chosen_losses) in zip(figure.axes, losses.LOSSES.items(), strict=True):
        lines = {line.get_gid(): line.get_ydata() for line in axis.lines if line.get_gid()}
        assert axis.get_title() == panel and list(lines) == list(chosen_losses)
        for label, values in lines.items():
            assert values == pytest.approx(found[(found["panel"] == panel) & (found["loss"] == label)]["curvature"])
