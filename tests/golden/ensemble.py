"""Golden fits of means of a forest and boosters; with many classes the boosters are left out."""

from functools import partial

from golden.cases import Case, outputs
from golden.gbdt import table
from golden.tables import shares

from ironbark import RobustEnsembleClassifier


def of_ensembles():
    model = partial(RobustEnsembleClassifier, 5, n_boosters=2, random_state=0)
    for n_classes in (2, 3):
        rows = partial(table, n_classes=n_classes)
        forms = {"plain": rows, "weights": partial(rows, weights=shares), "gaps": partial(rows, gaps=True)}
        for name, data in forms.items():
            yield f"ensemble, {n_classes} classes, {name}", Case(data, model, ensemble)
    yield "ensemble, 40 classes", Case(partial(table, n=800, n_classes=40), model, ensemble)


def ensemble(model, X):
    return outputs(model, X) | {"rounds": list(model.rounds_path_.values())}


CASES = dict(of_ensembles())
