"""The CSV files of `ironbark labels`: reading features and labels, writing suspicious rows."""

import difflib
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.pipeline.data.io import formats
from ironbark.pipeline.data.table import frame, labels
from ironbark.pipeline.data.table.suspicions import suspicion


@dataclass(frozen=True, eq=False)
class Table:
    """A CSV file as a learner takes it.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features), float64
        Categories as codes, NaN for missing values.
    y : ndarray of shape (n_samples,), str
    groups : ndarray of shape (n_samples,), int, or None
    rows : ndarray of shape (n_samples,), int
        Number of each row as a spreadsheet shows it, where blank lines count; 2 for the first one below the header.
    features : list of str
    warnings : list of str
        Sentences on columns that are hardly meant to be features.
    """

    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray | None
    rows: np.ndarray
    features: list
    warnings: list


def read(path, target, drop=(), groups=None):
    """Read a CSV file.

    Parameters
    ----------
    path : str or path
    target : str
        Column of the labels.
    drop : sequence of str
        Columns to leave out.
    groups : str, optional
        Column of groups.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        If the file or a column is absent or damaged, the target is dropped, a label or a group is missing, there is one
        class only, or values are infinite.
    """
    table = formats.read(path, "csv", target)
    for option, name in (("--target", target), ("--groups", groups), *(("--drop", name) for name in drop)):
        if name is not None and name not in table.columns:
            raise InputError(f"{path}: there is no column {name!r}; {_advice(option, name, table.columns)}")
    if target in drop:
        raise InputError(f"{path}: --drop names {target!r}, the column of the labels; leave it out of --drop")
    if table.empty:
        raise InputError(f"{path} has no rows below its header; check the file")
    found = labels.encode(path, table, target)
    names = frame.feature_names(path, table, list(drop), {target, groups})
    features, sentences = {}, []
    for name in names:
        made, categories = frame.numeric(path, table[name], missing="median")  # left as NaN
        features |= made
        sentence = suspicion(path, table[name], categories is not None)
        sentences += [sentence.replace(f"set `drop: [{name}]`", f"leave it out by --drop {name}")] if sentence else []
    codes = None if groups is None else _groups(path, table[groups])
    y = np.array(found.classes)[found.y]
    X = np.column_stack([*features.values()]).astype(np.float64)
    return Table(X, y, codes, _rows(path, table, target), list(features), sentences)


def _advice(option, name, columns):
    near = difflib.get_close_matches(name, map(str, columns), n=1)
    return f"did you mean {near[0]!r}?" if near else f"set {option} to one of {frame.listed(columns)}"


def _groups(path, column):
    nulls = int(column.isna().sum())
    if nulls:
        raise InputError(f"{path}: {nulls} of {len(column)} rows have no group in {column.name!r}; fill them in")
    return pd.factorize(column)[0]


def _rows(path, table, target):
    """Numbers of the rows; those with a label are all rows, since none is missing."""
    place = table.columns.get_loc(target)
    fields = {"header": None, "names": range(table.shape[1]), "usecols": [place]}
    with formats.opened(path, "csv") as stream:
        lines = pd.read_csv(stream, **fields, dtype=str, keep_default_na=False, skip_blank_lines=False)[place]
    labelled = (lines.str.strip() if place == 0 else lines) != ""  # a line of blanks is one field
    return np.flatnonzero(labelled)[-len(table) :] + 1


def write(path, data, table, suspects):
    """Write rows of a CSV file and what was found about them, whole or not at all.

    Parameters
    ----------
    path : str or path
        File to write, compressed if its name says so.
    data : str or path
        CSV file that the rows are from; their texts are not changed.
    table : Table
        Of `read`.
    suspects : DataFrame
        Of `ironbark.find_label_errors`; the index are positions of rows.

    Raises
    ------
    InputError
        If `path` cannot be written.
    """
    with formats.opened(data, "csv") as stream:
        rows = pd.read_csv(stream, dtype=str, keep_default_na=False).iloc[suspects.index].reset_index(drop=True)
    found = suspects[["given", "suggested", "quality", "is_error"]].reset_index(drop=True)
    found.insert(0, "row", table.rows[suspects.index])
    for name in list(found):
        free = name
        while free in rows.columns:
            free += "_"
        found = found.rename(columns={name: free})
    with replacing(path) as side:
        pd.concat([found, rows], axis=1).to_csv(side, index=False)
