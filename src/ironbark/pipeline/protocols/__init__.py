"""Protocols: how samples are split into training and test parts, and how often.

Importing this package loads neither numpy nor any protocol.
"""

from pkgutil import resolve_name
from typing import NamedTuple

from ironbark import entries
from ironbark.entries import Option, is_count


class Protocol(NamedTuple):
    """Entry of `PROTOCOLS`."""

    splits: str  # dotted path of a function of (y, split, seed_ids, *, repeats, **options) that yields splits
    description: str
    options: dict[str, Option]
    needs_groups: bool = False  # whether the function also takes `groups`, the group of each sample


def _is_test_size(value):
    return is_count(value, 1) or (isinstance(value, float) and 0 < value < 1)


def _are_sizes(value):
    whole = isinstance(value, list) and value and all(is_count(size, 2) for size in value)
    return value is None or (whole and value == sorted(set(value)))


_FOLDS = Option(5, lambda value: is_count(value, 2), "an integer >= 2", "folds per repeat")
_TEST_SIZE = Option(0.1, _is_test_size, "a fraction between 0 and 1 or a number of samples >= 1", "test samples")
_SIZES = Option(
    None, _are_sizes, "null or a list of integers >= 2, ascending", "training samples, each size a fold of the rows"
)
_MAX_TRAIN = Option(
    None,
    lambda value: value is None or is_count(value, 2),
    "null or an integer >= 2",
    "at most so many training samples, a stratified draw",
)

#: Name -> protocol. A new protocol is a function, an entry here and a test.
PROTOCOLS = {
    "fixed-split": Protocol(
        "ironbark.pipeline.protocols.splitting.fixed_split",
        "the data set's own training and test parts in every repeat",
        {"max_train": _MAX_TRAIN},
    ),
    "repeated-cv": Protocol(
        "ironbark.pipeline.protocols.splitting.repeated_cv",
        "stratified cross-validation, shuffled anew in every repeat",
        {"folds": _FOLDS, "max_train": _MAX_TRAIN},
    ),
    "random-partitions": Protocol(
        "ironbark.pipeline.protocols.splitting.random_partitions",
        "a new stratified partition into training and test part in every repeat",
        {"test_size": _TEST_SIZE, "max_train": _MAX_TRAIN},
    ),
    "training-sizes": Protocol(
        "ironbark.pipeline.protocols.splitting.training_sizes",
        "as random-partitions, with training parts of several sizes for each test part",
        {"sizes": _SIZES, "test_size": _TEST_SIZE},
    ),
    "grouped": Protocol(
        "ironbark.pipeline.protocols.splitting.grouped",
        "as random-partitions, with whole groups in one part, see `groups` of a data set",
        {"test_size": _TEST_SIZE, "max_train": _MAX_TRAIN},
        needs_groups=True,
    ),
}


def resolve(kind: str):
    """Canonical name and entry of a protocol."""
    spelled = str(kind).strip().lower().replace("_", "-")
    return spelled, entries.lookup("protocol", kind, PROTOCOLS, spelled)


def check_options(kind: str, options: dict) -> dict:
    """Check the options of a protocol and fill in the defaults."""
    kind, protocol = resolve(kind)
    return entries.checked(f"protocol {kind!r}", "option", protocol.options, options)


def per_repeat(options):
    """Number of splits in each repeat: folds of a cross-validation, or sizes of the training part."""
    return len(options["sizes"]) if options.get("sizes") else options.get("folds", 1)


def splits(kind: str, y, split, seed_ids: tuple, *, repeats: int, groups=None, **options):
    """Splits of a protocol."""
    kind, protocol = resolve(kind)
    options = check_options(kind, options) | ({"groups": groups} if protocol.needs_groups else {})
    return resolve_name(protocol.splits)(y, split, seed_ids, repeats=repeats, **options)
