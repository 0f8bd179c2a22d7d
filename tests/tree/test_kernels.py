"""The kernels give the same trees as plain Python, and stay within their arrays."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tree.small_fits import fits

import ironbark
from ironbark.criteria import CRITERIA
from ironbark.tree.growing.thresholds.node_threshold import BY_ROW

LARGE = BY_ROW + 300
FOLDERS = os.pathsep.join([str(Path(ironbark.__file__).parents[1]), str(Path(__file__).parents[1])])


def run(code, **environment):
    """Standard output of a fresh process."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code],
        env={**os.environ, "PYTHONPATH": FOLDERS, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_equal(criteria, class_counts, n=40, **environment):
    """Trees of `small_fits` are the same here as in a process with this environment."""
    arguments = list(criteria), class_counts, n
    here = fits(*arguments)
    code = f"import json; from tree.small_fits import fits; print(json.dumps(fits{arguments}))"
    there = json.loads(run(code, **environment))
    assert here.keys() == there.keys()
    assert sum(len(tree["feature"]) > 1 for trees in here.values() for tree in trees) > len(here)
    for name, trees in here.items():
        for one, other in zip(trees, there[name], strict=True):
            gains = one.pop("gain"), other.pop("gain")
            assert one == other, name
            np.testing.assert_allclose(*gains, rtol=1e-12, atol=1e-15)


def test_plain_python_grows_the_same_trees():
    check_equal(CRITERIA, [2, 3], NUMBA_DISABLE_JIT="1")


@pytest.mark.parametrize("n_classes", [2, 3])
def test_plain_python_grows_the_same_trees_from_large_nodes(n_classes):
    """Nodes of more samples than codes by row and few keys are for: columns, radix sort, zeros left out."""
    check_equal(["gini"], [n_classes], LARGE, NUMBA_DISABLE_JIT="1")


DOUBLING = """
import numpy as np
from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier

def balanced(left, right, parameters):
    return float(min(left.sum(), right.sum()))

X, y, weights = np.arange(34.0)[:, None], np.tile([0, 1], 17), 2 ** np.repeat(np.arange(17), 2)
tree = RobustDecisionTreeClassifier(balanced, ccp_alpha=0.0).fit(X, y, weights)
options = {"criterion": balanced, "max_features": 1, "bootstrap": False, "ccp_alpha": 0.0}
forest = RobustRandomForestClassifier(1, **options).fit(np.hstack([X, X]), y, weights)
print(tree.get_n_leaves(), forest.get_n_leaves())
"""


def test_the_stack_holds_siblings_of_doubling_weights():
    """Each split leaves a heavy pair to wait: the stack grows with the weights, not with the number of samples."""
    assert run(DOUBLING, NUMBA_DISABLE_JIT="1").split() == ["34", "34.0"]
