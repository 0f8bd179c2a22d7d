"""The tables of `ironbark labels`: reading features and labels, writing suspicious rows."""

import csv
import difflib
import itertools
import re
import shlex
from codecs import BOM_UTF8
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np
import pandas as pd
from pandas.api import types

from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.levels import MOST_LEVELS
from ironbark.pipeline.data import csv_files, frame, labels
from ironbark.pipeline.data.suspicions import as_missing, suspicion

REPLACED = "replaced"  # column of cleaned tables with the labels that were wrong


@dataclass(frozen=True, eq=False)
class Table:
    """A file as a learner takes it: some of its rows, all with a label."""

    X: np.ndarray  # (n_samples, n_features), float64: categories as codes, NaN for missing values
    y: np.ndarray  # texts of the labels as in the file; of several columns an array of objects, None where one is empty
    groups: np.ndarray | None  # codes
    classes: list  # by value if all are numbers, else in natural order: month 2 before month 10
    rows: np.ndarray  # number of each row as a spreadsheet shows it, where blank lines count; 2 below the header
    positions: np.ndarray  # of these rows among all rows of the file
    features: list
    categorical: list  # positions of features that are text
    warnings: list  # sentences on the file, and on columns and labels that are hardly meant as they are

    @property
    def places(self) -> dict:
        """Number of a row, as a text -> its position in the table."""
        return {str(row): i for i, row in enumerate(self.rows.tolist())}


def option(name, value):
    """An option of the command with its value, as a shell takes it."""
    quoted = shlex.quote(value)
    return f"{name}={quoted}" if value.startswith("-") else f"{name} {quoted}"


def targets(source, target: str) -> list[str]:
    """Columns of labels: that of the given name, else those between its commas."""
    with source.opened() as stream:
        _, header = next(csv_files.records(stream, **source.options), (1, []))
    single = target in header or "," not in target
    names = [target] if single else [name.strip() for name in next(csv.reader([target]))]
    if name := frame.repeated(names):
        raise InputError(f"{source.path}: --target names {name!r} twice; give each column once")
    return names


def read(source, target: str | list[str], drop=(), groups=None, categories=(), skip_unlabelled=False) -> Table:
    """Read a table."""
    path, sentences = source.path, list(source.notes)
    targets = [target] if isinstance(target, str) else target
    target = ",".join(targets)
    with source.opened() as stream:
        table = csv_files.read(stream, None if skip_unlabelled else target, short=True, **source.options)
    _check_named(path, table, targets, groups, {"--drop": drop, "--categories": categories})
    rows = _rows(source, table, sentences)
    written = texts(source, [*targets, *categories])
    table = frame.changed(table, {name: written[name].mask(table[name].isna()) for name in categories})
    written = written[targets]
    words = [csv_files.missing_words(table[name], written[name]) for name in targets]
    words = [f"{sentence}; give a class another name" for sentence in words if sentence]
    sentences += [f"{path}: {sentence}" for sentence in words]
    given = _given(written.mask(table[targets].isna()))
    first = reduce(pd.Series.fillna, [column for _, column in given.items()])  # `bfill` along rows takes minutes
    positions = _labelled(path, first.rename(target), rows, skip_unlabelled, sentences, words)
    table, given, rows = table.iloc[positions].reset_index(drop=True), given.iloc[positions], rows[positions]
    y = given.astype(object).where(given.notna(), None).to_numpy()
    found = labels.encode(path, pd.DataFrame({target: y[given.notna().to_numpy()]}), target)
    sentences += labels.nearly_equal(path, target, found.classes)
    own = [REPLACED] * (path.name.endswith("-cleaned.csv") and REPLACED in table)
    sentences += [f"{path}: column {name!r}, with labels from before a review, is left out" for name in own]
    names = frame.feature_names(path, table.columns, [*drop, *own], {*targets, groups})
    features, categorical, more = _features(source, table[names], categories, positions)
    one = "leave --groups out, or name another column"
    codes = None if groups is None else frame.group_numbers(path, table[groups], one)
    if len(targets) == 1:
        y = np.array(found.classes)[found.y]
        more += _copies(path, features, found)
    X = np.column_stack([*features.values()]).astype(np.float64)
    return Table(X, y, codes, _natural(found.classes), rows, positions, list(features), categorical, sentences + more)


def _check_named(path, table, targets, groups, options):
    """Refuse options that name no column, or one of labels, and a table without rows."""
    named = [*(("--target", name) for name in targets), ("--groups", groups)]
    named += [(word, name) for word, names in options.items() for name in names]
    for word, name in named:
        if name is not None and name not in table.columns:
            raise InputError(f"{path}: there is no column {name!r}; {_advice(word, name, table.columns)}")
        if word in options and name in targets:
            raise InputError(f"{path}: {word} names {name!r}, a column of labels; leave it out of {word}")
    if table.empty:
        raise InputError(f"{path} has no rows below its header; check the file")


