"""Noise that flips the labels of which a reference booster is surest."""

import numpy as np

from ironbark.boosting.stagewise.logitboost import LogitBoostClassifier
from ironbark.encoding import EncodedFeatures
from ironbark.errors import InputError
from ironbark.noise.base import Corruption, frequencies, rounded


def adversarial(X, y: np.ndarray, n_classes: int, rate, rng, *, rounds: int = 100, only=None) -> Corruption:
    """Flip the round(rate * n) samples with the largest margin y F(x) of LogitBoost fitted to the clean labels.

    Parameters
    ----------
    rate : float in [0, 0.5]
    rounds : int
        Boosting rounds of the reference booster.
    only : {0, 1} or None
        Flip samples of this class alone, the fraction `rate` of them: one-sided noise.

    Raises
    ------
    InputError
        If only one class occurs in y, or the booster cannot be fitted to X.

    Notes
    -----
    This is the adversarial noise of the RMBoost paper; its authors looked at one-sided noise in the reviews.
    """
    if np.bincount(y, minlength=2).min() == 0:
        raise InputError("noise 'adversarial' needs samples of both classes to fit its booster, but y holds only one.")
    X = X.decode(np.float32) if isinstance(X, EncodedFeatures) else X
    try:
        booster = LogitBoostClassifier(n_estimators=rounds, random_state=0).fit(X, y)
    except (TypeError, ValueError) as error:
        raise InputError(f"noise 'adversarial' cannot fit its booster to X: {error}") from error
    margin = (2 * y - 1) * booster.decision_function(X)
    rows = np.arange(len(y)) if only is None else np.flatnonzero(y == only)
    surest = rows[np.argsort(-margin[rows], kind="stable")[: rounded(rate, len(rows))]]
    labels = y.copy()
    labels[surest] = 1 - labels[surest]
    return Corruption(labels, frequencies(y, labels, n_classes))
