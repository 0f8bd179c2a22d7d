"""LPBoost: boosting that maximises the margin, hard or soft, by linear programming."""

import warnings
from dataclasses import KW_ONLY, dataclass
from numbers import Real
from typing import Literal

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from ironbark import annotations as t
from ironbark.boosting.docstrings import documented
from ironbark.boosting.minimax.column_generation import ROUNDING, ColumnGenerationBooster, MarginProgram, signed_shares
from ironbark.errors import InputError


@documented
@dataclass(eq=False, repr=False)
class LPBoostClassifier(ColumnGenerationBooster):
    """Convex combination of rules with the largest margin. Needs the package highspy.

    Parameters
    ----------
    estimator : classifier, default=None
        Base learner: a classifier of labels -1 and 1, with `sample_weight` in `fit` if ``base="weighted"``. None is
        a Gini tree of at most 11 leaves that splits no node of fewer than 10 samples.
    n_estimators : int, default=100
        Largest number of rounds.
    margin : {"soft", "hard"}, default="soft"
        Whether samples may fall short of the margin, at a price.
    nu : float in (0, 1], default=0.1
        For the soft margin: the price is ``1 / (nu n)`` per unit, so at most the share nu of the samples falls short,
        and no weight is above ``1 / (nu n)``.
    precision : float >= 0, default=0
        The rounds also end when the smallest edge so far is above the margin by no more than this.
    base : {"weighted", "bootstrap"}, default="weighted"
        Whether rules are fitted with the weights themselves, or to n draws in proportion to them.
    redraws : int, default=5
        How often a bootstrap is drawn again if its rule has no edge above the margin, before the rounds end.
    tol : float in [1e-10, 0.1], default=1e-7
        Feasibility tolerance of the linear program, weights being multiplied by n.
    $rules
    mu_ : ndarray of shape (n_rounds,), float64
        Their coefficients, which are not negative and have the sum 1.
    margins_ : ndarray of shape (n_rounds,), float64
        rho, less what the samples that fall short cost, after each round. Does not fall.
    edges_ : ndarray of shape (n_rounds,), float64
        Edge d'(y h) of each rule when it was found.
    weights_ : ndarray of shape (n_kept,), float64
        ``y_i d_i`` after the last round. Samples of weight zero are left out.
    sample_weights_ : ndarray of shape (n_rounds, n_kept), float64
        ``d_i`` that each rule was fitted with; rows sum to 1.
    stop_reason_ : {"n_estimators", "no rule with an edge", "precision"}
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the rules' importances, weighted by `mu_`.

    Notes
    -----
    With labels in {-1, 1}, caps ``c_i = 1 / (nu n)`` of the soft margin, and no slack for the hard one, the program
    is to maximise ``rho - sum_i c_i xi_i`` subject to ``y_i sum_j mu_j h_j(x_i) >= rho - xi_i``, ``mu, xi >= 0``
    and ``sum_j mu_j = 1``. `ironbark.boosting.minimax.column_generation` solves it. A rule whose edge is not above
    the present optimum can't improve it, and the rounds end. Optimal weights often put nearly all on few samples,
    those of the hard margin most of all; weighted trees therefore see a millionth of the weight spread evenly.

    With sample weights, ``1 / n`` in the price of the soft margin is replaced by the share of the sample. The hard
    margin knows only whether a sample is there, so it refuses weights that differ.

    With noisy labels, the time of a fit grows faster than the square of the number of samples, to minutes for 20,000;
    that of `RMBoostClassifier` grows in proportion. Fewer rounds or a part of the samples help.

    References
    ----------
    Demiriz, Bennett and Shawe-Taylor, "Linear Programming Boosting via Column Generation", Machine Learning 46, 2002;
    hard margin: Grove and Schuurmans, "Boosting in the Limit: Maximizing the Margin of Learned Ensembles", AAAI 1998.

    $example
    """

    estimator: t.Any = None
    _: KW_ONLY
    n_estimators: int = 100
    margin: Literal["hard", "soft"] = "soft"
    nu: float = 0.1
    precision: float = 0.0
    base: Literal["bootstrap", "weighted"] = "weighted"
    redraws: int = 5
    tol: float = 1e-7
    random_state: t.RandomState = None
    record_weights: bool = False

    remedy = "try another tol"

    _parameter_constraints = {
        **ColumnGenerationBooster._parameter_constraints,
        "margin": [StrOptions({"soft", "hard"})],
        "nu": [Interval(Real, 0, 1, closed="right")],
        "precision": [Interval(Real, 0, None, closed="left")],
        "tol": [Interval(Real, 1e-10, 0.1, closed="both")],
    }

    def _boost(self, X, codes, sample_weight):
        y, share = signed_shares(codes, sample_weight)
        if self.margin == "hard" and not np.allclose(share, share[0]):
            raise InputError("sample_weight has no meaning for margin='hard'; leave it out, or use margin='soft'.")
        caps = share / self.nu if self.margin == "soft" else np.full(len(y), np.inf)
        self.margins_ = self._generate(X, MarginProgram(y, caps, self.tol), y * share, y)
        if self.margin == "soft" and len(self.margins_) and self.margins_[-1] <= ROUNDING:
            warnings.warn(
                f"no weights of the rules have a soft margin above 0 with nu={self.nu:g}, as with wrong labels or few "
                "rounds, so the rules are worth little; give a larger nu.",
                stacklevel=5,
            )

    def _bound(self, solution):
        return -1.0 if solution is None else solution.value

    def _edge(self, p, values):
        return p @ values

    def _enough(self, edges, solution):
        return min(edges) - solution.value <= self.precision + ROUNDING
