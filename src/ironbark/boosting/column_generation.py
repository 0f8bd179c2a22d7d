"""What RMBoost and LPBoost share: rounds of a base learner and a linear program over all rules so far."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

from ironbark.boosting.base_learner import BASES
from ironbark.boosting.linear_program import SolverError
from ironbark.errors import InputError

ROUNDING = 1e-9  # an edge has to exceed the bound by this


class ColumnGenerationClassifier(ClassifierMixin, BaseEstimator):
    """Two classes, rules weighted by a linear program whose duals are the weights of the samples.

    A subclass says how an edge is measured (`_edge`) and which bound it has to exceed (`_bound`, given the last
    solution or None); it may change the duals (`_duals`), end the rounds (`_enough`) and tidy up after one (`_tidy`).
    """

    def _samples(self, X, y, sample_weight):
        """X, labels -1 and +1, and the shares of the samples; those of weight zero are left out."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        X, y, weights = X[weights > 0], y[weights > 0], weights[weights > 0]
        check_classification_targets(y)
        kind = type_of_target(y, input_name="y")
        if kind != "binary":
            raise InputError(
                f"Only binary classification is supported. The type of the target is {kind}. "
                f"Wrap it: sklearn.multiclass.OneVsRestClassifier({type(self).__name__}())."
            )
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise InputError(f"{type(self).__name__} needs samples of two classes, but y holds only one class.")
        return X, 2 * codes - 1, weights / weights.sum()

    def _boost(self, X, program, p, labels=None):
        """Run the rounds; sets all attributes but those that subclasses name differently.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features), float64
        program : solver
        p : ndarray of shape (n_samples,), float64
            Signed weights of the first round.
        labels : ndarray of shape (n_samples,), int, optional
            What all rules are fitted to; the signs of p if left out.

        Returns
        -------
        ndarray of shape (n_rounds,), float64
            Optimum of the linear program after each round.
        """
        record, bound, self.stop_reason_ = Record(), self._bound(None), "n_estimators"
        with threadpool_limits(1, user_api="blas"):
            learner = BASES[self.base](self.estimator, X, check_random_state(self.random_state))
            for _ in range(self.n_estimators):
                rule, values, edge = self._draw(X, learner, p, labels, bound)
                if edge <= bound + ROUNDING:
                    self.stop_reason_ = "no rule with an edge"
                    break
                record.add(rule, values, edge)
                solution = record.solved(program, type(self).__name__)
                p, bound = self._duals(values, solution), self._bound(solution)
                if self._enough(record, solution):
                    self.stop_reason_ = "precision"
                    break
                self._tidy(record, program, solution)
        self.estimators_, self.mu_path_, self.weights_ = record.rules, record.mu_path, p
        self.edges_, self.lp_iterations_ = np.array(record.edges), np.array(record.iterations, dtype=int)
        self.mu_ = record.mu_path[-1] if record.mu_path else np.empty(0)
        return np.array(record.optima)

    def _draw(self, X, learner, p, labels, bound):
        """Rule, its values and its edge; of several draws the first one above the bound, else the last one."""
        labels = np.where(p >= 0, 1, -1) if labels is None else labels
        for _ in range(1 + (self.redraws if learner.randomised else 0)):
            rule = learner.fit(labels, np.abs(p))
            values = self._rule_values(rule, X)
            edge = self._edge(p, values)
            if edge > bound + ROUNDING:
                break
        return rule, values, edge

    def _rule_values(self, rule, X):
        return np.asarray(rule.predict(X), dtype=np.float64)

    def _duals(self, values, solution):
        return solution.p

    def _enough(self, record, solution):
        return False

    def _tidy(self, record, program, solution):
        pass

    def staged_decision_function(self, X):
        """Yield the scores after each round, with the coefficients of that round; see `decision_function`.

        Yields
        ------
        ndarray of shape (n_samples,), float64
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        values = np.empty((len(self.estimators_), len(X)))
        for k, (rule, mu) in enumerate(zip(self.estimators_, self.mu_path_, strict=True)):
            values[k] = self._rule_values(rule, X)
            yield mu @ values[: k + 1]

    def decision_function(self, X):
        """Sum of the rules, each -1 or +1, times their coefficients `mu_`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,), float64
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        score = np.zeros(len(X))
        for rule, coefficient in zip(self.estimators_, self.mu_, strict=True):
            if coefficient != 0:
                score += coefficient * self._rule_values(rule, X)
        return score

    def predict(self, X):
        """The second class where the score is not negative, else the first.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        positive = self.decision_function(X) >= 0
        return self.classes_[positive.astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _check(self, choices, numbers):
        """Refuse parameters that are not among their choices or numbers out of range.

        Parameters
        ----------
        choices : dict
            Name of a parameter -> what it may be.
        numbers : dict
            Name of a parameter -> type, test and the words for it.
        """
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise InputError(f"{name}={getattr(self, name)!r} must be one of {', '.join(map(repr, allowed))}.")
        for name, (kind, test, words) in numbers.items():
            value = getattr(self, name)
            if not isinstance(value, kind) or isinstance(value, bool) or not test(value):
                raise InputError(f"{name}={value!r} must be {words}.")


#: Ranges of parameters that both boosters have.
NUMBERS = {
    "n_estimators": (Integral, lambda value: value >= 1, "an integer >= 1"),
    "redraws": (Integral, lambda value: value >= 0, "an integer >= 0"),
}


class Record:
    """What the rounds leave behind."""

    def __init__(self):
        self.rules, self.values, self.active = [], [], []
        self.edges, self.mu_path, self.optima, self.iterations = [], [], [], []

    def add(self, rule, values, edge):
        """Append a rule, which the linear program does not know yet."""
        self.active.append(len(self.rules))
        self.rules.append(rule)
        self.values.append(values)
        self.edges.append(edge)

    def solved(self, program, name):
        """Solution of the program with the last rule; `name` is the booster's, for its errors."""
        program.add(self.values[-1])
        try:
            solution = program.solve()
        except SolverError as error:
            raise SolverError(f"{name}, round {len(self.rules)}: {error}; try another lp_solution or tol.") from error
        mu = np.zeros(len(self.rules))
        mu[self.active] = solution.mu
        self.mu_path.append(mu)
        self.optima.append(solution.value)
        self.iterations.append(solution.iterations)
        return solution

    def drop(self, positions):
        """Forget rules of the linear program, given by their positions in it."""
        for position in sorted(positions, reverse=True):
            del self.active[position]
