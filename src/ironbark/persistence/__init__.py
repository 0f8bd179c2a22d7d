"""Fitted trees and forests in files without pickle: an .npz archive of arrays and one JSON text."""

import json
import os
import sys
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ironbark.criteria import is_custom, resolve
from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.persistence import ensemble
from ironbark.persistence.trees import are_levels, are_texts, from_columns, from_json, require, to_columns, to_json
from ironbark.tree.base import MAX_CLASSES, MAX_REAL
from ironbark.tree.classifier import RobustDecisionTreeClassifier
from ironbark.tree.forest import RobustRandomForestClassifier

__all__ = ["load", "save"]

FORMAT, VERSION, HEADER = "ironbark-model", 1, "model.json"
MAX_FEATURES, MAX_SAMPLES, MAX_CODE_POINT = 2**24, 2**32 - 1, 0x10FFFF
CLASSES = {cls.__name__: cls for cls in (RobustDecisionTreeClassifier, RobustRandomForestClassifier)}

#: Fitted attributes that are lists of trees; `tree_` is one of a single tree.
FORESTS = ("tree_", "trees_", "_whole_trees")
#: Fitted attribute -> type, number of dimensions, and range if it matters.
ARRAYS = {
    "seeds_": ("int64", 1, 0, 2**32 - 1),
    "oob_decision_function_": ("float64", 2),
    "sample_weight_": ("float64", 1, 0, MAX_REAL),
    "is_categorical_": ("bool", 1),
}
#: Fitted attribute -> type, and range if it matters.
SCALARS = {
    "ccp_alpha_": (float, 0, sys.float_info.max),
    "digest_": (str,),
    "oob_score_": (float,),
    "n_samples_": (int, 1, MAX_SAMPLES),
    "n_draws_": (int, 1, MAX_SAMPLES),
}
#: Attributes with a place of their own, and what scikit-learn keeps of routing, which is not saved.
OTHERS = {"classes_", "n_classes_", "n_features_in_", "feature_names_in_", "categories_", "ccp_path_"}
OTHERS |= {"_metadata_request"}


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Save a fitted tree, forest or ensemble to a file without pickle.

    The file is an .npz archive of plain arrays and a JSON text. Loading it runs no code that the file names, so that
    files from others can be loaded. It is written whole or not at all, and the same model gives the same bytes.

    Parameters
    ----------
    model : fitted RobustDecisionTreeClassifier, RobustRandomForestClassifier or RobustEnsembleClassifier
    path : str or path
        Of any suffix; ".npz" lets `numpy.load` show the arrays.

    Raises
    ------
    InputError
        If the model is of another class, if a parameter is a function or a `RandomState`, or labels are of other types.

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
    write(path, *to_record(model))


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
    RobustDecisionTreeClassifier, RobustRandomForestClassifier or RobustEnsembleClassifier
        With the parameters and fitted attributes of the saved model. Requests of metadata routing are not restored.

    Raises
    ------
    InputError
        If there is no such file, if it is damaged or no model, if a later version of ironbark wrote it, or if it names
        a custom criterion that is not trusted.

    Examples
    --------
    >>> import ironbark
    >>> ironbark.load("absent.npz")
    Traceback (most recent call last):
        ...
    ironbark.errors.InputError: there is no file absent.npz; give the path of a model that ironbark.save wrote
    """
    if not Path(path).is_file():
        raise InputError(f"there is no file {path}; give the path of a model that ironbark.save wrote")
    try:
        header, arrays = read(path)
        require(header.get("format") == FORMAT, f"its format is {header.get('format')!r}")
        if type(header["version"]) is not int or header["version"] > VERSION:
            raise InputError(
                f"{path} has version {header['version']!r} of the format, but this ironbark reads up to {VERSION}; "
                "install a later ironbark."
            )
        return from_record(header, arrays, [trusted] if isinstance(trusted, str) else trusted)
    except InputError:
        raise
    except Exception as error:  # parsers of zip files, JSON and array headers raise many kinds
        detail = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"{path} is damaged or no model of ironbark ({detail}); save the model again") from error


def write(path: str | os.PathLike[str], header: dict, arrays: dict[str, np.ndarray]) -> None:
    """Write an archive, whole or not at all; the same content gives the same bytes."""
    with replacing(path) as side:
        with open(side, "wb") as stream:
            np.savez(stream, **arrays)
        with zipfile.ZipFile(side, "a") as file:
            file.writestr(zipfile.ZipInfo(HEADER), json.dumps(header, indent=1))


def read(path: str | os.PathLike[str]) -> tuple[dict, dict[str, np.ndarray]]:
    """Header and arrays of an archive. Together, they must not be larger than the file, so none is unpacked."""
    with open(path, "rb") as stream, np.lib.npyio.NpzFile(stream, allow_pickle=False) as file:
        size = sum(member.file_size for member in file.zip.infolist())
        require(size <= Path(path).stat().st_size, "its members are compressed or overlap")
        require(HEADER in file.files, f"it needs one {HEADER}")
        header = json.loads(file[HEADER])
        require(isinstance(header, dict), f"{HEADER} is no object")
        return header, {name: np.ascontiguousarray(file[name]) for name in file.files if name != HEADER}


def to_record(model: Any) -> tuple[dict, dict[str, np.ndarray]]:
    """Header and arrays of a fitted tree or forest."""
    name = type(model).__name__
    if name == ensemble.NAME and type(model).__module__.startswith("ironbark."):
        check_is_fitted(model)
        (forest, arrays), (header, own) = to_record(model.forest_), ensemble.to_parts(model)
        return {"format": FORMAT, "version": VERSION, "class": name, "forest": forest, **header}, arrays | own
    if CLASSES.get(name) is not type(model):
        known = " or a ".join([*CLASSES, ensemble.NAME])
        raise InputError(f"save takes a {known}, not a {name}; use pickle or joblib for others.")
    check_is_fitted(model)
    parameters = model.get_params()
    fitted = {key: value for key, value in vars(model).items() if key not in parameters}
    unknown = sorted(set(fitted) - {*FORESTS, *ARRAYS, *SCALARS, *OTHERS})
    if unknown:
        raise InputError(f"the attribute {unknown[0]!r} cannot be saved; delete it, or use pickle or joblib.")
    for levels in fitted.get("categories_", {}).values():
        if not are_levels(levels):
            raise InputError(f"levels such as {levels[0]!r} cannot be saved; make them text, or use pickle or joblib.")
    texts, classes = _plain_classes(model.classes_)
    header = {
        "format": FORMAT,
        "version": VERSION,
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
    arrays = {"classes_": classes} | {key: fitted[key] for key in ARRAYS if key in fitted}
    arrays |= {f"ccp_path_.{key}": np.asarray(fitted["ccp_path_"][key], np.float64) for key in header["ccp_path"]}
    for key in [key for key in FORESTS if key in fitted]:
        header["trees"][key], columns = to_columns(key, [fitted[key]] if key == "tree_" else fitted[key])
        arrays |= columns
    return header, arrays


def _scalar(name: str, value: object) -> object:
    """A scalar in the type that a file has it in; a user's function may return another one as `oob_score_`."""
    kind = SCALARS[name][0]
    try:
        return kind(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"the attribute {name!r} is no {kind.__name__}; set it to one.") from error


