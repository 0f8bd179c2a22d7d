"""A program of a user, for `mypy`: what it accepts, and what it refuses.

A line with ``type: ignore`` must be an error, for unused ones are reported.
"""

from pathlib import Path
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import ironbark
from ironbark.noise import corrupt

X, y = np.zeros((4, 2)), ["a", "b", "a", "b"]

noisy = corrupt("uniform", None, y, rate=0.3, random_state=0)
assert_type(noisy, NDArray[Any])
corrupt("uniform", None, y, rate="0.3")  # type: ignore[arg-type]

assert_type(ironbark.encode(X), ironbark.EncodedFeatures)
tree = ironbark.RobustDecisionTreeClassifier("credal", s=2.0, max_depth=3, ccp_alpha=0.0, class_weight={"a": 2.0})
assert_type(tree.fit(X, y), ironbark.RobustDecisionTreeClassifier)
tree.fit(X)  # type: ignore[call-arg]
assert_type(tree.predict_proba(ironbark.encode(X)), NDArray[np.float64])
ironbark.RobustDecisionTreeClassifier(max_depth="3")  # type: ignore[arg-type]
ironbark.RobustDecisionTreeClassifier(compat="rdt")  # type: ignore[arg-type]

forest = ironbark.RobustRandomForestClassifier(20, criterion=lambda left, right, p: 1.0, ccp_alpha=[0.0, 0.1])
assert_type(forest.fit(X, y, sample_weight=[1, 2, 3, 4]), ironbark.RobustRandomForestClassifier)
forest.predict()  # type: ignore[call-arg]
ironbark.RobustRandomForestClassifier(n_estimators=None)  # type: ignore[arg-type]

ironbark.RobustXGBClassifier(r=0.5, n_estimators=5).fit(X, y, eval_set=[(X, y)])
detector = ironbark.LabelErrorDetector(cut=0.1, random_state=0)
assert_type(detector.fit(X, y, groups=[0, 0, 1, 1]), ironbark.LabelErrorDetector)
ironbark.find_label_errors(X, y, detector=detector)
detector.fit(X)  # type: ignore[call-arg]

ironbark.save(forest, Path("forest.npz"))
ironbark.load("forest.npz", trusted=["my_module.gain"])
ironbark.save(forest)  # type: ignore[call-arg]
ironbark.lode("forest.npz")  # type: ignore[attr-defined]
