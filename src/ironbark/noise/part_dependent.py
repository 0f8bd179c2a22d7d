"""Instance-dependent noise of Xia et al. (2020): a rate and a projection for each sample."""

import numpy as np
from scipy.special import softmax
from scipy.stats import truncnorm

from ironbark.noise.arrays import flip, reaching, standardised


def part_dependent(X, y: np.ndarray, n_classes: int, rate, rng, *, scale=0.1, exact: bool = False):
    """Change each label with its own probability, to a class that random projections of the sample favour.

    Parameters
    ----------
    rate : float in [0, (K - 1) / K)
        Location of the normal distribution of the probabilities; 0 for clean labels.
    scale : float > 0
        Standard deviation of that distribution before it is truncated.
    exact : bool
        False: each label changes independently. True: the probabilities are scaled, and round(rate * n) labels change.

    Raises
    ------
    InputError
        If X holds NaN or has no column that varies.

    Notes
    -----
    Sample x of class i changes with probability q, drawn from a normal distribution with location `rate` truncated to
    [0, 1]. Its new label is drawn from the softmax of x W_i over the other classes, where the d x K entries of W_i are
    standard normal. Constant columns of X are dropped, the others have mean 0 and variance 1. For small rates the
    truncated distribution has a larger mean: 0.129 for the rate 0.1, 0.206 for 0.2, but 0.3 for 0.3. With two classes
    the only other class is taken, so the labels follow uniform noise of that mean.

    References
    ----------
    Xia et al., "Part-dependent Label Noise: Towards Instance-dependent Label Noise", NeurIPS 2020, arXiv:2006.07836,
    appendix on the generation of instance-dependent noise.
    """
    X = standardised("part_dependent", X)
    targets = np.empty((len(y), n_classes))
    for true in range(n_classes):  # each class has its draws, whether it occurs or not
        projected = X[y == true] @ rng.standard_normal((X.shape[1], n_classes))
        projected[:, true] = -np.inf
        targets[y == true] = softmax(projected, axis=1)
    rates = _rates(rate, scale, len(y), rng)
    if exact:
        rates = reaching("part_dependent", rates, rate, exact)
    return flip(y, rates, targets, n_classes, rng, exact)


def _rates(rate, scale, n, rng):
    if rate == 0:
        return np.zeros(n)
    return truncnorm.rvs(-rate / scale, (1 - rate) / scale, rate, scale, size=n, random_state=rng)
