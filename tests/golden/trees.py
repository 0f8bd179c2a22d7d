"""Golden fits of trees and forests, their criteria and encodings."""

from functools import partial

import numpy as np
import pandas as pd
from golden import tables
from golden.cases import Case, nodes, outputs
from golden.tables import counts, mixed, normal, shares, sparse, with_gaps

from ironbark import RobustDecisionTreeClassifier as Tree
from ironbark import RobustRandomForestClassifier as Forest
from ironbark import encode
from ironbark.criteria import CRITERIA


def gap_share(left, right, params):
    """A custom criterion: difference of the shares of class 0, times the weights of both sides."""
    n_left, n_right = left.sum(), right.sum()
    gap = left[0] / n_left - right[0] / n_right
    return params[0] * n_left * n_right * gap * gap


table = partial(tables.table, make=mixed)


def tree_of(model, X):
    return {"trees": nodes(model.tree_)} | outputs(model, X)


def trees_of(model, X):
    return {"trees": [array for tree in model.trees_ for array in nodes(tree)]} | outputs(model, X)


def everything_of(model, X):
    """What else can be asked of a tree or forest: importances, paths, leaves, sizes, copies pruned in all ways."""
    found = trees_of(model, X) if hasattr(model, "trees_") else tree_of(model, X)
    path = model.decision_path(X)
    path = path[0] if isinstance(path, tuple) else path
    sizes = [model.get_n_leaves(), model.get_depth()]
    found["paths"] = [path.indices, path.indptr, np.asarray(model.apply(X)), np.array(sizes, np.float64)]
    found["importances"] = [model.feature_importances_, model.predict_log_proba(X)]
    limits = {"min_samples_split": [4, 20], "max_depth": [3, 1], "ccp_alpha": [0.001, 0.05]}
    copies = [copy for name, values in limits.items() for copy in model.prune_path(**{name: values})]
    return found | {"pruned": [copy.predict_proba(X) for copy in copies]}


def outside_of(model, X):
    """Scores out of the bag, and the bags."""
    bags = [model.oob_decision_function_, np.array([model.oob_score_]), *model.estimators_samples_]
    return trees_of(model, X) | {"out of bag": bags}


def whole(kind, *args, **params):
    """A model that does not choose its size, unless told so."""
    return partial(kind, *args, **{"ccp_alpha": 0.0, "random_state": 1, **params})


def of_criteria():
    """Every criterion in every way to grow: presorted, nodewise by counts and by keys, on float weights."""
    for name, entry in CRITERIA.items():
        for n_classes in (2, 4) if "multiclass" in entry.tasks else (2,):
            data, place = partial(table, n_classes=n_classes), f"{name}, {n_classes} classes"
            yield f"{place}, presorted", Case(data, whole(Tree, name), tree_of)
            yield f"{place}, nodewise", Case(data, whole(Forest, 2, criterion=name), trees_of)
            real = partial(data, gaps=True, weights=shares)
            yield f"{place}, real weights", Case(real, whole(Tree, name), tree_of)
            options = {"min_impurity_decrease": 0.02, "min_samples_leaf": 2}
            yield f"{place}, least decrease", Case(data, whole(Tree, name, **options), tree_of)
            pruned = whole(Tree, name, ccp_alpha=0.02)
            yield f"{place}, pruned", Case(data, pruned, tree_of)
    for n_classes in (2, 3):
        data = partial(table, n_classes=n_classes)
        for criterion, parameter, values in (
            ("negative_exponential", "lam", (0.0, 0.3, 1.0)),
            ("generalized_cross_entropy", "q", (0.0, 0.5, 1.0)),
            ("credal", "s", (0.0, 0.5, 3.0)),
        ):
            for value in values:
                model = whole(Tree, criterion, **{parameter: value})
                yield f"{criterion}, {parameter}={value}, {n_classes} classes", Case(data, model, tree_of)
        for criterion in ("twoing", "gini", "credal"):
            odd, quirky = partial(data, as_=lambda X: X / 3), whole(Forest, 2, criterion=criterion, compat="rdts")
            yield f"compat, {criterion}, {n_classes} classes", Case(odd, quirky, trees_of)
    own = partial(Tree, criterion_params=[0.5], ccp_alpha=0.0)  # few, for each is compiled anew in every process
    yield "custom criterion", Case(table, partial(own, gap_share), tree_of)
    path = partial(own, "golden.trees.gap_share")
    yield "custom criterion, 3 classes", Case(partial(table, gaps=True, weights=shares, n_classes=3), path, tree_of)


LIMITS = [{"max_depth": 3}, {"min_samples_split": 15}, {"min_samples_leaf": 6}, {"max_leaf_nodes": 6}]
LIMITS += [{"max_leaf_nodes": 200}, {"max_leaf_nodes": 5, "ccp_alpha": 0.01}, {"max_features": "sqrt"}]
LIMITS += [{"max_features": "log2"}, {"max_features": 0.5}]
LIMITS += [{"class_weight": "balanced"}, {"class_weight": {0: 2, 1: 1}}]