def _given(texts):
    """Labels of one or more columns, as in the file, NaN where there is none."""
    texts = texts.apply(lambda column: column.mask(column.str.strip() == ""))
    if texts.shape[1] == 1 or texts.stack().str.contains(r"[.,](?!0$)", na=False).any():
        return texts
    return texts.replace(r"^(-?\d+)[.,]0$", r"\1", regex=True)  # beside gaps pandas writes integers as 2.0, or as 2,0


def _features(source, table, categories, positions):
    """Name -> values of all features, NaN where they are missing; positions of text, and sentences on them."""
    path, features, categorical = source.path, {}, []
    names = [name for name in table if name not in categories]
    table, sentences = with_points(source, table, names, positions)
    table, more = as_missing(
        path, table, names, "median", lambda name: f"keep all as categories by {option('--categories', str(name))}"
    )
    sentences += more
    for name in table:
        column, date = _days(table[name]) if name in names else (table[name], None)
        made, known = frame.numeric(path, column, missing="median")  # left as NaN
        if date:
            sentences.append(f"{path}: dates in column {name!r}, such as {date!r}, count as days since 1970")
        elif known is not None and len(known) > MOST_LEVELS:
            found = f"{len(known):,} different texts, more than {MOST_LEVELS:,}"
            sentences.append(f"{path}: column {name!r} has {found}, and is left out; give it fewer if it is a feature")
            continue
        elif found := suspicion(path, column, known is not None, f"leave it out by {option('--drop', str(name))}"):
            sentences.append(found)
        categorical += [] if known is None else [len(features)]
        features |= made
    if not features:
        raise InputError(f"{path}: no column is left to judge labels by; give a table with features")
    return features, categorical, sentences


def _copies(path, features, given):
    """Sentences on features with one value for each class."""
    k = len(given.classes)
    for name, values in features.items():
        codes, found = pd.factorize(values, use_na_sentinel=False)
        if len(found) == k and len(np.unique(codes * k + given.y)) == k:
            sentence = f"{path}: column {name!r} has one value for each label; if it is a copy, no label looks wrong"
            yield f"{sentence}; leave it out by {option('--drop', str(name))}, unless it is a feature"


