"""Fitted estimators as JSON and arrays, and back, with every part checked."""

import math

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ironbark.criteria import is_custom, resolve
from ironbark.errors import InputError
from ironbark.persistence import values
from ironbark.persistence.trees import from_columns, to_columns
from ironbark.persistence.values import from_json, to_json
from ironbark.tree.base import MAX_REAL
from ironbark.tree.classifier import RobustDecisionTreeClassifier
from ironbark.tree.forest import RobustRandomForestClassifier

CLASSES = {cls.__name__: cls for cls in (RobustDecisionTreeClassifier, RobustRandomForestClassifier)}
MAX_FEATURES = 2**24
MAX_SAMPLES = 2**32

#: Fitted attributes that are lists of trees; `tree_` is one of a single tree.
FORESTS = ("tree_", "trees_", "_whole_trees")
#: Fitted attribute -> type and number of dimensions.
ARRAYS = {"seeds_": ("int64", 1), "oob_decision_function_": ("float64", 2), "sample_weight_": ("float64", 1)}
#: Fitted attribute -> type.
SCALARS = {"ccp_alpha_": float, "digest_": str, "oob_score_": float, "n_samples_": int, "n_draws_": int}
#: Attributes with a place of their own, and what scikit-learn keeps of routing, which is not saved.
OTHERS = {
    "classes_",
    "n_classes_",
    "n_features_in_",
    "feature_names_in_",
    "categories_",
    "ccp_path_",
    "_metadata_request",
}


def to_record(model):
    """Header and arrays of a fitted tree or forest."""
    name = type(model).__name__
    if CLASSES.get(name) is not type(model):
        raise InputError(f"save takes a {' or a '.join(CLASSES)}, not a {name}; use pickle or joblib for others.")
    check_is_fitted(model)
    parameters = model.get_params()
    fitted = {key: value for key, value in vars(model).items() if key not in parameters}
    unknown = sorted(set(fitted) - {*FORESTS, *ARRAYS, *SCALARS, *OTHERS})
    if unknown:
        raise InputError(f"the attribute {unknown[0]!r} cannot be saved; delete it, or use pickle or joblib.")
    texts, classes = values.to_array(model.classes_)
    header = {
        "class": name,
        "parameters": {key: to_json(key, value) for key, value in parameters.items()},
        "text_classes": texts,
        "n_features": int(model.n_features_in_),
        "feature_names": list(map(str, model.feature_names_in_)) if "feature_names_in_" in fitted else None,
        "categories": list(map(list, fitted.get("categories_", {}).items())),
        "scalars": {key: _scalar(key, fitted[key]) for key in SCALARS if key in fitted},
        "ccp_path": list(fitted.get("ccp_path_", [])),
        "trees": {},
    }
    arrays = {"classes_": classes} | {key: np.ascontiguousarray(fitted[key]) for key in ARRAYS if key in fitted}
    arrays |= {f"ccp_path_.{key}": np.asarray(fitted["ccp_path_"][key], np.float64) for key in header["ccp_path"]}
    for key in FORESTS:
        if key in fitted:
            trees = [fitted[key]] if key == "tree_" else fitted[key]
            header["trees"][key], columns = to_columns(key, trees)
            arrays |= columns
    return header, arrays


def _scalar(name, value):
    """A scalar in the type that a file has it in; a user's function may return another one as `oob_score_`."""
    try:
        return to_json(name, SCALARS[name](value))
    except (TypeError, ValueError) as error:
        raise InputError(f"the attribute {name!r} is no {SCALARS[name].__name__}; set it to one.") from error