def from_record(header: dict, arrays: dict[str, np.ndarray], trusted: Collection[str]) -> Any:
    """The estimator of `to_record`."""
    if header["class"] == ensemble.NAME:
        parts = ensemble.take_parts(header, arrays)
        forest = from_record(header["forest"], arrays, trusted)
        require(isinstance(forest, RobustRandomForestClassifier), "an ensemble has no forest")
        return ensemble.from_parts(header, parts, forest)
    parameters = {key: from_json(value) for key, value in header["parameters"].items()}
    for entry in (parameters, *sum(header["trees"].values(), [])):
        _check_criterion(entry["criterion"], trusted)
    model = CLASSES[header["class"]](**parameters)
    model._validate_params()
    model.classes_ = _checked_classes(header["text_classes"], arrays.pop("classes_"))
    model.n_classes_, model.n_features_in_ = len(model.classes_), header["n_features"]
    _set_features(model, header)
    for key, value in header["scalars"].items():
        kind, *ends = SCALARS[key]
        require(type(value) is kind and (not ends or ends[0] <= value <= ends[1]), f"{key} is {value!r}")
        setattr(model, key, value)
    if header["ccp_path"]:
        model.ccp_path_ = {key: _typed(arrays, f"ccp_path_.{key}", "float64", 1) for key in header["ccp_path"]}
    for key in [key for key in ARRAYS if key in arrays]:
        setattr(model, key, _typed(arrays, key, *ARRAYS[key]))
    for key, entries in header["trees"].items():
        require(key in FORESTS, f"there are unknown trees {key!r}")
        trees = from_columns(key, entries, arrays, model.n_features_in_, model.n_classes_)
        setattr(model, key, trees[0] if key == "tree_" else trees)
    require(_agrees(model, header["trees"]), "the numbers of trees, seeds, classes, samples and draws do not agree")
    require(not arrays, f"there are unknown arrays, such as {min(arrays, default=None)!r}")
    return model


