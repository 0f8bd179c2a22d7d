"""Tests, ranks and intervals: numbers in, numbers out. Importing this package loads neither numpy nor pandas."""


def allowed(protocol: str | None, n_folds: int) -> list[str]:
    """Names of the tests of `significance.TESTS` that a protocol allows, the default first."""
    if protocol == "training-sizes":  # whose folds are sizes, so that only the repeats are runs of one kind
        return ["trial-means"]
    if n_folds > 1:
        return ["paired", "trial-means", "corrected"]
    return ["paired", "corrected"] if protocol == "random-partitions" else ["paired"]