def of_growth():
    """Every way to grow, by forms of features, weights, missing values and stopping rules."""
    forms = {
        "plain": {},
        "weights": {"weights": counts},
        "gaps": {"gaps": True},
        "gaps and weights": {"gaps": True, "weights": counts},
        "real weights": {"weights": shares},
        "gaps and real weights": {"gaps": True, "weights": shares},
        "heavy weights": {"weights": lambda n: 300 * counts(n)},
        "16-bit codes": {"n": 400, "weights": counts},
        "16-bit codes and gaps": {"n": 400, "gaps": True},
        "normal": {"make": normal, "n": 300, "n_classes": 3},
        "normal with gaps": {"make": normal, "n": 300, "gaps": True},
        "zeros and gaps": {"make": _zeros_and_gaps},
    }
    ways = {
        "presorted": whole(Tree),
        "nodewise": whole(Tree, max_features=2),
        "constants count": whole(Tree, max_features=2, constant_features="count"),
        "least share": whole(Tree, min_weight_fraction_leaf=0.03, max_features=2),
        "compat": whole(Tree, compat="rdts"),
    }
    for form, data in forms.items():
        for way, model in ways.items():
            yield f"{form}, {way}", Case(partial(table, **data), model, tree_of)
    for n_classes in (2, 3):
        data = {"n_classes": n_classes, "n": 120}
        for params in LIMITS:
            yield f"{_short(params)}, {n_classes} classes", Case(partial(table, **data), whole(Tree, **params), tree_of)
        yield f"all of a tree, {n_classes} classes", Case(partial(table, **data), whole(Tree), everything_of)
        gaps = partial(table, **data, gaps=True, weights=shares)
        yield f"all of a tree with gaps, {n_classes} classes", Case(gaps, whole(Tree), everything_of)
        yield f"all of a forest, {n_classes} classes", Case(partial(table, **data), whole(Forest, 3), everything_of)


def with_levels(X):
    """Encoded features, all but the first categorical, with thirds of units as levels."""
    levels = np.floor(3 * X[:, 1:])
    for column in levels.T:
        known = ~np.isnan(column)
        column[known] = np.unique(column[known], return_inverse=True)[1]
    return encode(np.column_stack([X[:, 0], levels])).with_categories(range(1, X.shape[1]))


def of_categories():
    """Splits by levels, which have a family of their own."""
    for n in (None, 2):
        model = whole(Tree, max_features=n)
        yield f"categories, {n or 'all'} features", Case(partial(table, as_=with_levels), model, tree_of)
    for n_classes in (2, 4):
        data = partial(table, n_classes=n_classes, gaps=True, as_=with_levels)
        forest, tree = whole(Forest, 3), whole(Tree)
        yield f"categories with gaps, {n_classes} classes", Case(data, forest, everything_of)
        yield f"categories with shares, {n_classes} classes", Case(partial(data, weights=shares), tree, tree_of)


def of_forms():
    """Forms of features and labels."""
    texts = lambda: (*table()[:1], np.array(["no", "yes"])[table()[1]], {})  # noqa: E731
    yield "labels that are texts", Case(texts, whole(Tree), tree_of)
    yield "one class", Case(lambda: (table()[0], np.zeros(60, int), {}), whole(Tree), tree_of)
    forms = {
        "sparse": sparse,
        "sparse integers": lambda X: sparse(X.astype(np.int64)).astype(np.int64),
        "float32": lambda X: X.astype(np.float32),
        "integers": lambda X: X.astype(np.int16),
        "frame": lambda X: pd.DataFrame(X).astype({0: "category"}),
        "encoded": encode,
    }
    for form, as_ in forms.items():
        for way, model in (("presorted", whole(Tree)), ("nodewise", whole(Tree, max_features=2))):
            yield f"{form}, {way}", Case(partial(table, as_=as_), model, tree_of)
    rounded = partial(table, as_=lambda X: encode(1.0 + X * 1e-9))  # values that are one in float32
    yield "compat, levels that merge", Case(rounded, whole(Tree, compat="rdts"), tree_of)
    gaps = partial(table, gaps=True, as_=encode)
    yield "encoded with gaps, compat", Case(gaps, whole(Tree, compat="rdts"), tree_of)
    yield "gaps when predicting only", Case(table, whole(Tree), lambda model, X: tree_of(model, with_gaps(X)))
    for n, make in ((70000, _many_levels), (9000, _many_integers)):
        for way, model in {
            "presorted": whole(Tree, max_depth=2),
            "nodewise": whole(Tree, max_depth=2, max_features=1),
            "real weights": whole(Tree, max_depth=1, min_weight_fraction_leaf=0.1),
        }.items():
            yield f"{n} levels, {way}", Case(partial(make, n), model, _small_tree_of)


