"""Noise of the rarest class."""

import numpy as np
import pytest
from scipy.stats import chisquare

from ironbark.errors import InputError
from ironbark.noise import apply


@pytest.mark.parametrize(("sizes", "rarest"), [([50, 20, 30], 1), ([20, 50, 20], 2), ([0, 30, 40], 1), ([9, 9], 1)])
def test_exactly_the_rarest_class_that_occurs_loses_labels(sizes, rarest):
    y = np.repeat(np.arange(len(sizes)), sizes)
    labels = apply("rare_class", None, y, len(sizes), 0.5, np.random.default_rng(0), exact=True).labels
    assert set(y[labels != y]) == {rarest}
    assert (labels != y).sum() == round(0.5 * sizes[rarest])
    assert set(labels) <= set(np.flatnonzero(sizes))  # no label of a class that does not occur


def test_labels_go_to_the_others_by_their_sizes():
    y = np.repeat([0, 1, 2], [30_000, 6_000, 10_000])
    result = apply("rare_class", None, y, 3, 0.4, np.random.default_rng(0))
    np.testing.assert_allclose(result.transition, [[1, 0, 0], [0.3, 0.6, 0.1], [0, 0, 1]], atol=1e-12)
    assert chisquare(np.bincount(result.labels[y == 1]), [1800, 3600, 600]).pvalue > 1e-4


def test_one_class_is_refused():
    with pytest.raises(InputError, match="noise 'rare_class' needs samples of at least 2 classes, but y holds only"):
        apply("rare_class", None, np.ones(5, int), 2, 0.2, np.random.default_rng(0))
