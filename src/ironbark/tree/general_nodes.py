"""The store of nodes of the general way to grow trees: float64 class weights, directions of missing values, sizes."""

from ironbark.jit import inner_kernel
from ironbark.tree.nodes import LEAF, LEFT, PREDICTION, RIGHT, TIE_DRAW, draw
from ironbark.tree.scan import TIE

#: Entries of what is written of a split. ROSE: the lowest code of the right child goes left, for their midpoint was
#: rounded up to it. ODD: a sample that goes right all the same, or -1.
FEATURE, LOW, HIGH, MISSING_LEFT, ROSE, ODD = range(6)

#: Columns of `Nodes.records` behind those of the fast growers: whether missing values go left, and number of samples.
TO_LEFT, SIZE = 6, 7


@inner_kernel
def is_final(sides, size, depth, settings):
    """Whether a node is a leaf before any search: pure, too deep or too small."""
    present = 0
    for k in range(sides.total_sizes.shape[0]):
        present += sides.total_sizes[k] > 0
    if present == 1 or depth >= settings.max_depth:
        return True
    return size < settings.min_samples_split or size < 2 * settings.min_samples_leaf


@inner_kernel
def add_leaf(nodes, row, sides, size, key):
    """Write a leaf of the class weights in `sides` to `row`."""
    nodes.gains[row] = 0.0
    for j in range(PREDICTION):
        nodes.records[row, j] = LEAF
    for k in range(sides.total.shape[0]):
        nodes.counts[row, k] = sides.total[k]
    nodes.records[row, PREDICTION] = heaviest(sides.total, key)
    nodes.records[row, TO_LEFT] = 0
    nodes.records[row, SIZE] = size


@inner_kernel
def write_split(nodes, row, used, gain, found):
    """Make the leaf at `row` an inner node with children in rows `used` and `used` + 1."""
    for j in (FEATURE, LOW, HIGH):
        nodes.records[row, j] = found[j]
    nodes.records[row, LEFT] = used
    nodes.records[row, RIGHT] = used + 1
    nodes.records[row, TO_LEFT] = found[MISSING_LEFT]
    nodes.gains[row] = gain


@inner_kernel
def heaviest(weights, key):
    """The class of the largest weight; among several, up to rounding, one drawn by the node's key."""
    most, ties = 0.0, 0
    for k in range(weights.shape[0]):
        most = max(most, weights[k])
    for k in range(weights.shape[0]):
        ties += weights[k] >= most * (1.0 - TIE)
    skip = 0 if ties == 1 else draw(key, TIE_DRAW, ties)
    for k in range(weights.shape[0]):
        if weights[k] >= most * (1.0 - TIE):
            if skip == 0:
                return k
            skip -= 1
    return 0
