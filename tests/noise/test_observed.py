"""Labels that were given before others corrected them."""

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.noise import apply, corrupt

Y = np.array([0, 0, 0, 1, 1, 2])
GIVEN = np.array([0, 1, 0, 1, 1, 0])


def test_labels_are_those_given_and_the_matrix_counts_them():
    result = apply("observed", None, Y, 4, None, None, given=GIVEN)
    assert result.labels.tolist() == GIVEN.tolist() and not np.shares_memory(result.labels, GIVEN)
    expected = [[2 / 3, 1 / 3, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]]
    np.testing.assert_allclose(result.transition, expected)


def test_labels_of_users_are_coded_alike():
    names = np.array(["b", "a", "c"])  # the order of the classes is a, b, c
    assert corrupt("observed", None, names[Y], given=list(names[GIVEN])).tolist() == names[GIVEN].tolist()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (None, "noise 'observed' needs the given labels; pass given=..., or name their column in the data set"),
        (GIVEN[:5], r"has given labels of shape \(5,\), but y of shape \(6,\)"),
        (GIVEN + 3, "needs given labels that are codes from 0 to 2"),
        (GIVEN / 2, "needs given labels that are codes from 0 to 2"),
        (3, "given=3 of noise 'observed' is not allowed; it must be the labels as they were given"),
    ],
)
def test_refused(given, sentence):
    with pytest.raises(InputError, match=sentence):
        apply("observed", None, Y, 3, None, None, given=given)


def test_a_strange_label_is_refused():
    with pytest.raises(InputError, match="given holds the label 'z', which y does not have"):
        corrupt("observed", None, ["a", "b", "a"], given=["a", "z", "b"])
