"""Levels of categorical features and names of classes: which there are, and their order."""

import math
import re

import numpy as np

from ironbark.errors import InputError

TOLD_APART = 1024  # levels of a categorical feature; the rarer ones beyond are one level
MOST_LEVELS = 65_000  # that it may have
INTEGER = re.compile(r"\s*[-+]?\d{1,300}\s*")  # as a text


def levels_of(name, levels, counts, native):
    """Levels in the order of their ranks; behind the most frequent ones of many stands None, for all others."""
    if len({isinstance(level, str) for level in levels}) > 1:
        number = next(level for level in levels if not isinstance(level, str))
        raise InputError(f"{name} holds {number!r} beside text; make all entries text, or all numbers.")
    if not native or len(levels) <= TOLD_APART:
        return [levels[i] for i in order(levels)]
    if len(levels) > MOST_LEVELS:
        raise InputError(
            f"{name} has {len(levels)} different levels, but a categorical feature may have {MOST_LEVELS}; leave the "
            "column out, or join levels."
        )
    kept = sorted(levels, key=lambda level: (-counts[level], str(level)))[: TOLD_APART - 1]
    return [*(kept[i] for i in order(kept)), None]


def order(distinct):
    """Positions of distinct categories in the order of their ranks: numbers by value, others by code points."""
    if all(isinstance(value, (int, float, np.number)) for value in distinct):
        return sorted(range(len(distinct)), key=lambda i: distinct[i])
    place = {text: i for i, text in enumerate(in_order(map(str, distinct)))}
    return sorted(range(len(distinct)), key=lambda i: place[str(distinct[i])])


def in_order(texts):
    """Labels or categories in order: by value if all are different numbers, else by code points."""
    texts = sorted(texts)
    numbers = {name: int(name) if INTEGER.fullmatch(name) else float(name) for name in texts if is_number(name)}
    known = len(set(numbers.values())) == len(texts) and all(abs(number) < math.inf for number in numbers.values())
    return sorted(texts, key=numbers.get) if known else texts


def is_missing(value):
    """Whether an object is NaN, NaT, None or pandas' NA."""
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float | np.floating) and np.isnan(value))
    )


def is_number(value):
    """Whether a value, or what a text spells, is a number."""
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return "_" not in str(value)  # which Python skips
