"""Saving a fitted tree or forest to a file without pickle, and loading it."""

import os
from collections.abc import Collection
from typing import Any

from ironbark.errors import InputError
from ironbark.persistence import archive
from ironbark.persistence.records import from_record, to_record

FORMAT, VERSION = "ironbark-model", 1


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
    with archive.damage_explained(path):
        header, arrays = archive.read(path)
        if header.get("format") != FORMAT:
            raise ValueError(f"its format is {header.get('format')!r}")
        if type(header["version"]) is not int or header["version"] > VERSION:
            raise InputError(
                f"{path} has version {header['version']!r} of the format, but this ironbark reads up to {VERSION}; "
                "install a later ironbark."
            )
        return from_record(header, arrays, [trusted] if isinstance(trusted, str) else trusted)
