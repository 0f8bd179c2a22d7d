"""Bootstrap samples of a forest's trees, and the votes of each tree on the samples that it was grown without."""

import hashlib
import warnings
from numbers import Integral

import numpy as np

from ironbark.errors import InputError


def bootstrap_weights(n, seed, draws=None):
    """How often each of n samples is drawn in n or so many draws with replacement; ndarray of shape (n,), int64."""
    return np.bincount(np.random.default_rng(seed).integers(0, n, draws or n), minlength=n)


def draws_of(max_samples, n):
    """Draws of each bootstrap sample of n samples: a number, a share of n rounded down, or None for n.

    Raises
    ------
    InputError
        If `max_samples` is a number larger than n.
    """
    if max_samples is None:
        return n
    if isinstance(max_samples, Integral):
        if max_samples > n:
            raise InputError(f"max_samples={max_samples} is more than the {n} samples; give at most {n}, or a share.")
        return int(max_samples)
    return max(int(n * max_samples), 1)


def out_of_bag_proportions(trees, seeds, draws, X, missing=None):
    """Mean class proportions of each sample's leaves over the trees that did not draw the sample.

    Parameters
    ----------
    trees : list of Tree
    seeds : sequence of int
        Seed of each tree and of its bootstrap sample.
    draws : int
        Of each bootstrap sample.
    X : ndarray of shape (n_samples, n_features), float64, C order
        The training set.
    missing : bool, optional
        Whether X may hold NaN; looked up if it is not given.

    Returns
    -------
    ndarray of shape (n_samples, n_classes), float64
        NaN where every tree drew the sample.
    """
    total, voters = np.zeros((len(X), trees[0].max_n_classes)), np.zeros(len(X))
    for tree, seed in zip(trees, seeds, strict=True):
        outside = np.flatnonzero(bootstrap_weights(len(X), seed, draws) == 0)
        total[outside] += tree.proportions[tree.apply(X[outside], missing)]
        voters[outside] += 1
    voters[voters == 0] = np.nan
    return total / voters[:, None]


def out_of_bag_score(score, proportions, codes, classes):
    """Score of the samples that at least one tree did not draw; NaN if there are none.

    Parameters
    ----------
    score : callable
        Takes labels and predictions.
    proportions : ndarray of shape (n_samples, n_classes)
        Of `out_of_bag_proportions`.
    codes : ndarray of shape (n_samples,), int
        True class indices.
    classes : ndarray of shape (n_classes,)
    """
    voted = np.flatnonzero(~np.isnan(proportions[:, 0]))
    if len(voted) < len(codes):
        missing = len(codes) - len(voted)
        warnings.warn(
            f"{missing} samples have no out-of-bag votes, since every tree drew them; grow more trees.", stacklevel=5
        )
    if not len(voted):
        return float("nan")
    return score(classes[codes[voted]], classes[proportions[voted].argmax(axis=1)])


def sample_digest(features, codes, draws):
    """Tells training sets apart, cheaply: by all labels and by the values of up to 1,000 samples.

    Parameters
    ----------
    features : EncodedFeatures
        The digest is that of the values, whatever levels the codes refer to.
    codes : ndarray of shape (n_samples,), int
        Class indices.
    draws : int
        Of each bootstrap sample.

    Returns
    -------
    str
    """
    some = np.linspace(0, len(codes) - 1, min(len(codes), 1000)).astype(int)
    digest = hashlib.blake2b(np.append(codes, draws).astype(np.int64).tobytes(), digest_size=16)
    digest.update(features.take(some).decode().tobytes())
    return digest.hexdigest()


def accuracy(y, predicted):
    """Share of the predictions that are right."""
    return float(np.mean(y == predicted))
