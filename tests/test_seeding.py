"""Seeds from ids: results in the store stay comparable only while these numbers stay what they are."""

import numpy as np

from ironbark.seeding import generator, integer_seed, seed_sequence


def test_seeds_never_change_and_ids_do_not_run_into_each_other():
    assert integer_seed("mushrooms", "binary", "fixed-split", 0) == 3525143802
    assert integer_seed("a") == 2252775859 and generator("mushrooms", 3).integers(2**62) == 294683515433172508
    assert integer_seed("x", 1) == integer_seed("x", "1") == integer_seed("x", np.int64(1))
    ids = [("ab", "c"), ("a", "bc"), ("a", "b"), ("b", "a"), ("a",), ("a", ""), (1, 23), (12, 3), (), ("x",)]
    assert len({seed_sequence(*some).entropy for some in ids}) == len(ids)
