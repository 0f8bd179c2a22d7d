"""From the target column to class indices, and from those to the binary task."""

import collections
import contextlib
import re
import unicodedata
from dataclasses import dataclass

import numpy as np
import pandas as pd
from pandas.api import types

from ironbark.errors import InputError
from ironbark.levels import in_order
from ironbark.pipeline.data.catalog import groups, text
from ironbark.pipeline.data.frame import changed, column_of, listed

MAX_CLASSES = 255
FRACTION, FEW = re.compile(r"[-+]?\d*[.,]\d*[1-9]\d*"), 20  # more fractions are measurements


@dataclass(frozen=True, eq=False)
class Labels:
    """Coded labels of one task."""

    y: np.ndarray  # index of each sample's class, uint8
    classes: list  # their names
    groups: list | None = None  # the labels behind each class, where classes were merged

    @property
    def counts(self):
        """Number of samples of each class, as a list of int."""
        return np.bincount(self.y, minlength=len(self.classes)).tolist()


def encode(who: str, table: pd.DataFrame, target: str) -> Labels:
    """Code the target column."""
    labels = column(who, table, target, "target")
    if nulls := int(labels.isna().sum()):
        raise InputError(f"{who}: {nulls} of {len(labels)} labels in column {target!r} are missing; remove these rows")
    classes = in_order(set(_texts(labels)))
    if len(classes) < 2:
        raise InputError(f"{who}: column {target!r} has a single class, {listed(classes)}; choose another target")
    fractions, excess = list(filter(FRACTION.fullmatch, classes)), ""
    if len(classes) > MAX_CLASSES:
        excess = f"{len(classes)} classes, more than {MAX_CLASSES}"
    elif len(fractions) > max(FEW, len(labels) / 10):
        excess = f"{len(fractions)} labels such as {fractions[0]} in {len(labels)} rows"
    if excess:
        raise InputError(f"{who}: column {target!r} has {excess}; choose a target of classes, not of measurements")
    return Labels(_indices(labels, classes), classes)


def _indices(column, classes):
    """Index of each label among the classes."""
    index = {name: k for k, name in enumerate(classes)}
    codes, _ = pd.factorize(column)
    return np.array([index[name] for name in _texts(column)], np.uint8)[codes]


def _texts(column):
    """Texts of the labels that occur, in the order of `pandas.factorize`, which makes 0.1 of float32 a longer float."""
    return [text(label) for label in column.dropna().unique()]


def column(who, table, name, field):
    """The column of labels that an entry names in `field`; lists, bytes and other objects name no class."""
    found = column_of(who, table, name, field)
    labels = found if found.dtype == object else ()
    if others := [label for label in labels if isinstance(label, bytes) or not types.is_hashable(label)]:
        kind = type(others[0]).__name__
        raise InputError(f"{who}: column {name!r} holds labels of type {kind}; make each a number or a text")
    return found


def nearly_equal(who: str, target: str, classes: list[str]):
    """Sentences on labels that differ only in blanks, in case or in how a number is written."""
    alike = collections.defaultdict(list)
    for name in classes:
        alike[essence(name)].append(name)
    return [
        f"{who}: the labels {' and '.join(map(repr, names))} in column {target!r} differ only in blanks, case or how a "
        "number is written, and count as different classes; write them alike if they are one"
        for names in alike.values()
        if len(names) > 1
    ]


def essence(name):
    """What stays of a label whatever its blanks, its case, and how a number is written: a text or a float."""
    name = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    name = re.sub(r"^([-+]?\d+),(\d+)$", r"\1.\2", name)  # a decimal comma
    for number in (int, float) * ("_" not in name):  # which Python skips; floats do not tell large integers apart
        with contextlib.suppress(ValueError):
            return name if name == "nan" else number(name)
    return name


def counts(column):
    """Number of rows of each label, by its text, in the order of the classes; missing labels do not count."""
    codes, sizes = pd.factorize(column)[0], collections.Counter()
    for name, size in zip(_texts(column), np.bincount(codes[codes >= 0]).tolist(), strict=True):
        sizes[name] += size
    return {name: sizes[name] for name in in_order(sizes)}


def binary(who: str, labels: Labels, positive=None, grouped: bool = False) -> Labels | None:
    """The binary task of a target, if it has one."""
    if positive is not None:
        is_one = _named(who, labels, positive)
    elif len(labels.classes) == 2 or grouped:
        is_one = groups(labels.counts)
    else:
        return None
    sides = [[name for name, one in zip(labels.classes, is_one, strict=True) if one == side] for side in (0, 1)]
    merged = sides if len(labels.classes) > 2 else None
    return Labels(np.array(is_one, np.uint8)[labels.y], ["|".join(side) for side in sides], merged)


def given(who: str, table: pd.DataFrame, name: str, classes: list[str]) -> np.ndarray:
    """Labels as they were given, where the target holds corrected ones."""
    labels = column(who, table, name, "given")
    if nulls := int(labels.isna().sum()):
        raise InputError(f"{who}: {nulls} of {len(table)} labels in column {name!r} are missing; fill them in")
    if strange := [label for label in _texts(labels) if label not in classes]:
        raise InputError(f"{who}: column {name!r} has the label {strange[0]!r}, which the target does not have")
    return _indices(labels, classes)


def _named(who, labels, positive):
    """0 or 1 for each class: whether `positive` names it."""
    ones = [text(label) for label in positive]
    for name in ones:
        if name not in labels.classes:
            raise InputError(
                f"{who}: `positive` names {name!r}, which is not a label; they are {listed(labels.classes)}"
            )
    if set(ones) == set(labels.classes):
        raise InputError(f"{who}: `positive` names all labels, so class 0 is empty; leave out at least one")
    return [int(name in ones) for name in labels.classes]


def renamed(who: str, table: pd.DataFrame, target: str, names: dict):
    """The table with other names of its labels."""
    found = column(who, table, target, "target")
    wanted = {text(label): text(name) for label, name in names.items()}
    labels = dict(zip(found.astype("object").dropna().unique(), _texts(found), strict=True))
    if strange := sorted(set(labels.values()) - set(wanted)):
        raise InputError(f"{who}: `labels` has no name for the label {strange[0]!r} of the table; add it")
    return changed(table, {target: found.astype("object").map({old: wanted[name] for old, name in labels.items()})})