def from_record(header: dict, arrays: dict[str, np.ndarray], trusted):
    """The estimator of `to_record`."""
    parameters = {key: from_json(value) for key, value in header["parameters"].items()}
    for entry in (parameters, *sum(header["trees"].values(), [])):
        _check_criterion(entry["criterion"], trusted)
    model = CLASSES[header["class"]](**parameters)
    model._validate_params()
    model.classes_ = values.from_array(header["text_classes"], arrays.pop("classes_"))
    model.n_classes_, model.n_features_in_ = len(model.classes_), _count(header["n_features"])
    if header["feature_names"] is not None:
        model.feature_names_in_ = _names(header["feature_names"], model.n_features_in_)
    if header.get("categories"):  # files of earlier versions have none
        model.categories_ = _categories(header["categories"], model.n_features_in_)
    for key, value in header["scalars"].items():
        if type(value) is not SCALARS[key]:
            raise ValueError(f"{key} is {value!r}")
        setattr(model, key, value)
    if header["ccp_path"]:
        model.ccp_path_ = {key: _array(arrays, f"ccp_path_.{key}", "float64", 1) for key in header["ccp_path"]}
    for key in [key for key in ARRAYS if key in arrays]:
        setattr(model, key, _array(arrays, key, *ARRAYS[key]))
    _set_trees(model, header["trees"], arrays)
    if arrays:
        raise ValueError(f"there are unknown arrays, such as {min(arrays)!r}")
    return model


def _set_trees(model, entries, arrays):
    """Set the attributes that hold trees, and check what depends on their number."""
    for key in FORESTS:
        if key in entries:
            trees = from_columns(key, entries[key], arrays, model.n_features_in_, model.n_classes_)
            setattr(model, key, trees[0] if key == "tree_" else trees)
    if not hasattr(model, "ccp_alpha_") or not 0 <= model.ccp_alpha_ < math.inf:
        raise ValueError("ccp_alpha_ must be a number >= 0")
    if isinstance(model, RobustDecisionTreeClassifier):
        wrong = set(entries) != {"tree_"} or len(entries["tree_"]) != 1
    else:
        lengths = {len(model.trees_), len(model.seeds_), len(getattr(model, "_whole_trees", model.trees_))}
        wrong = "tree_" in entries or len(lengths) > 1 or 0 in lengths or not hasattr(model, "digest_")
        wrong |= bool((model.seeds_ < 0).any() or (model.seeds_ >= 2**32).any())
        wrong |= getattr(model, "oob_decision_function_", model.classes_[None]).shape[1] != model.n_classes_
        wrong |= not _drawn_from(model)
    if wrong:
        raise ValueError("the numbers of trees, seeds, classes, samples and draws do not agree")


def _drawn_from(model):
    """Whether what bootstrap samples are drawn from is in range, if it is there: earlier versions did not save it."""
    n, draws = getattr(model, "n_samples_", 1), getattr(model, "n_draws_", 1)
    weights = getattr(model, "sample_weight_", None)
    known = 0 < n < MAX_SAMPLES and 0 < draws < MAX_SAMPLES
    if weights is None:
        return known
    return known and len(weights) == n and bool(((weights >= 0) & (weights <= MAX_REAL)).all() and weights.any())


def _check_criterion(criterion, trusted):
    if is_custom(criterion) and criterion not in trusted:
        raise InputError(
            f"the model names the criterion {criterion!r}, a function that a later fit would import; if you trust it, "
            f"load with trusted=[{criterion!r}]."
        )
    resolve(criterion)


def _array(arrays, name, dtype, ndim):
    array = arrays.pop(name)
    if array.dtype != dtype or array.ndim != ndim:
        raise ValueError(f"{name} has another type or shape")
    return array


def _count(n_features):
    if type(n_features) is not int or not 1 <= n_features <= MAX_FEATURES:
        raise ValueError(f"n_features is {n_features!r}")
    return n_features


def _names(names, n_features):
    if len(names) != n_features or not all(isinstance(name, str) for name in names):
        raise ValueError("feature_names must be one text for each feature")
    return np.array(names, dtype=object)


def _categories(pairs, n_features):
    """Texts by their rank, for each column of text."""
    for place, texts in pairs:
        if type(place) is not int or not 0 <= place < n_features or not all(isinstance(text, str) for text in texts):
            raise ValueError("categories must be lists of texts of columns")
    return dict(pairs)