def _days(column):
    """Days since 1970 in place of texts that all are dates with the year first, and the first date; else no date."""
    texts = pd.Series([]) if types.is_numeric_dtype(column.dtype) else column.dropna().astype(str)
    if texts.empty or not texts.str.fullmatch(_DATE).all():
        return column, None
    times = pd.to_datetime(column, format="ISO8601", utc=True, errors="coerce")
    if times.isna().sum() > column.isna().sum():
        return column, None
    return (times - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(days=1), texts.iloc[0]


def _natural(classes):
    """Classes by value if all are numbers, else with the numbers in them by value."""

    def parts(name):
        found = filter(None, re.split(r"(\d+)", name))
        return [(part.isdecimal(), int(part) if part.isdecimal() else part) for part in found]

    try:
        return sorted(classes, key=float)
    except ValueError:
        return sorted(classes, key=parts)


def _advice(word, name, columns):
    near = difflib.get_close_matches(name, map(str, columns), n=1)
    return f"did you mean {near[0]!r}?" if near else f"set {word} to one of {frame.listed(columns)}"


def _labelled(path, texts, rows, skip, sentences, words):
    """Positions of the rows with a label."""
    missing = texts.isna().to_numpy()
    count = f"{path}: {missing.sum():,} of {len(texts):,} labels in column {texts.name!r} are missing"
    if missing.any() and not skip:
        places = frame.listed(rows[missing], 5)
        remedies = "; ".join([*words, "fill them in, or leave these rows out by --skip-unlabelled"])
        raise InputError(f"{count}, in row {places}; {remedies}")
    sentences += [f"{count}; these rows are left out"] * bool(missing.any())
    return np.flatnonzero(~missing)


def _rows(source, table, sentences):
    """Number of each row in the file."""
    with source.opened() as stream:
        found = [(number, len(fields)) for number, fields in csv_files.records(stream, **source.options)]
    (_, width), *records = found or [(1, 0)]
    if len(records) != len(table):
        raise InputError(f"{source.path}: its rows cannot be counted; check its quotation marks")
    if sentence := csv_files.short_rows(records, width):
        sentences.append(f"{source.path}: {sentence}; what they lack counts as missing")
    return np.array([number for number, _ in records])


def texts(source, columns: list[str] | None = None) -> pd.DataFrame:
    """All rows of a file, or some columns of them, as texts."""
    with source.opened() as stream:
        return csv_files.parsed(stream, usecols=columns, dtype=str, keep_default_na=False, **source.options)


def free(name: str, columns) -> str:
    """A name that no column has."""
    while name in columns:
        name += "_"
    return name


def write(path: str | Path, source, table: Table, found: pd.DataFrame) -> str:
    """Write rows of a file and what was found about them as CSV, whole or not at all; what was written, as text."""
    older = ", in place of an older file" if Path(path).is_file() else ""
    rows = texts(source).iloc[table.positions[found.index]].reset_index(drop=True)
    found = found.set_axis(table.rows[found.index]).rename_axis("row").reset_index()
    found.columns = [free(name, rows) for name in found]
    with replacing(path) as side:
        to_csv(pd.concat([found, rows], axis=1), side, source)
    return f"{path} ({len(found):,} rows{older})"


def to_csv(table, path, source):
    """Write a table as the source is written; carriage returns are quoted, for which lines must end in one."""
    cells = itertools.chain(table.columns, table.to_numpy().ravel())
    end = "\r\n" if any("\r" in str(cell) for cell in cells) else "\n"
    with source.opened() as stream:
        encoding = "utf-8-sig" if stream.read(3) == BOM_UTF8 else "utf-8"
    sep = source.options["sep"] if len(source.options["sep"]) == 1 else ","
    table.to_csv(path, sep=sep, index=False, lineterminator=end, encoding=encoding)


#: A date as computers write it, with or without a time.
_DATE = r"\d{4}-[01]\d-[0-3]\d(?:[ T][0-2]\d:.*)?"

#: A number with a decimal comma, as 0,5 or 1.234,56; one whose comma cannot mark thousands; one whose points may.
_COMMA = re.compile(r"(?=.*\d)\s*[-+]?(?:\d{1,3}(?:\.\d{3})+|\d*)(?:,\d+)?(?:[eE][-+]?\d+)?\s*")
_SURE = re.compile(r"\s*[-+]?(?:[\d.]{4,},\d+|0\d*,\d+|\d*,(?:\d{1,2}|\d{4,}))(?:[eE][-+]?\d+)?\s*")
_THOUSANDS = re.compile(r"\s*[-+]?[1-9]\d{0,2}(?:\.\d{3}){1,4}\s*")  # as far as floats are exact


def with_points(source, table, names, positions):
    """The table with numbers in place of texts with decimal commas or points for thousands, and sentences on these."""
    commas = {name: [text for text in _comma_numbers(table[name]) if "," in text] for name in names}
    sure = {name for name, texts in commas.items() if any(map(_SURE.fullmatch, texts))}
    decimal = bool(sure) and source.options["sep"] != ","
    shown = {name: texts[0] for name, texts in commas.items() if texts and (decimal or name in sure)}
    changed = {name: _as_numbers(table[name]) for name in shown}
    thousands = {}
    if rest := [name for name in names if decimal and name not in shown]:
        written = texts(source, rest).loc[positions].reset_index(drop=True).mask(table[rest].isna())
        thousands = {name: text for name in rest if (text := _with_thousands(written[name]))}
        changed |= {name: _as_numbers(written[name]) for name in thousands}
    notes = {"numbers with a decimal comma": shown, "numbers with points for thousands": thousands}
    return frame.changed(table, changed), [
        f"{source.path}: {words}, such as {next(iter(found.values()))!r}, in {frame.listed(list(map(repr, found)), 5)}"
        f"; keep a column's texts by {option('--categories', str(next(iter(found))))}"
        for words, found in notes.items()
        if found
    ]


def _comma_numbers(column):
    """Different texts of a column that may be numbers with a decimal comma; none unless two of three texts are."""
    values = [] if types.is_numeric_dtype(column.dtype) else column.dropna().unique()
    numbers = [text for text in values if isinstance(text, str) and _COMMA.fullmatch(text)]
    return numbers if 2 * (len(values) - len(numbers)) <= len(numbers) else []


def _with_thousands(column):
    """A text of a column whose points may mark thousands, as they do beside decimal commas; None if it has none."""
    numbers = _comma_numbers(column)
    others = "".join(set(column.dropna()) - set(numbers))
    pointed = [text for text in numbers if "." in text]
    known = all(map(_THOUSANDS.fullmatch, pointed)) and not any(map(str.isdigit, others))
    return pointed[0] if pointed and known else None


def _as_numbers(column):
    """The column with numbers in place of such texts; other texts stay."""
    texts = column.astype(object)
    numbers = texts.map(lambda text: isinstance(text, str) and _COMMA.fullmatch(text) is not None)
    texts[numbers] = texts[numbers].str.replace(".", "").str.replace(",", ".")
    try:
        return pd.to_numeric(texts)
    except ValueError:
        return texts