def _set_features(model: Any, header: dict) -> None:
    """Set what is known of the columns: how many there are, their names and, by their rank, the texts in them."""
    n, names, categories = header["n_features"], header["feature_names"], header.get("categories")
    require(type(n) is int and 1 <= n <= MAX_FEATURES, f"n_features is {n!r}")
    if names is not None:
        require(len(names) == n and are_texts(names), "feature_names must be one text for each feature")
        model.feature_names_in_ = np.array(names, dtype=object)
    if categories:  # files of earlier versions have none
        known = all(type(column) is int and 0 <= column < n and are_levels(levels) for column, levels in categories)
        require(known, "categories must be lists of texts or numbers of columns")
        model.categories_ = dict(categories)


def _agrees(model: Any, entries: dict) -> bool:
    """Whether a model has all that its class has, in the right numbers; earlier versions saved no draws."""
    if not hasattr(model, "ccp_alpha_"):
        return False
    if isinstance(model, RobustDecisionTreeClassifier):
        return set(entries) == {"tree_"} and len(entries["tree_"]) == 1
    lengths = {len(model.trees_), len(model.seeds_), len(getattr(model, "_whole_trees", model.trees_))}
    right = "tree_" not in entries and len(lengths) == 1 and 0 not in lengths and hasattr(model, "digest_")
    right &= getattr(model, "oob_decision_function_", model.classes_[None]).shape[1] == model.n_classes_
    weights = getattr(model, "sample_weight_", None)
    return right and (weights is None or (len(weights) == getattr(model, "n_samples_", 1) and bool(weights.any())))


def _check_criterion(criterion: str, trusted: Collection[str]) -> None:
    if is_custom(criterion) and criterion not in trusted:
        raise InputError(
            f"the model names the criterion {criterion!r}, a function that a later fit would import; if you trust it, "
            f"load with trusted=[{criterion!r}]."
        )
    resolve(criterion)


def _typed(arrays: dict, name: str, dtype: str, ndim: int, *ends: float) -> np.ndarray:
    array = arrays.pop(name)
    right = array.dtype == dtype and array.ndim == ndim
    right = right and (not ends or bool(((array >= ends[0]) & (array <= ends[1])).all()))
    require(right, f"{name} has another type, shape or range")
    return array


def _plain_classes(classes: np.ndarray) -> tuple[bool, np.ndarray]:
    """Whether the classes are Python strings in an array of objects, and the classes as an array of a plain type."""
    texts = classes.dtype.kind == "O" and are_texts(classes)
    if texts and not any(label.endswith("\0") for label in classes):
        return True, np.array(classes, dtype=str)
    if classes.dtype.kind not in "biufU":
        raise InputError(
            f"labels such as {classes[0]!r} cannot be saved; train on numbers, truth values or strings, or pickle."
        )
    return False, classes


def _checked_classes(texts: bool, array: np.ndarray) -> np.ndarray:
    """The classes of `_plain_classes`."""
    kind, right = array.dtype.kind, array.dtype.kind in ("U" if texts else "biufU")
    require(array.ndim == 1 and 1 <= len(array) <= MAX_CLASSES and right, "too few, too many or no classes")
    require(kind != "U" or (array.view(np.uint32) <= MAX_CODE_POINT).all(), "a class holds what is no character")
    require(kind != "b" or (array.view(np.uint8) <= 1).all(), "a class is neither true nor false")
    require((array[1:] > array[:-1]).all() and (kind != "f" or np.isfinite(array).all()), "classes are not sorted")
    return array.astype(object) if texts else array.astype(array.dtype.newbyteorder("="))
