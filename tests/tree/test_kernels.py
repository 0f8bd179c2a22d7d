"""The kernels give the same trees as plain Python, and stay within their arrays."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ironbark
from ironbark.criteria import CRITERIA
from ironbark.tree.growing.thresholds.node_threshold import BY_ROW

SCRIPT = Path(__file__).with_name("small_fits.py")
LARGE = BY_ROW + 300


def fits_here(criteria, class_counts, n=40):
    spec = importlib.util.spec_from_file_location("small_fits", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.fits(criteria, class_counts, n)


def fits_there(criteria, class_counts, n=40, **environment):
    source = str(Path(ironbark.__file__).parents[1])
    options = ",".join(criteria), ",".join(map(str, class_counts)), str(n)
    done = subprocess.run(
        [sys.executable, "-W", "ignore::RuntimeWarning", str(SCRIPT), *options],
        env={**os.environ, "PYTHONPATH": source, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_equal(here, there):
    assert here.keys() == there.keys()
    assert sum(len(tree["feature"]) > 1 for trees in here.values() for tree in trees) > len(here)
    for name, trees in here.items():
        for one, other in zip(trees, there[name], strict=True):
            gains = one.pop("gain"), other.pop("gain")
            assert one == other, name
            np.testing.assert_allclose(*gains, rtol=1e-12, atol=1e-15)


def test_plain_python_grows_the_same_trees():
    check_equal(fits_here(CRITERIA, (2, 3)), fits_there(CRITERIA, (2, 3), NUMBA_DISABLE_JIT="1"))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_plain_python_grows_the_same_trees_from_large_nodes(n_classes):
    """Nodes of more samples than codes by row and few keys are for: columns, radix sort, zeros left out."""
    here = fits_here(["gini"], [n_classes], LARGE)
    check_equal(here, fits_there(["gini"], [n_classes], LARGE, NUMBA_DISABLE_JIT="1"))


@pytest.mark.slow  # plain Python, above, finds an index beyond the end as well
@pytest.mark.parametrize(("criterion", "n_classes"), [("misclassification", 3), ("gini", 2)])
def test_no_index_is_out_of_bounds(criterion, n_classes):
    there = fits_there([criterion], [n_classes], LARGE, NUMBA_BOUNDSCHECK="1", IRONBARK_CACHE="0")  # compiles anew
    check_equal(fits_here([criterion], [n_classes], LARGE), there)


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
    done = subprocess.run(
        [sys.executable, "-W", "ignore::RuntimeWarning", "-c", DOUBLING],
        env={**os.environ, "PYTHONPATH": str(Path(ironbark.__file__).parents[1]), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.split() == ["34", "34.0"], done.stderr
