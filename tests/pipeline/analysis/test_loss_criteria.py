"""Table I: closed forms against brute force, against another optimiser, and against our own criteria."""

from dataclasses import replace

import numpy as np
import pytest
from python_calls import python_call
from scipy.optimize import minimize_scalar

from ironbark.criteria import base, build
from ironbark.pipeline.analysis import tables
from ironbark.pipeline.analysis.tables import loss_criteria
from ironbark.pipeline.analysis.tables.loss_criteria import PAIRS, SHARES, least_loss, nodes

BY_NAME = {pair.criterion: pair for pair in PAIRS}


def test_rows_are_those_of_the_paper():
    assert [(pair.task[0], pair.criterion, pair.loss) for pair in PAIRS] == [
        ("C", "Gini impurity", "Square loss"),
        ("C", "Information gain", "Softmax loss"),
        ("C", "Sum minority", "0-1 loss"),
        ("C", "DKM", "Exponential loss"),
        ("R", "Variance reduction", "Square loss"),
        ("R", "Mean absolute error", "Absolute loss"),
    ]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.criterion)
def test_brute_force_meets_the_closed_form(pair):
    assert loss_criteria.deviation(pair) < 1e-10
    wrong = replace(pair, closed_form=lambda about: pair.closed_form(about) + 1e-6)
    assert loss_criteria.deviation(wrong) == pytest.approx(1e-6, rel=1e-3)


def mean_loss(w, pair, targets, weights):
    return float(pair.loss_of(np.array([[w]]), targets)[0] @ weights)


@pytest.mark.parametrize("pair", [p for p in PAIRS if p.loss != "0-1 loss"], ids=lambda pair: pair.criterion)
def test_brute_force_is_scipys_minimum(pair):
    for targets, weights, _ in nodes(pair.task)[::5]:
        other = minimize_scalar(
            mean_loss, args=(pair, targets, weights), bounds=(-10, 10), method="bounded", options={"xatol": 1e-10}
        )
        assert least_loss(pair.loss_of, targets, weights) == pytest.approx(other.fun, abs=1e-8)


@pytest.mark.parametrize("other", [c for c in PAIRS if c.task == "Classification"], ids=lambda pair: pair.criterion)
@pytest.mark.parametrize("pair", [c for c in PAIRS if c.task == "Classification"], ids=lambda pair: pair.criterion)
def test_each_loss_has_its_own_criterion(pair, other):
    crossed = replace(pair, closed_form=other.closed_form)
    assert (loss_criteria.deviation(crossed) < 1e-10) == (pair is other)


@pytest.mark.parametrize(
    ("name", "ours", "factor"),
    [
        ("Gini impurity", "gini", 1),
        ("Information gain", "entropy", 1),
        ("Sum minority", "misclassification", 1),
        ("DKM", "sqrt_gini", 2),
    ],
)
def test_closed_forms_are_our_criteria(name, ours, factor):
    criterion, impurity = build(ours, 40, 2, {}), python_call(base.impurity)
    for p in SHARES:
        counts = np.array([40 * (1 - p), 40 * p])
        ours_at_p = factor * impurity(criterion, counts, 40.0) / 40
        assert ours_at_p == pytest.approx(BY_NAME[name].closed_form(p), rel=1e-9)


def test_the_table_prints_the_deviations():
    table = tables.build(None, {"kind": "loss-criteria", "caption": "Table I."})
    assert table.caption == "Table I."
    assert list(table.frame.index.get_level_values(1)) == list(BY_NAME)
    assert (table.values["largest_deviation"] < 1e-10).all()
    assert table.frame["Largest deviation"].str.fullmatch(r"\de[+-]\d\d").all()
