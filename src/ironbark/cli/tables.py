"""The tables of `ironbark labels`: reading features and labels, writing suspicious rows."""

import csv
import difflib
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from pandas.api import types

from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.pipeline.data import csv_files, frame, labels
from ironbark.pipeline.data.suspicions import as_missing, suspicion


@dataclass(frozen=True, eq=False)
class Table:
    """A file as a learner takes it.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features), float64
        Categories as codes, NaN for missing values.
    y : ndarray of shape (n_samples,), str, or (n_samples, n_targets), object
        Texts of the labels as they are in the file; None where one of several columns has none.
    groups : ndarray of shape (n_samples,), int, or None
    classes : list of str
        Labels by value if all are numbers, else in natural order: month 2 before month 10.
    rows : ndarray of shape (n_samples,), int
        Number of each row as a spreadsheet shows it, where blank lines count; 2 for the first one below the header.
    positions : ndarray of shape (n_samples,), int
        Of these rows among all rows of the file.
    features : list of str
    warnings : list of str
        Sentences on the file, and on columns and labels that are hardly meant as they are.
    """

    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray | None
    classes: list
    rows: np.ndarray
    positions: np.ndarray
    features: list
    warnings: list


def option(name, value):
    """An option of the command with its value, as a shell takes it."""
    quoted = shlex.quote(value)
    return f"{name}={quoted}" if value.startswith("-") else f"{name} {quoted}"


def targets(source, target: str) -> list[str]:
    """Columns of labels: that of the given name, else those between its commas."""
    with source.opened() as stream:
        _, header = next(source.records(stream), (1, []))
    single = target in header or "," not in target
    names = [target] if single else [name.strip() for name in next(csv.reader([target]))]
    if name := frame.repeated(names):
        raise InputError(f"{source.path}: --target names {name!r} twice; give each column once")
    return names


def read(
    source,
    target: str | list[str],
    drop: Sequence[str] = (),
    groups: str | None = None,
    categories: Sequence[str] = (),
    skip_unlabelled: bool = False,
) -> Table:
    """Read a table."""
    path, sentences = source.path, list(source.notes)
    targets = [target] if isinstance(target, str) else target
    target = ",".join(targets)
    table, texts = _parsed(source, None if skip_unlabelled else target)
    named = [*(("--target", name) for name in targets), ("--groups", groups)]
    named += [(word, name) for word, names in (("--drop", drop), ("--categories", categories)) for name in names]
    for word, name in named:
        if name is not None and name not in table.columns:
            raise InputError(f"{path}: there is no column {name!r}; {_advice(word, name, table.columns)}")
    if dropped := set(targets) & set(drop):
        raise InputError(f"{path}: --drop names {min(dropped)!r}, a column of labels; leave it out of --drop")
    if table.empty:
        raise InputError(f"{path} has no rows below its header; check the file")
    rows = _rows(source, table, sentences)
    given = pd.DataFrame({name: texts(name).mask(table[name].isna()) for name in targets})
    given = given.apply(lambda column: column.mask(column.str.strip() == ""))
    positions = _labelled(path, given.bfill(axis=1).iloc[:, 0].rename(target), rows, skip_unlabelled, sentences)
    table, given, rows = table.iloc[positions].reset_index(drop=True), given.iloc[positions], rows[positions]
    y = given.astype(object).where(given.notna(), None).to_numpy()
    found = labels.encode(path, pd.DataFrame({target: y[given.notna().to_numpy()]}), target)
    sentences += labels.nearly_equal(path, target, found.classes)
    names = frame.feature_names(path, table.columns, list(drop), {*targets, groups})
    features, more = _features(source, table[names], categories)
    codes = None if groups is None else _groups(path, table[groups])
    y = np.array(found.classes)[found.y] if len(targets) == 1 else y
    X = np.column_stack([*features.values()]).astype(np.float64)
    return Table(X, y, codes, _natural(found.classes), rows, positions, list(features), sentences + more)


def _parsed(source, target):
    """The table, and a function that gives the texts of a column."""
    with source.opened() as stream:
        table = csv_files.read(stream, target, **source.options)

    def texts(name):
        with source.opened() as stream:
            return csv_files.label_texts(stream, name, **source.options)

    return table, texts


def _features(source, table, categories):
    """Name -> values of all features, NaN where they are missing, and sentences on them."""
    path, features = source.path, {}
    table, sentences = with_points(source, table)
    names = [name for name in table if name not in categories]
    table, more = as_missing(
        path, table, names, "median", lambda name: f"keep all as categories by {option('--categories', str(name))}"
    )
    sentences += more
    for name in table:
        made, known = frame.numeric(path, table[name], missing="median")  # left as NaN
        features |= made
        remedy = f"leave it out by {option('--drop', str(name))}"
        sentence = suspicion(path, table[name], known is not None, remedy)
        sentences += [sentence] if sentence else []
    return features, sentences