def of_forests():
    """Bags, scores outside them, weights as chances."""
    data, more = partial(table, n_classes=3, n=120), partial(table, n=120, weights=shares)
    copies = partial(table, n=120, weights=counts)
    forests = {
        "out of bag": ({"oob_score": True}, data, outside_of),
        "out of bag, few trees": ({"oob_score": True, "n_estimators": 2}, data, outside_of),
        "out of bag, many draws": ({"oob_score": True, "max_samples": 4.0, "n_estimators": 3}, data, outside_of),
        "chances": ({"oob_score": True}, more, outside_of),
        "share of chances": ({"max_samples": 0.6}, more, trees_of),
        "number of draws": ({"max_samples": 30}, data, trees_of),
        "no bootstrap": ({"bootstrap": False}, data, trees_of),
        "no bootstrap, weights": ({"bootstrap": False}, copies, trees_of),
        "all features": ({"max_features": None}, data, trees_of),
        "two threads": ({"n_jobs": 2}, data, trees_of),
        "balanced": ({"class_weight": "balanced"}, more, trees_of),
        "custom score": ({"oob_score": lambda y, found: float(np.mean(y == found) ** 2)}, data, outside_of),
        "pruned": ({"ccp_alpha": 0.01}, data, trees_of),
        "best first": ({"max_leaf_nodes": 7}, data, trees_of),
    }
    for name, (params, rows, keep) in forests.items():
        yield f"forest, {name}", Case(rows, whole(Forest, **{"n_estimators": 5, **params}), keep)
    light = partial(table, n=120, weights=lambda n: shares(n) / 9)
    yield "forest, few draws by light weights", Case(light, whole(Forest, 4, max_samples=0.5), trees_of)
    often = whole(Forest, 1, oob_score=True, max_samples=400)
    yield "forest, out of bag, all drawn", Case(partial(table, n=12), often, outside_of)


def warm_start(ways={"plain": {}, "scored": {"oob_score": True}}):  # noqa: B006 - is not changed
    """Forests that grow in two steps."""
    found = {}
    for name, params in ways.items():
        X, y, _ = table(n=120)
        forest = whole(Forest, 2, warm_start=True, **params)().fit(X, y)
        forest.set_params(n_estimators=5).fit(X, y)
        found[name] = [forest.predict_proba(X), *(array for tree in forest.trees_ for array in nodes(tree))]
        found[f"{name}, members"] = [member.predict_proba(X) for member in forest.estimators_]
    return found


def shared_features():
    """Fits one after the other on features that are encoded once, in all ways to grow."""
    X, y, _ = table(n=120)
    features, found = encode(X), {}
    ways = {"presorted": {}, "floats": {"min_weight_fraction_leaf": 0.02}, "nodewise": {"max_features": 2}}
    for name, params in ways.items():
        for again in (1, 2):
            found[f"{name}, {again}"] = nodes(whole(Tree, **params)().fit(features, y).tree_)
    samples = whole(Forest, 2, bootstrap=False)().fit(features, y).estimators_samples_
    return found | {"samples": samples, "single": [features.single().levels]}


def pruning_path():
    """Prices and impurities along minimal cost-complexity pruning, of trees of all kinds of impurity."""
    found = {}
    for name in CRITERIA:
        X, y, options = table(weights=shares)
        path = whole(Tree, name)().cost_complexity_pruning_path(X, y, **options)
        found[name] = [path.ccp_alphas, path.impurities]
    return found


def _zeros_and_gaps(n=200):
    """Features of many levels that are mostly zero or missing, so that nodes have nothing else."""
    X, y = normal(n)
    kind = np.random.default_rng(6).random(X.shape)
    return np.where(kind < 0.6, 0.0, np.where(kind < 0.9, np.nan, X)), y


def _many_levels(n):
    """More levels than 16 bits hold."""
    rng = np.random.default_rng(7)
    X = np.column_stack([rng.permutation(n) / 7.0, rng.integers(0, 3, n)])
    return X, (X[:, 0] + X[:, 1] * n / 30 > n / 14).astype(int), {}


def _many_integers(n):
    """Integers of a narrow range, of a wide one, with zeros and gaps, in enough cells to be ranked by kernels."""
    rng = np.random.default_rng(8)
    X = np.column_stack([rng.integers(-40, 300, n), rng.integers(-(10**6), 10**6, n), rng.normal(size=n).round(3)])
    X = np.column_stack([X, X * (rng.random(X.shape) < 0.3), rng.random((n, 3))]).astype(float)
    X[rng.random(n) < 0.1, 5] = np.nan
    X[:10, 8] = -0.0
    return X, (X[:, 0] + X[:, 3] / 10**4 > 150).astype(int), {}


def _small_tree_of(model, X):
    return {"trees": nodes(model.tree_), "predictions": [model.predict(X[:1000])]}


def _short(params):
    return ", ".join(f"{name}={value}" for name, value in params.items()) or "plain"


CASES = {**dict(of_criteria()), **dict(of_growth()), **dict(of_forms()), **dict(of_forests())}
CASES |= {"two steps": warm_start, "features shared by fits": shared_features, "pruning path": pruning_path}
