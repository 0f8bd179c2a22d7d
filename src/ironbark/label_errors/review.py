"""Review of labels by people: which rows to look at, what the answers say of all rows, and when to stop.

Rows are divided into strata by suspicion. The order within each stratum is random, and how many rows of each stratum
are asked for is fixed in advance, so that answers are samples without replacement however long the review goes on.
"""

from contextlib import suppress

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from ironbark.errors import InputError
from ironbark.inputs import vector
from ironbark.label_errors.detector import LabelErrorDetector
from ironbark.label_errors.review_estimate import ReviewEstimate
from ironbark.label_errors.strata import LEAST_RATE, Stratum, bounds, divided, in_order, is_design
from ironbark.levels import is_missing

NORMAL = 1.645  # 95 % quantile
FAULTS = 0.08  # standard deviation of the share of errors among suspects by faults of the detector, found on other data
PRIOR = 5  # answers that the detector's matrix counts for, in each class
BATCH = 20  # rows that the decision to go on is about
AHEAD = (10, BATCH, 50, 100)  # numbers of suspects that errors are expected among


class LabelReview:
    """Have people check labels, and estimate from their answers how many are wrong.

    Parameters
    ----------
    detector : LabelErrorDetector
        Fitted.
    y : array-like of shape (n_samples,)
        The labels as they were given, before any correction.
    random_state : int, default=0
        Of the order in which rows are asked for.
    design : dict, default=None
        `design_` of an earlier review of the same labels, which goes on. Then `detector` may have learnt from its
        answers: ``detector.fit(X, review.cleaned(), trusted=review.is_trusted())``. It orders `suspects`; how likely
        they are wrong is what the first fit said, since later ones are too sure. None for a new review.

    Attributes
    ----------
    answers_ : dict of int to object
        Row -> its right label, or None if the reviewer is unsure; in the order of the answers.
    design_ : dict
        Rows of each stratum in the order in which they are asked for, and how likely their labels are wrong by the
        first fit, as lists: JSON can hold it.

    References
    ----------
    I. Waudby-Smith, A. Ramdas, "Confidence sequences for sampling without replacement", NeurIPS 2020. Each stratum has
    the prior-posterior-ratio martingale of a beta-binomial working prior; their product is that of all strata.

    Examples
    --------
    >>> from ironbark import LabelErrorDetector
    >>> from ironbark.label_errors import LabelReview
    >>> from ironbark.noise import corrupt
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> noisy = corrupt("uniform", X, y, rate=0.1, random_state=0)
    >>> review = LabelReview(LabelErrorDetector(random_state=0).fit(X, noisy), noisy)
    >>> rows = review.sample(60)
    >>> review.add(rows, y[rows])  # here the truth; else what a person says
    >>> estimate = review.estimate()
    >>> bool(estimate.interval[0] <= (noisy != y).mean() <= estimate.interval[1])
    True
    """

    def __init__(self, detector: LabelErrorDetector, y: ArrayLike, random_state: int = 0, design: dict | None = None):
        check_is_fitted(detector, "ranking_")
        if not isinstance(detector, LabelErrorDetector):
            raise InputError(f"a review needs a fitted LabelErrorDetector, but detector is {type(detector).__name__}.")
        self._given = vector(y, "y").copy()  # the caller may correct his
        judged = detector.is_judged_
        if len(self._given) != len(judged):
            raise InputError(f"y has {len(self._given)} labels, but the detector was fitted on {len(judged)}.")
        self.random_state, self.answers_ = random_state, {}
        self._labels = self._given.tolist()  # as answers are compared: nanoseconds of dates are int
        self._detector, self._classes = detector, set(self._labels)
        if unknown := set(self._given[judged].tolist()) - set(detector.classes_.tolist()):
            raise InputError(f"the detector was not fitted on y: it knows no label {min(unknown)!r}.")
        self._ranking = detector.ranking_[judged[detector.ranking_]]
        self._answered, self._confirmed, self._unsure = np.zeros((3, len(judged)), bool)
        if design and not is_design(design):
            raise InputError("design is not the design_ of a review by this version; give that, or None to begin anew.")
        self.design_ = design or divided(self._ranking, detector._error_probabilities[self._ranking], random_state)
        rows = [row for stratum in self.design_["strata"] for row in stratum]
        if len(set(rows)) < len(rows) or not set(rows) <= set(range(len(judged))):
            raise InputError("design is of another table: it has rows that y does not have, or a row twice.")
        pairs = list(zip(self.design_["strata"], self.design_["wrong"], strict=True))
        self._strata = [Stratum(np.array(rows, np.intp), float(np.mean(wrong))) for rows, wrong in pairs]
        self._wrong = np.zeros(len(judged))
        for rows, wrong in pairs:
            self._wrong[rows] = np.maximum(wrong, LEAST_RATE / 10)
        self._order, self._stratum = in_order(self._strata)

    def sample(self, n: int = 60) -> np.ndarray:
        """Rows to look at next.

        Parameters
        ----------
        n : int, default=60

        Returns
        -------
        ndarray of shape (n,) or shorter, int
            Positions of rows without an answer, in the order in which they are asked for.
        """
        return self._order[~self._answered[self._order]][: max(n, 0)]

    def suspects(self, n: int = 20) -> np.ndarray:
        """The most suspicious rows without an answer.

        Their answers confirm errors at once, and count for the estimate when the order of `sample` reaches them.
        """
        return self._ranking[~self._answered[self._ranking]][: max(n, 0)]

    def add(self, rows: ArrayLike, labels: ArrayLike) -> None:
        """Add answers.

        Parameters
        ----------
        rows : array-like of int
            Positions of rows.
        labels : array-like
            Their right labels; None where the reviewer is unsure. An answer replaces an earlier one.

        Raises
        ------
        InputError
            If there is no such row, or no such class; then no answer is added.
        """
        rows = np.asarray(rows).ravel()
        if rows.size and rows.dtype.kind not in "iu":
            raise InputError(f"rows are of type {rows.dtype}; give positions, which are integers.")
        labels = np.asarray(labels, object).ravel() if len(np.shape(labels)) != 1 else labels
        labels = [None if is_missing(label) else _plain(label, self._given.dtype) for label in labels]
        if len(rows) != len(labels):
            raise InputError(f"there are {len(rows)} rows, but {len(labels)} labels; give one label for each row.")
        new = dict(zip(rows.tolist(), labels, strict=True))
        for row, label in new.items():
            if not 0 <= row < len(self._given):
                raise InputError(f"there is no row {row}; rows are numbered from 0 to {len(self._given) - 1}.")
            if label is not None and label not in self._classes:
                known = ", ".join(map(str, np.unique(self._given)[:10]))
                raise InputError(f"{label!r}, the answer for row {row}, is no label of the data; known are {known}.")
        self.answers_ |= new
        for row, label in new.items():
            self._answered[row], self._unsure[row] = True, label is None
            self._confirmed[row] = label is not None and label != self._labels[row]
        first = self._n_in_a_row(self._order)
        rows, strata = self._order[:first], self._stratum[:first]
        for h, stratum in enumerate(self._strata):
            part = rows[strata == h]
            stratum.answers = len(part), int(self._confirmed[part].sum()), int(self._unsure[part].sum())

    def _n_in_a_row(self, rows):
        """Number of rows before the first one without an answer."""
        return int(np.append(~self._answered[rows], True).argmax())

    def estimate(self, cost: float = 1.0) -> ReviewEstimate:
        """What the answers so far say of all rows.

        Parameters
        ----------
        cost : float, default=1.0
            Errors among 20 rows for which it pays to check these.
        """
        n = len(self._order)
        flags = np.stack([self._answered, self._confirmed, self._unsure])
        answered, wrong, unsure = flags[:, self._order].sum(axis=1).tolist()
        low = max(bounds(self._strata, 0)[0], wrong)
        high = min(bounds(self._strata, 1)[1], n - (answered - wrong - unsure))
        ahead = self.forecast(n)
        left = float(ahead[-1, 0]) if len(ahead) else 0.0
        for stratum in self._strata:  # unsure rows are as often wrong as the others of their stratum
            a, b = stratum.posterior()
            left += float(a / (a + b) * self._unsure[stratum.rows].sum())
        left = float(np.clip(left, low - wrong, max(high, low) - wrong))
        following = {size: tuple(map(float, ahead[:size][-1])) if len(ahead) else (0.0,) * 3 for size in AHEAD}
        reached, by_order = self._n_in_a_row(self._order), self._answered.copy()
        by_order[self._ranking[: self._n_in_a_row(self._ranking)]] = False  # asked for as suspects
        others = BATCH * left / max(n - answered + unsure, BATCH)
        expected = max(following[BATCH][0], others if reached >= BATCH else 0.0)  # else they are hardly known
        return ReviewEstimate(
            n_errors=wrong + left,
            rate=(wrong + left) / n,
            interval=(low / n, max(high, low) / n),
            n_answered=answered,
            n_confirmed=wrong,
            n_left=left,
            next_errors=following,
            others=others,
            goes_on=bool(expected >= cost),
            n_rows=n,
            n_waiting=int(by_order[self._order[reached:]].sum()),
        )

    def forecast(self, n: int = 100) -> np.ndarray:
        """Errors to expect among the most suspicious rows without an answer.

        The first fit's probabilities are multiplied by what the answers say of their stratum.

        Parameters
        ----------
        n : int, default=100

        Returns
        -------
        ndarray of shape (n, 3) or shorter, float64
            Expected number among the first row, the first two, and so on, and an approximate 90 % band.
        """
        wrong, relative = np.zeros((2, len(self._given)))
        for stratum in self._strata:
            open_ = stratum.rows[~self._answered[stratum.rows]]
            if not len(open_):
                continue
            a, b = stratum.posterior()
            mean = self._wrong[stratum.rows[stratum.answers[0] :]].mean()  # those answered before their turn count, too
            wrong[open_] = np.minimum(self._wrong[open_] * (a / (a + b)) / mean, 1)
            relative[open_] = np.sqrt(b / (a * (a + b + 1)))  # of the rate of the stratum
        rows = self.suspects(n)
        wrong, relative = wrong[rows], relative[rows]
        mean, size = wrong.cumsum(), np.arange(1, len(rows) + 1)
        variance = (wrong * (1 - wrong)).cumsum() + (wrong * relative).cumsum() ** 2 + (FAULTS * size) ** 2
        width = NORMAL * np.sqrt(variance)
        low = np.maximum.accumulate(np.maximum(mean - width, 0))  # as many among the first ten are so among more
        return np.column_stack([mean, low, np.minimum(mean + width, size)])

    def cleaned(self) -> np.ndarray:
        """Labels with the confirmed changes.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        labels = self._given.copy()
        for row in np.flatnonzero(self._confirmed).tolist():
            labels[row] = self.answers_[row]
        return labels

    def noise_matrix(self) -> np.ndarray:
        """Transition matrix of the noise, from the answers to `sample`, each for as many rows of its stratum.

        Use it as ``NoiseCorrectedClassifier(noise_matrix=...)``. As ``trusted`` samples of `fit` there, answers would
        mislead, since rows are chosen by suspicion.

        Returns
        -------
        ndarray of shape (n_classes, n_classes), float64
            Entry [i, j] is the probability that a sample of class i carries the label j, classes as in the labels.
        """
        classes, codes = np.unique(self._given, return_inverse=True)
        counts = np.zeros((len(classes), len(classes)))
        sure = sum(stratum.answers[0] - stratum.answers[2] for stratum in self._strata)
        for stratum in self._strata:
            rows = [row for row in stratum.rows[: stratum.answers[0]] if not self._unsure[row]]
            weight = sure / len(self._order) * len(stratum.rows) / max(len(rows), 1)
            right = [self.answers_[int(row)] for row in rows]
            np.add.at(counts, (np.searchsorted(classes, right), codes[rows]), weight)
        prior, known = np.eye(len(classes)), np.searchsorted(classes, self._detector.classes_)
        prior[np.ix_(known, known)] = self._detector.noise_matrix_
        counts += PRIOR * prior
        return counts / counts.sum(axis=1, keepdims=True)

    def is_trusted(self) -> np.ndarray:
        """Whether the label of `cleaned` is an answer, hence right.

        Returns
        -------
        ndarray of shape (n_samples,), bool
        """
        return self._answered & ~self._unsure


def _plain(label, dtype):
    """A label as `tolist` gives those of this type; dates may be of any unit, and what is no date stays as it is."""
    with suppress(TypeError, ValueError):
        label = np.asarray(getattr(label, "asm8", label), dtype)[()] if dtype.kind in "mM" else label
    return label.item() if isinstance(label, np.generic) else label
