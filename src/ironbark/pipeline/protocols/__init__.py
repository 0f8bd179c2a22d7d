"""Protocols: how samples are split into training and test parts, and how often.

Importing this package loads neither numpy nor any protocol.
"""

import difflib
import importlib
import numbers
from dataclasses import dataclass

from ironbark.errors import InputError


@dataclass(frozen=True)
class Protocol:
    """Entry of `PROTOCOLS`.

    Attributes
    ----------
    module : str
        Module with ``splits(y, split, seed_ids, *, repeats, **options)``.
    description : str
    options : dict
        Options and their defaults.
    """

    module: str
    description: str
    options: dict


#: Name -> protocol. A new protocol is a module and a line here.
PROTOCOLS = {
    "fixed-split": Protocol(
        "ironbark.pipeline.protocols.splitting.fixed_split",
        "the data set's own training and test parts in every repeat",
        {"max_train": None},
    ),
    "repeated-cv": Protocol(
        "ironbark.pipeline.protocols.splitting.repeated_cv",
        "stratified cross-validation, shuffled anew in every repeat",
        {"folds": 5, "max_train": None},
    ),
    "random-partitions": Protocol(
        "ironbark.pipeline.protocols.splitting.random_partitions",
        "a new stratified partition into training and test part in every repeat",
        {"test_size": 0.1, "max_train": None},
    ),
    "training-sizes": Protocol(
        "ironbark.pipeline.protocols.splitting.training_sizes",
        "as random-partitions, with training parts of several sizes for each test part",
        {"sizes": None, "test_size": 0.1},
    ),
}


def resolve(kind):
    """Canonical name and entry of a protocol.

    Parameters
    ----------
    kind : str
        In any case, with hyphens or underscores.

    Returns
    -------
    (str, Protocol)

    Raises
    ------
    InputError
        If there is no such protocol; the nearest name is suggested and all are listed.
    """
    canonical = str(kind).strip().lower().replace("_", "-")
    if canonical in PROTOCOLS:
        return canonical, PROTOCOLS[canonical]
    near = difflib.get_close_matches(canonical, PROTOCOLS, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise InputError(f"unknown protocol {kind!r}; {hint}choose one of {', '.join(PROTOCOLS)}.")


def _is_count(value, low):
    return isinstance(value, numbers.Integral) and not isinstance(value, bool) and value >= low


def _is_test_size(value):
    return _is_count(value, 1) or (isinstance(value, float) and 0 < value < 1)


def _are_sizes(value):
    return (
        isinstance(value, list) and value and all(_is_count(size, 2) for size in value) and value == sorted(set(value))
    )


#: Option -> (test of a value, what the value must be).
VALUES = {
    "folds": (lambda value: _is_count(value, 2), "an integer >= 2"),
    "test_size": (_is_test_size, "a fraction between 0 and 1 or a number of samples >= 1"),
    "sizes": (lambda value: value is None or _are_sizes(value), "null or a list of integers >= 2, ascending"),
    "max_train": (lambda value: value is None or _is_count(value, 2), "null or an integer >= 2"),
}


def check_options(kind, options):
    """Check the options of a protocol and fill in the defaults.

    Parameters
    ----------
    kind : str
    options : dict
        Option -> value.

    Returns
    -------
    dict
        All options of the protocol, in the order of `PROTOCOLS`.

    Raises
    ------
    InputError
        If the protocol or an option is unknown, or a value is out of range.
    """
    kind, protocol = resolve(kind)
    for key, value in options.items():
        if key not in protocol.options:
            near = difflib.get_close_matches(str(key), protocol.options, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(protocol.options)}."
            raise InputError(f"protocol {kind!r} has no option {key!r}; {hint}")
        test, wanted = VALUES[key]
        if not test(value):
            raise InputError(f"{key}={value!r} of protocol {kind!r} is not allowed; it must be {wanted}.")
    return {**protocol.options, **options}


def per_repeat(options):
    """Number of splits in each repeat: folds of a cross-validation, or sizes of the training part."""
    return len(options["sizes"]) if options.get("sizes") else options.get("folds", 1)


def splits(kind, y, split, seed_ids, *, repeats, **options):
    """Splits of a protocol.

    Parameters
    ----------
    kind : str
    y : ndarray of shape (n_samples,), int
        Coded clean labels.
    split : ndarray of shape (n_samples,), uint8, or None
        0 for training samples and 1 for test samples; only "fixed-split" looks at it.
    seed_ids : tuple
        Ids for `ironbark.seeding`; the repeat is added to them, so the first r repeats never depend on `repeats`.
    repeats : int
    **options

    Returns
    -------
    iterator of ironbark.pipeline.results.noisy_labels.Split

    Raises
    ------
    InputError
        As `check_options`; also if `repeats` is not a positive integer. While iterating, if the labels cannot be
        split this way.
    """
    kind, protocol = resolve(kind)
    options = check_options(kind, options)
    if not _is_count(repeats, 1):
        raise InputError(f"repeats={repeats!r} of protocol {kind!r} is not allowed; it must be an integer >= 1.")
    return importlib.import_module(protocol.module).splits(y, split, seed_ids, repeats=repeats, **options)
