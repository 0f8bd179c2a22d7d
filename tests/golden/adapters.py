"""Golden fits of estimators that differ from the library's in one choice, for diagnoses.

Those of CatBoost and cleanlab have none: ``envs/test.lock`` leaves these packages out.
"""

from functools import partial

from golden.cases import Case
from golden.gbdt import kept
from golden.gbdt import table as rows_of
from golden.tables import counts, shares
from golden.trees import table, trees_of, whole

from ironbark.pipeline.diagnostics.authors_gradient import AuthorsGradientXGBClassifier
from ironbark.pipeline.diagnostics.distinct_samples import DistinctSampleForest
from ironbark.pipeline.diagnostics.voting import VotingForest


def cases():
    for n_classes in (2, 3):
        data = partial(table, n=120, n_classes=n_classes)
        for name, kind in {"distinct samples": DistinctSampleForest, "votes": VotingForest}.items():
            for bootstrap in (True, False):
                model = whole(kind, 4, min_samples_split=8, bootstrap=bootstrap)
                for weights in (None, counts, shares):
                    place = (
                        f"{name}, {n_classes} classes, bootstrap {bootstrap}, {getattr(weights, '__name__', 'ones')}"
                    )
                    yield place, Case(partial(data, weights=weights, gaps=n_classes == 3), model, trees_of)
    for r, q in ((0.5, 0.3), (0.0, 0.3), (0.5, 0.0), (0.1, 0.6)):
        for weights in (None, shares):
            model = partial(AuthorsGradientXGBClassifier, r, q, n_estimators=5, max_depth=3)
            data = partial(rows_of, n_classes=3, weights=weights)
            yield f"authors' gradient, r={r}, q={q}, {weights is not None}", Case(data, model, kept)


CASES = dict(cases())
