"""Checks that a data set has the task of a study and can be split by its protocol."""

from ironbark import noise
from ironbark.errors import InputError
from ironbark.pipeline.plan.config.reading import lookup
from ironbark.pipeline.plan.study import class_sizes


def n_classes(config, name, task, protocol):
    """Number of classes of a task, 255 if the catalogue does not say.

    Raises
    ------
    InputError
        If the data set is unknown, or its task or the protocol can't be had with it.
    """
    entry = lookup("data set", name, config["datasets"])
    expect = entry.get("expect", {})
    n, k, folds = expect.get("n"), expect.get("k"), protocol["options"].get("folds", 1)
    if task == "multiclass" and k == 2:
        raise InputError(f"data set {name!r} has two classes, so it has no multiclass task; ask for binary.")
    if task == "binary" and k not in (None, 2) and not {"positive", "binary"} & entry.keys():
        raise InputError(
            f"data set {name!r} has {k} classes; give it a key 'positive' or 'binary: grouped' to make a binary task."
        )
    if protocol["kind"] == "fixed-split" and "split" not in entry:
        raise InputError(
            f"data set {name!r} has no split for the protocol 'fixed-split'; give it a key 'split', or choose "
            "'repeated-cv' or 'random-partitions'."
        )
    if n is not None and n < folds:
        raise InputError(f"data set {name!r} has {n} rows, fewer than the {folds} folds; ask for fewer folds.")
    found = class_sizes.smallest(entry, task)
    if found is not None and found[1] < folds:
        raise InputError(
            f"class {found[0]!r} of data set {name!r} has {found[1]} samples, fewer than the {folds} folds; "
            "ask for fewer folds, or leave out that data set."
        )
    return 2 if task == "binary" else k or 255


def check_given(config, name, about):
    """Raise InputError if a noise, of the model in `about`, takes the given labels of a data set that names none."""
    if noise.resolve(about["model"])[1].needs_given and "given" not in config["datasets"][name]:
        raise InputError(
            f"noise model {about['model']!r} takes the given labels of data set {name!r}, which names none; set "
            "`given` in its entry to their column, or leave out that data set."
        )
