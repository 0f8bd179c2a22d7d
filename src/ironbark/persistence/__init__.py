"""Fitted trees and forests in files without pickle: an .npz archive of arrays and one JSON text."""

import contextlib
import math
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ironbark.criteria import is_custom, resolve
from ironbark.errors import InputError
from ironbark.persistence import archive
from ironbark.persistence.trees import (
    checked_classes,
    from_columns,
    from_json,
    plain_classes,
    require,
    to_columns,
    to_json,
)
from ironbark.tree.base import MAX_REAL
from ironbark.tree.classifier import RobustDecisionTreeClassifier
from ironbark.tree.forest import RobustRandomForestClassifier

__all__ = ["load", "save"]

FORMAT, VERSION = "ironbark-model", 1

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


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Save a fitted tree or forest to a file without pickle.

    The file is an .npz archive of plain arrays and a JSON text. Loading it runs no code that the file names, so that
    files from others can be loaded. It is written whole or not at all, and the same model gives the same bytes.

    Parameters
    ----------
    model : RobustDecisionTreeClassifier or RobustRandomForestClassifier
        Fitted.
    path : str or path
        Of any suffix; ".npz" lets `numpy.load` show the arrays.

    Raises
    ------
    InputError
        If the model is of another class, if a parameter is a function or a `RandomState`, or if the labels are neither
        numbers, truth values nor strings.

    See Also
    --------
    load

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import ironbark
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"]
    >>> tree = ironbark.RobustDecisionTreeClassifier(ccp_alpha=0.0, random_state=0).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ironbark.save(tree, Path(folder) / "tree.npz")
    ...     ironbark.load(Path(folder) / "tree.npz").predict([[0.5], [2.5]]).tolist()
    ['no', 'yes']
    """
    header, arrays = to_record(model)
    archive.write(path, {"format": FORMAT, "version": VERSION, **header}, arrays)


def load(path: str | os.PathLike[str], *, trusted: str | Collection[str] = ()) -> Any:
    """Load a model that `save` wrote.

    All parts of the file are checked before they are used. Predictions are those of the saved model, bit for bit.

    Parameters
    ----------
    path : str or path
    trusted : str or collection of str, default=()
        Import paths of custom criteria that the model may name. `load` and predictions do not import them; `fit` does,
        and so does `impurity` of the trees.

    Returns
    -------
    RobustDecisionTreeClassifier or RobustRandomForestClassifier
        With the parameters and fitted attributes of the saved model. Requests of metadata routing are not restored.

    Raises
    ------
    InputError
        If there is no such file, if it is damaged or no model, if a later version of ironbark wrote it, or if it names
        a custom criterion that is not trusted.

    See Also
    --------
    save

    Examples
    --------
    >>> import ironbark
    >>> ironbark.load("absent.npz")
    Traceback (most recent call last):
        ...
    ironbark.errors.InputError: there is no file absent.npz; give the path of a model that ironbark.save wrote
    """
    with _damage_explained(path):
        header, arrays = archive.read(path)
        require(header.get("format") == FORMAT, f"its format is {header.get('format')!r}")
        if type(header["version"]) is not int or header["version"] > VERSION:
            raise InputError(
                f"{path} has version {header['version']!r} of the format, but this ironbark reads up to {VERSION}; "
                "install a later ironbark."
            )
        return from_record(header, arrays, [trusted] if isinstance(trusted, str) else trusted)


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
    texts, classes = plain_classes(model.classes_)
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
    model.classes_ = checked_classes(header["text_classes"], arrays.pop("classes_"))
    model.n_classes_, model.n_features_in_ = len(model.classes_), header["n_features"]
    _set_features(model, header)
    for key, value in header["scalars"].items():
        require(type(value) is SCALARS[key], f"{key} is {value!r}")
        setattr(model, key, value)
    if header["ccp_path"]:
        model.ccp_path_ = {key: _typed(arrays, f"ccp_path_.{key}", "float64", 1) for key in header["ccp_path"]}
    for key in [key for key in ARRAYS if key in arrays]:
        setattr(model, key, _typed(arrays, key, *ARRAYS[key]))
    _set_trees(model, header["trees"], arrays)
    require(not arrays, f"there are unknown arrays, such as {min(arrays, default=None)!r}")
    return model


def _set_features(model, header):
    """Set what is known of the columns: how many there are, their names and, by their rank, the texts in them."""
    n, names, categories = header["n_features"], header["feature_names"], header.get("categories")
    require(type(n) is int and 1 <= n <= MAX_FEATURES, f"n_features is {n!r}")
    if names is not None:
        require(len(names) == n and _are_texts(names), "feature_names must be one text for each feature")
        model.feature_names_in_ = np.array(names, dtype=object)
    if categories:  # files of earlier versions have none
        known = all(type(column) is int and 0 <= column < n and _are_texts(texts) for column, texts in categories)
        require(known, "categories must be lists of texts of columns")
        model.categories_ = dict(categories)


def _are_texts(values):
    return all(isinstance(value, str) for value in values)


def _set_trees(model, entries, arrays):
    """Set the attributes that hold trees, and check what depends on their number."""
    for key in FORESTS:
        if key in entries:
            trees = from_columns(key, entries[key], arrays, model.n_features_in_, model.n_classes_)
            setattr(model, key, trees[0] if key == "tree_" else trees)
    require(0 <= getattr(model, "ccp_alpha_", -1) < math.inf, "ccp_alpha_ must be a number >= 0")
    if isinstance(model, RobustDecisionTreeClassifier):
        wrong = set(entries) != {"tree_"} or len(entries["tree_"]) != 1
    else:
        lengths = {len(model.trees_), len(model.seeds_), len(getattr(model, "_whole_trees", model.trees_))}
        wrong = "tree_" in entries or len(lengths) > 1 or 0 in lengths or not hasattr(model, "digest_")
        wrong |= bool((model.seeds_ < 0).any() or (model.seeds_ >= 2**32).any())
        wrong |= getattr(model, "oob_decision_function_", model.classes_[None]).shape[1] != model.n_classes_
        wrong |= not _drawn_from(model)
    require(not wrong, "the numbers of trees, seeds, classes, samples and draws do not agree")


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


def _typed(arrays, name, dtype, ndim):
    array = arrays.pop(name)
    require(array.dtype == dtype and array.ndim == ndim, f"{name} has another type or shape")
    return array


@contextlib.contextmanager
def _damage_explained(path):
    """Turn whatever reading a damaged or hostile file raises into one sentence."""
    if not Path(path).is_file():
        raise InputError(f"there is no file {path}; give the path of a model that ironbark.save wrote")
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # parsers of zip files, JSON and array headers raise many kinds
        detail = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"{path} is damaged or no model of ironbark ({detail}); save the model again") from error
