"""Column generation of RMBoost and LPBoost: rounds of a base learner and a linear program over all rules so far."""

from numbers import Integral

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils._param_validation import Interval, StrOptions
from threadpoolctl import ThreadpoolController

from ironbark.boosting.binary import BinaryBooster, of_votes, prior_weights
from ironbark.boosting.minimax.base_learner import BASES, LEAVES, TO_SPLIT, rule_values
from ironbark.boosting.minimax.linear_program import DUAL_SIMPLEX, Model, Solution, SolverError
from ironbark.errors import InputError

ROUNDING = 1e-9  # an edge has to exceed the bound by this


class ColumnGenerationBooster(BinaryBooster):
    """Rules weighted by a linear program whose duals are the weights of the samples.

    A booster sets `remedy`, hands a solver and the first weights to `_generate`, and says how an edge is measured
    (`_edge`) and which bound it has to exceed (`_bound`, given the last solution or None). `_duals`, `_enough` and
    `_leaves` are further steps that it may change.
    """

    _parameter_constraints = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "base": [StrOptions(set(BASES))],
        "redraws": [Interval(Integral, 0, None, closed="left")],
        "random_state": ["random_state"],
        "record_weights": ["boolean"],
    }

    x_dtype = np.float64
    leaves_out = True

    def _generate(self, X: np.ndarray, program, p: np.ndarray, labels: np.ndarray | None = None) -> np.ndarray:
        """Run the rounds; returns the optima."""
        self.estimators_, self.mu_path_, self.stop_reason_ = [], [], "n_estimators"
        bound, signs, weights, edges, optima, iterations = self._bound(None), np.sign(p), [], [], [], []
        rule = self.estimator
        if rule is not None and len(self._columns.copied) and not get_tags(rule).input_tags.allow_nan:
            name = type(rule).__name__
            raise InputError(f"X holds missing values, which {name} does not take; fill them, or give a tree.")
        learner = BASES[self.base](self.estimator, self._leaves(len(X)), X, self.random_state)
        for _ in range(self.n_estimators):
            rule, values, edge = self._draw(X, learner, p, labels, bound)
            if edge <= bound + ROUNDING:
                self.stop_reason_ = "no rule with an edge"
                break
            self.estimators_.append(rule)
            edges.append(edge)
            if self.record_weights:
                weights.append(signs * p / np.abs(p).sum())
            solution = self._solved(program, values)
            self.mu_path_.append(solution.mu)
            optima.append(solution.value)
            iterations.append(solution.iterations)
            p, bound = self._duals(values, solution), self._bound(solution)
            if self._enough(edges, solution):
                self.stop_reason_ = "precision"
                break
        self.mu_ = self.mu_path_[-1] if self.mu_path_ else np.empty(0)
        self.weights_, self.edges_, self.lp_iterations_ = p, np.array(edges), np.array(iterations, dtype=int)
        if self.record_weights:
            self.sample_weights_ = np.array(weights).reshape(-1, len(X))
        return np.array(optima)

    def _draw(self, X, learner, p, labels, bound):
        """Rule, its values and its edge; of several draws the first one above the bound, else the last one."""
        labels = np.where(p >= 0, 1, -1) if labels is None else labels
        for _ in range(1 + (self.redraws if learner.randomised else 0)):
            rule = learner.fit(labels, np.abs(p))
            values = rule_values(rule, X)
            if (np.abs(values) != 1).any():
                raise InputError(
                    f"{type(rule).__name__} predicts other values than the labels -1 and +1 that it was fitted to; "
                    "give a classifier as `estimator`."
                )
            edge = self._edge(p, values)
            if edge > bound + ROUNDING:
                break
        return rule, values, edge

    def _solved(self, program, values):
        """Solution of the program with one more rule."""
        program.add(values)
        try:
            return program.solve()
        except SolverError as error:
            name, round_ = type(self).__name__, len(self.estimators_)
            raise SolverError(f"{name}, round {round_}: {error}; {self.remedy}.") from error

    def _leaves(self, samples):
        return LEAVES

    def _duals(self, values, solution):
        return solution.p

    def _enough(self, edges, solution):
        return False

    def _stages(self, X):
        values, blas = np.empty((len(self.estimators_), len(X))), ThreadpoolController()
        for k, (rule, mu) in enumerate(zip(self.estimators_, self.mu_path_, strict=True)):
            values[k] = rule_values(rule, X)
            with blas.limit(limits=1, user_api="blas"):  # as in `fit`
                score = mu @ values[: k + 1]
            yield score

    def _score(self, X):
        score = np.zeros(len(X))
        for rule, coefficient in zip(self.estimators_, self.mu_, strict=True):
            if coefficient != 0:
                score += coefficient * rule_values(rule, X)
        return score

    def _decreases(self):
        return of_votes(self.estimators_, self.mu_, self._n_columns)

    def _least_to_split(self):
        if self.estimator is None:
            return TO_SPLIT
        least = getattr(self.estimator, "min_samples_split", 0)
        return least if isinstance(least, Integral) else 0  # scikit-learn's trees also take a share


def signed_shares(codes, sample_weight):
    """Labels -1 and +1, and the shares of the samples in the weights."""
    weights = prior_weights(sample_weight, len(codes))
    return 2 * codes - 1, weights / weights.sum()


class MarginProgram:
    """Largest margin of a convex combination of rules, and the weights that make it no larger.

    With caps c_i on the weights (infinite for the hard margin) and b_ij = y_i h_j(x_i)::

        rho = max  rho - sum_i c_i xi_i   subject to   sum_j mu_j b_ij >= rho - xi_i,   xi >= 0,   mu >= 0,   |mu|_1 = 1
            = min  g                      subject to   sum_i d_i b_ij <= g for all j,   0 <= d_i <= c_i,      |d|_1 = 1

    The second one is solved, with d and g multiplied by n: a rule is a row more, which keeps the basis dual feasible.
    """

    def __init__(self, y, caps, tol=1e-7):
        self.n, self.y = len(y), np.asarray(y, np.float64)
        self.model = Model(DUAL_SIMPLEX, tol)
        self.model.highs.addVars(self.n, np.zeros(self.n), caps * self.n)
        self.model.add_column(1.0, -np.inf, np.inf, np.zeros(0))
        self.model.add_row(self.n, self.n, np.append(np.ones(self.n), 0.0))

    def add(self, rule):
        """Append a rule."""
        self.model.add_row(-np.inf, 0.0, np.append(self.y * rule, -1.0))

    def solve(self):
        """Solution for the rules so far: `p` is ``y_i d_i``, `value` is rho."""
        result = self.model.solve()
        weights = np.maximum(result.column_value[:-1], 0.0) / self.n
        mu = np.maximum(-result.row_dual[1:], 0.0)
        return Solution(mu, self.y * weights, result.objective / self.n, result.iterations)
