"""Twoing as the code that came with Wilton and Ye (2024) searches it, kept to compare with the published values.

That search ends as soon as the best gain reaches the risk of the node, which is meant for splits that leave no risk.
But twoing is not weighted by the node's share w of the training set, and the risk w (1 - max_k p_k) K / (K-1) is, so in
a small node the first threshold of the first feature usually ends it. `twoing` is the criterion without this fault.
"""

from ironbark.criteria import twoing
from ironbark.criteria.base import fields
from ironbark.criteria.gini import inverses


class TwoingRdts(twoing.Twoing):
    """Twoing whose search ends at the first gain, feature by feature and in ascending order, that reaches the risk."""

    early_exit = True


def build(n_root, n_classes):
    """Twoing with the early exit for nodes of up to `n_root` samples."""
    return TwoingRdts(*fields(floats=inverses(n_root)))
