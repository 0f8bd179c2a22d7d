"""Golden fits of forests that differ from the library's in one choice, for diagnoses."""

from functools import partial

from golden.cases import Case
from golden.tables import counts, shares
from golden.trees import table, trees_of, whole

from ironbark.pipeline.diagnostics.voting import VotingForest


def cases():
    for n_classes in (2, 3):
        data = partial(table, n=120, n_classes=n_classes)
        for bootstrap in (True, False):
            model = whole(VotingForest, 4, min_samples_split=8, bootstrap=bootstrap)
            for weights in (None, counts, shares):
                place = f"votes, {n_classes} classes, bootstrap {bootstrap}, {getattr(weights, '__name__', 'ones')}"
                yield place, Case(partial(data, weights=weights, gaps=n_classes == 3), model, trees_of)


CASES = dict(cases())
