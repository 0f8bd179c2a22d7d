"""Every statement holds; and a check that is given something wrong says so."""

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.analysis import tables
from ironbark.pipeline.analysis.published import PAPERS
from ironbark.pipeline.analysis.tables import layout
from ironbark.pipeline.theory import checks, impurities, splits
from ironbark.pipeline.theory.statements import gain_statements, loss_statements, tree_statements
from ironbark.pipeline.theory.statements.statement import Outcome, Statement, largest, tightest

ALL = [statement for paper in ("ane", "rmb", "rgbdt") for statement in checks.STATEMENTS[paper]]


@pytest.mark.parametrize("statement", ALL, ids=lambda each: each.id)
def test_statement_has_its_verdict(statement):
    if statement.id.startswith("G"):
        pytest.importorskip("xgboost")
    (outcome,) = checks.run([statement])
    assert outcome.verdict != "FAILS", outcome[1:]


def test_each_paper_has_statements():
    assert list(checks.STATEMENTS) == list(PAPERS)
    assert {each.id for each in checks.STATEMENTS["pg"]} == {"I6"}
    assert set(checks.STATEMENTS["pg"]) <= set(checks.STATEMENTS["ane"])
    with pytest.raises(InputError, match="rbm.*did you mean 'rmb'"):
        checks.of_paper("rbm")


def test_ids_are_unique_and_complete():
    ids = [each.id for each in ALL]
    assert len(set(ids)) == len(ids)
    numbers = {}
    for name in ids:
        numbers.setdefault(name[0], set()).add(int("".join(filter(str.isdigit, name))))
    assert numbers == {"I": set(range(16)), "M": set(range(5)), "G": set(range(1, 5))}


def deviation(check):
    return check(np.random.default_rng(0))[1]


@pytest.mark.parametrize(("summary", "case"), [(largest, np.nan), (tightest, (np.nan, "a")), (tightest, (1.0, "a"))])
def test_a_case_that_is_no_number_is_refused(summary, case):
    check = summary(lambda: [case, case])
    if case == (1.0, "a"):
        assert check() == (2, 1.0, "a")
    else:
        with pytest.raises(ValueError, match="a case of <lambda> is not a number"):
            check()


def test_a_wrong_impurity_is_found(monkeypatch):
    monkeypatch.setitem(gain_statements.PHI, "gini", impurities.entropy)
    assert deviation(gain_statements.definitions) > 1e-3


def test_a_wrong_factor_is_found(monkeypatch):
    monkeypatch.setitem(gain_statements.FACTOR, gain_statements._proportional, lambda k: 0.5)
    assert deviation(gain_statements.proportional_noise) > 1e-3


def test_a_wrong_zero_is_found(monkeypatch):
    monkeypatch.setattr(gain_statements, "STRICT", ("misclassification",))
    assert deviation(gain_statements.strict_without_gain) > 0


def test_different_trees_are_found():
    settings = {"criterion": "gini"}, {"criterion": "misclassification"}
    cases, different = tree_statements._different(np.random.default_rng(0), *settings, (2, 3))
    assert 0 < different <= cases


def test_a_wrong_least_risk_is_found(monkeypatch):
    monkeypatch.setitem(loss_statements.LOSSES, "mae", (loss_statements.LOSSES["mae"][0], impurities.misclassification))
    assert deviation(loss_statements.least_risks) > 1e-3


def test_a_bound_that_is_too_high_is_found(monkeypatch):
    monkeypatch.setattr(loss_statements.math, "exp", lambda x: 0.0)
    assert deviation(loss_statements.majority_stays) > 0.01


def test_generalized_cross_entropy_is_below_the_conservative_impurity_for_three_classes():
    """Why I4 says so of two classes only: both scaled to a peak of 1, at (1/2, 1/2, 0)."""
    p, q = np.array([0.5, 0.5, 0.0]), 0.7
    scaled = impurities.generalized_cross_entropy(p, q) / ((1 - 3**-q) / q)
    assert scaled < impurities.misclassification(p) * 3 / 2 - 0.03


def test_gain_of_a_split_by_hand():
    assert splits.gain([3, 1], [1, 3], "gini") == pytest.approx(0.5 - 0.375)
    assert splits.gain([3, 1], [3, 1], "gini") == 0
    assert splits.gain([3, 1], [1, 3], "pairwise_gain") == 4  # |3 * 3 - 1 * 1| / 2


def test_table_marks_what_fails():
    good = Statement("I1", "one", "how", None, 1e-9)
    bad = Statement("I2", "two", "how", None)
    table = tables.build([Outcome(good, 10, 1e-12), Outcome(bad, 5, 2.0)], {"kind": "theorems", "caption": "Checked."})
    assert table.frame["Verdict"].tolist() == ["holds", "FAILS"]
    assert table.bold.to_numpy().tolist() == [[False] * 6, [True] * 6]
    assert table.caption == "Checked. 1 of 2 statements hold in 15 cases."
    assert "| I1 | one | how | 10 | 1.0e-12 | 1.0e-09 | holds |" in layout.to_markdown(table)
    assert not Outcome(good, 0, 0.0).holds  # nothing tried, nothing shown


@pytest.mark.parametrize(
    ("condition", "refuted", "deviation", "verdict"),
    [
        ("", False, 0.0, "holds"),
        ("n > 1", False, 0.0, "holds if n > 1"),
        ("", True, 1.0, "does not hold"),
        ("", False, 1.0, "FAILS"),
        ("", True, 0.0, "FAILS"),
    ],
)
def test_verdicts(condition, refuted, deviation, verdict):
    statement = Statement("I1", "one", "how", None, 0, condition, refuted)
    assert Outcome(statement, 3, deviation).verdict == verdict
    assert Outcome(statement, 0, deviation).verdict == "FAILS"


def test_table_shows_the_tightest_case_where_there_is_one():
    bound = Statement("M1", "one", "how", None)
    wrong = Statement("M2", "two", "how", None, refuted=True)
    narrow = Statement("M3", "three", "how", None, condition="n > 1")
    outcomes = [Outcome(bound, 10, -0.5, "1 <= 1.5"), Outcome(wrong, 5, 2.0, "2 <= 0"), Outcome(narrow, 1, 0.0)]
    table = tables.build(outcomes, {"kind": "theorems"})
    assert table.frame["Tightest case"].tolist() == ["1 <= 1.5", "2 <= 0", ""] and not table.bold.to_numpy().any()
    assert table.caption == "1 of 3 statements hold, 1 under a further condition, 1 refuted in 16 cases."
    assert "below 0" in table.notes[-1]