def _natural(classes):
    """Classes by value if all are numbers, else with the numbers in them by value."""
    try:
        return sorted(classes, key=float)
    except ValueError:
        return sorted(classes, key=_parts)


def _parts(name):
    return [(part.isdecimal(), int(part) if part.isdecimal() else part) for part in re.split(r"(\d+)", name) if part]


def _advice(word, name, columns):
    near = difflib.get_close_matches(name, map(str, columns), n=1)
    return f"did you mean {near[0]!r}?" if near else f"set {word} to one of {frame.listed(columns)}"


def _labelled(path, texts, rows, skip, sentences):
    """Positions of the rows with a label."""
    missing = texts.isna().to_numpy()
    if missing.any():
        count = f"{missing.sum():,} of {len(texts):,} labels in column {texts.name!r} are missing"
        if not skip:
            places = frame.listed(rows[missing], 5)
            raise InputError(
                f"{path}: {count}, in row {places}; fill them in, or leave these rows out by --skip-unlabelled"
            )
        sentences.append(f"{path}: {count}; these rows are left out")
    return np.flatnonzero(~missing)


def _groups(path, column):
    nulls = int(column.isna().sum())
    if nulls:
        raise InputError(f"{path}: {nulls} of {len(column)} rows have no group in {column.name!r}; fill them in")
    codes, found = pd.factorize(column)
    if len(found) < 2:
        raise InputError(
            f"{path}: column {column.name!r} has a single group; leave --groups out, or name another column"
        )
    return codes


def _rows(source, table, sentences):
    """Number of each row in the file."""
    with source.opened() as stream:
        (_, header), *records = [(number, len(fields)) for number, fields in source.records(stream)] or [(1, 0)]
    if len(records) != len(table):
        raise InputError(f"{source.path}: its rows cannot be counted; check its quotation marks")
    short = [number for number, fields in records if fields < header]
    if short:
        sentences.append(
            f"{source.path}: {len(short):,} rows have fewer fields than the header, such as row {short[0]}; what they "
            "lack counts as missing"
        )
    return np.array([number for number, _ in records])


def texts(source) -> pd.DataFrame:
    """All rows of a file, as texts."""
    with source.opened() as stream:
        return pd.read_csv(stream, dtype=str, keep_default_na=False, **source.options)


def free(name: str, columns) -> str:
    """A name that no column has."""
    while name in columns:
        name += "_"
    return name


def write(path: str | Path, source, table: Table, found: pd.DataFrame):
    """Write rows of a file and what was found about them as CSV, whole or not at all."""
    rows = texts(source).iloc[table.positions[found.index]].reset_index(drop=True)
    found = found.set_axis(table.rows[found.index]).rename_axis("row").reset_index()
    found.columns = [free(name, rows) for name in found]
    with replacing(path) as side:
        pd.concat([found, rows], axis=1).to_csv(side, index=False)


#: A number with a decimal comma, as 0,5 or 1.234,56; and one whose comma cannot mark thousands.
_COMMA = re.compile(r"\s*[-+]?(?:\d{1,3}(?:\.\d{3})+|\d*)(?:,\d+)?(?:[eE][-+]?\d+)?\s*")
_SURE = re.compile(r"\s*[-+]?(?:[\d.]{4,},\d+|0\d*,\d+|\d*,(?:\d{1,2}|\d{4,}))(?:[eE][-+]?\d+)?\s*")


def with_points(source, table):
    """The table with numbers in place of texts with decimal commas, where they cannot be thousands."""
    found = {}
    for name in table:
        texts = table[name].dropna().unique()
        if types.is_numeric_dtype(table[name].dtype) or not all(isinstance(text, str) for text in texts):
            continue
        commas = [text for text in texts if "," in text and _COMMA.fullmatch(text)]
        numbers = [text for text in texts if _COMMA.fullmatch(text) and any(map(str.isdigit, text))]
        if commas and 2 * (len(texts) - len(numbers)) <= len(numbers):
            found[name] = any(map(_SURE.fullmatch, commas)), commas[0]
    decimal = any(sure for sure, _ in found.values()) and source.options["sep"] != ","
    names = [name for name, (sure, _) in found.items() if sure or decimal]
    changed = {name: _as_numbers(table[name]) for name in names}
    shown = frame.listed([repr(str(name)) for name in names], 5)
    note = f"{source.path}: numbers with a decimal comma, such as {found[names[0]][1]!r}, in {shown}" if names else ""
    return table.assign(**changed), [note] if note else []


def _as_numbers(column):
    """The column with numbers in place of such texts; other texts stay."""
    texts = column.astype(object)
    numbers = texts.map(lambda text: isinstance(text, str) and _COMMA.fullmatch(text) is not None)
    points = texts[numbers].str.replace(".", "").str.replace(",", ".")
    texts[numbers] = points
    try:
        return pd.to_numeric(texts)
    except ValueError:
        return texts
