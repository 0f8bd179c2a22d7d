"""RMBoost: robust minimax boosting."""

from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from typing import Literal

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from ironbark import annotations as t
from ironbark.boosting.docstrings import documented
from ironbark.boosting.minimax.base_learner import LEAVES
from ironbark.boosting.minimax.column_generation import ColumnGenerationBooster, signed_shares
from ironbark.boosting.minimax.interior_point import InteriorPoint
from ironbark.boosting.minimax.linear_program import PrimalVertex, SymmetricDuals
from ironbark.errors import InputError

#: Value of `lp_solution` -> solver; default and smallest tolerance.
SOLVERS = {"central": InteriorPoint, "vertex": PrimalVertex}
TOLERANCES = {"central": (1e-3, 1e-5), "vertex": (1e-7, 1e-10)}
SAMPLES_PER_LEAF = 100  # of trees with max_leaf_nodes="auto"


@documented
@dataclass(eq=False, repr=False)
class RMBoostClassifier(ColumnGenerationBooster):
    """Minimises the worst-case error over distributions on the training points that agree with the sample on its rules.

    Designed for label noise of any kind. The worst-case error, `minimax_risk_`, is often near the error on new data but
    is no bound on it: the program constrains the training points only, and the paper's bound (20) has further terms.

    Parameters
    ----------
    estimator : classifier, default=None
        Base learner: a classifier of labels -1 and 1, with `sample_weight` in `fit` if ``base="weighted"``. None is
        a Gini tree that splits no node of fewer than 10 samples.
    max_leaf_nodes : "auto" or int >= 2, default="auto"
        Leaves of the tree that ``estimator=None`` stands for, at most. "auto" is a hundredth of the number of samples,
        and at least 11; see Notes. The paper's experiments have 11 in all likelihood.
    n_estimators : int, default=100
        Largest number of rounds. Acts as a regulariser: with trees a rule with an edge is nearly always found.
    lam : "auto" or float > 0, default="auto"
        Half the width of the intervals in which a distribution has to keep the mean of ``y h(x)`` of each rule h.
        "auto" is ``1 / sqrt(n)``, with sample weights ``sqrt(sum of w^2) / (sum of w)``.
    base : {"bootstrap", "weighted"}, default="bootstrap"
        Whether rules are fitted to n draws in proportion to the weights, or with the weights themselves.
    lp_solution : {"central", "vertex"}, default="central"
        Which of many optima of the linear program gives coefficients and weights, see Notes.
    symmetric_duals : bool, default=False
        Whether weights are averaged over samples that no rule separates. Changes nothing near the centre.
    redraws : int, default=5
        How often a bootstrap is drawn again if its rule has no edge above `lam`, before the rounds end.
    tol : float, default=None
        "central": distance between the risks of primal and dual, at least 1e-5. "vertex": feasibility tolerance, duals
        being multiplied by n, at least 1e-10. None stands for 1e-3 and 1e-7.
    $rules
    mu_ : ndarray of shape (n_rounds,), float64
        Their coefficients.
    minimax_risk_ : float
        R, 0.5 without rules; see above for what it does not bound.
    risks_ : ndarray of shape (n_rounds,), float64
        R after each round; does not rise by more than the tolerance.
    edges_ : ndarray of shape (n_rounds,), float64
        abs(p'h) of each rule when it was found.
    weights_ : ndarray of shape (n_kept,), float64
        p after the last round: abs(p_i) is the weight of sample i, sign(p_i) its label for a further rule. Samples of
        weight zero are left out.
    lam_ : float
    sample_weights_ : ndarray of shape (n_rounds, n_kept), float64
        ``y_i p_i`` of each rule; absolute values of a row sum to 1. Below zero it was fitted to the other label.
    stop_reason_ : {"n_estimators", "no rule with an edge"}
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the rules' importances, weighted by ``abs(mu_)``.

    Notes
    -----
    With rules h_1, ..., h_t, columns of H, and q_i = y_i / n::

        R = min   1/2 - q'H mu + lam |mu|_1   subject to   -1/2 <= H mu <= 1/2
          = max   1/2 - |r|_1 / 2             subject to   |h_j'p| <= lam for all j,   where p = q - r

    The next rule is fitted to the labels sign(p_i) with weights abs(p_i). It lowers R only if abs(h'p) > lam.

    The program has many optima. Those of the simplex method are vertices, whose dual puts nearly all of r on single
    samples: the next tree is the last one but for one sample, and the ensemble often ends as one tree. Near the
    analytic centre r is spread over all samples that have a share in it.

    Sample weights replace 1/n in q.

    If all rules agree on some sample, up to the signs of mu, the constraint there is ``|mu|_1 <= 1/2``, and no
    combination of rules is better than the best single one. Large samples nearly always have such a sample, if trees
    are small: on Covertype, with 11 leaves, the ensemble is its first tree from 2,400 samples on (all but one of `mu_`
    are near 0).
    So "auto" lets the trees grow with the sample. One tree may still be the optimum, above all on easy problems without
    noise, and with a few thousand samples and much noise 11 leaves can be better.

    References
    ----------
    Mazuelas and Álvarez, "Robust Minimax Boosting with Performance Guarantees", NeurIPS 2025, Algorithm 1.

    $example
    """

    estimator: t.Any = None
    _: KW_ONLY
    max_leaf_nodes: int | Literal["auto"] = "auto"
    n_estimators: int = 100
    lam: float | Literal["auto"] = "auto"
    base: Literal["bootstrap", "weighted"] = "bootstrap"
    lp_solution: Literal["central", "vertex"] = "central"
    symmetric_duals: bool = False
    redraws: int = 5
    tol: float | None = None
    random_state: t.RandomState = None
    record_weights: bool = False

    remedy = "try another lp_solution or tol"

    _parameter_constraints = {
        **ColumnGenerationBooster._parameter_constraints,
        "lam": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")],
        "max_leaf_nodes": [StrOptions({"auto"}), Interval(Integral, 2, None, closed="left")],
        "lp_solution": [StrOptions(set(TOLERANCES))],
        "symmetric_duals": ["boolean"],
        "tol": [Interval(Real, 1e-10, 0.1, closed="both"), None],
    }

    def _boost(self, X, codes, sample_weight):
        y, share = signed_shares(codes, sample_weight)
        q = y * share
        self.lam_ = float(np.sqrt(share @ share)) if self.lam == "auto" else float(self.lam)
        tol = TOLERANCES[self.lp_solution][0] if self.tol is None else self.tol
        self._symmetry = SymmetricDuals(q) if self.symmetric_duals else None
        self.risks_ = self._generate(X, SOLVERS[self.lp_solution](q, self.lam_, tol), q)
        del self._symmetry
        self.minimax_risk_ = float(self.risks_[-1]) if len(self.risks_) else 0.5

    def predict_proba(self, X: t.ArrayLike) -> t.Floats:
        """Probabilities of the classes under the minimax rule, which draws: the second's is score + 1/2, cut to [0, 1].

        Returns
        -------
        ndarray of shape (n_samples, 2), float64
        """
        positive = np.clip(self.decision_function(X) + 0.5, 0.0, 1.0)
        return np.column_stack([1 - positive, positive])

    def _leaves(self, samples):
        return max(LEAVES, samples // SAMPLES_PER_LEAF) if self.max_leaf_nodes == "auto" else self.max_leaf_nodes

    def _bound(self, solution):
        return self.lam_

    def _edge(self, p, values):
        return abs(p @ values)  # with each rule goes its negative

    def _duals(self, values, solution):
        if self._symmetry is None:
            return solution.p
        self._symmetry.add(values)
        return self._symmetry.average(solution.p)

    def _validate_params(self):
        super()._validate_params()
        if self.max_leaf_nodes != "auto" and self.estimator is not None:
            raise InputError(
                f"max_leaf_nodes={self.max_leaf_nodes} is of the tree that estimator=None stands for; set it in "
                f"{type(self.estimator).__name__}, or leave out one of the two."
            )
        least = TOLERANCES[self.lp_solution][1]
        if self.tol is not None and self.tol < least:
            raise InputError(f"tol={self.tol} must be at least {least:g} with lp_solution={self.lp_solution!r}.")
