"""Entries of docstrings that several boosters share, and the decorator that puts them in."""

import inspect
from string import Template
from typing import TypeVar

T = TypeVar("T")

#: Name -> entries of a section, or whole sections, of a numpydoc docstring.
ENTRIES = {
    "example": """
Examples
--------
>>> import numpy as np
>>> from ironbark import $name
>>> X = np.arange(40.0)[:, None]
>>> booster = $name(n_estimators=5, random_state=0).fit(X, np.where(X[:, 0] > 18, "yes", "no"))
>>> booster.predict([[3.0], [30.0]]).tolist()
['no', 'yes']
""",
    "classes": """
classes_ : ndarray of shape (2,)
    Sorted labels; the second counts as +1.
""",
    "trees": """
max_leaf_nodes : int, default=11
    Leaves per tree; 11 leaves are 10 splits.
min_samples_split : int, default=10
""",
    "random_state_and_record": """
random_state : int, RandomState instance or None, default=None
    Order in which the trees look at the features, which decides between equally good splits.
record_weights : bool, default=False
    Keep `sample_weights_`.
""",
    "importances_of_regressions": """
feature_importances_ : ndarray of shape (n_features,)
    Shares of the features in the decrease of the weighted squared error, of all trees together.
n_features_in_ : int
""",
    "steps": """
steps_, decays_ : ndarray of shape (n_rounds,)
    Each round makes F into ``decay * F + step * h`` with the prediction h of its tree.
estimator_weights_ : ndarray of shape (n_rounds,)
    Factor that each tree has in F in the end.
""",
    "weights_and_importances": """
sample_weights_ : ndarray of shape (n_rounds, n_samples)
    Weights that each tree was fitted with; rows sum to 1.
feature_importances_ : ndarray of shape (n_features,)
    Mean of the trees' importances, weighted by the absolute values of their factors.
n_features_in_ : int
""",
    "rules": """
random_state : int, RandomState instance or None, default=None
    Bootstraps, and the random states of the rules.
record_weights : bool, default=False
    Keep `sample_weights_`.

Attributes
----------
classes_ : ndarray of shape (2,)
    Sorted labels; the second counts as +1.
estimators_ : list of classifiers
    The rules, which predict -1 or +1.
mu_path_ : list of ndarray
    Coefficients of the rules after each round.
lp_iterations_ : ndarray of shape (n_rounds,), int
n_features_in_ : int
""",
    "robust_loss": """
r : float, default=0.5
    Focus >= 0: the larger, the less well classified samples count.
q : float, default=0.3
    Robustness in [0, 1): the larger, the less badly classified samples count. r = q = 0 is the log loss.
loss : str, default="robust_focal"
    Also "generalized_cross_entropy" (takes q), "focal" (r), "symmetric_cross_entropy" (a, b),
    "normalized_cross_entropy", "mean_absolute_error" and "cross_entropy". Or a log loss corrected for noise, always
    under softmax: "forward_correction" and "backward_correction" (take noise_matrix), "label_smoothing", "bootstrap"
    and "peer" (strength); see `ironbark.boosting.gbdt.losses.corrections`.
multi : {"ovr", "softmax"}, default="ovr"
    Three and more classes: each class against the rest, or scores that compete in a softmax. "softmax" is what the
    authors' code does; it diverges easily, see Notes.
a, b : float, default=1.0
    Weights of the two parts of symmetric cross entropy.
noise_matrix : array-like of shape (n_classes, n_classes), default=None
    Entry [i, j] is the probability that class i carries the label j: for "forward_correction" and
    "backward_correction".
strength : float, default=0.1
    Of "label_smoothing", "bootstrap" and "peer", in [0, 1).
validation_fraction : float, default=None
    Share of the samples of each class that a first fit leaves out. The number of rounds with the lowest mean loss
    on them is that of a second fit, to all samples; 50 rounds without a lower loss end the first. None runs
    `n_estimators`.
n_jobs : int, default=1
    Threads.
""",
    "robust_gbdt_attributes": """
classes_ : ndarray of shape (n_classes,)
    Sorted labels, of any type.
n_estimators_ : int
    Number of rounds of the model.
validation_loss_ : ndarray
    With `validation_fraction`, the mean loss of the samples left out after each round.
""",
    "robust_gbdt_softmax": """
Under softmax boosting starts at p = 1 / K, where for K >= 5 and the default `r` and `q` the Hessian of the label's
score is negative. Leaves of one class are then refused, and others get enormous values: use it with `r` and `q`
near 0, or tuned. `fit` warns of a model that is worse than a constant.

References
----------
"Robust-GBDT: GBDT with Nonconvex Loss for Tabular Classification in the Presence of Label Noise and Class
Imbalance", arXiv:2310.05067v2.
""",
    "robust_gbdt_samples": """
X : array-like of shape (n_samples, n_features)
    All that the library takes, missing values included. Columns of text of a pandas frame become categories, which
    LightGBM parts by levels and XGBoost with `enable_categorical`, else ranks in the order of code points. A text
    that `fit` did not see counts as missing.
y : array-like of shape (n_samples,) or (n_samples, n_classes)
    Labels of at least two classes, of any type; or class probabilities: a sample then counts once for each class that
    it may have, weighted by its probability. Columns' names, or numbers from 0, are the classes if not all 0.
""",
    "robust_gbdt_results": """
Returns
-------
self

Raises
------
ValueError
    If a parameter is out of range, y is no classification target or holds one class only, y or the weights are
    not as long as X, a weight is negative, an evaluation set has other labels, features hold infinity (XGBoost),
    or a metric is unknown or can't be computed of raw scores (LightGBM).

Warns
-----
UserWarning
    If no tree splits, or the model is worse than a constant.
""",
}


def documented(described: T) -> T:
    """A class or function, with each ``$name`` of its docstring replaced by these entries."""
    if described.__doc__:  # None under python -OO
        entries = {
            name: Template(text.strip()).safe_substitute(name=described.__name__) for name, text in ENTRIES.items()
        }
        described.__doc__ = Template(inspect.cleandoc(described.__doc__)).substitute(entries)
    return described
