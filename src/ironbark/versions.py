"""Versions of what computes numbers: one integer for each family of estimators, and one for the protocol.

Keys of stored fits hold these integers in place of the source code. Raise the integer of a family when a change of
its code changes predictions of any valid input; the golden fits in ``tests/golden`` say when. Stored fits of the
family, and of those that build on it, are then trained again.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """Estimators that share a version."""

    version: int
    code: tuple  # files and folders whose code computes predictions; a file may count for several families
    builds_on: tuple = ()  # families whose versions count too


FAMILIES = {
    "categories": Family(2, ("tree/growing/categorical.py", "tree/growing/levels.py"), ("trees",)),
    "pruning": Family(2, ("tree/size_selection.py",), ("trees",)),
    "tree_pruning": Family(1, ("tree/cross_validation.py",), ("pruning",)),
    "trees": Family(
        1,
        (
            *("tree", "criteria", "encoding", "frames.py", "levels.py", "inputs.py", "soft_labels.py"),
            *("jit.py", "inner_code.py", "seeding.py"),
        ),
    ),
    "adaboost": Family(1, ("boosting/stagewise/adaboost.py",), ("stagewise",)),
    "stagewise": Family(
        1,
        ("boosting/stagewise", "boosting/binary.py", "boosting/gbdt/fitting.py", "boosting/gbdt/losses/elementary.py"),
        ("trees",),
    ),
    "minimax": Family(1, ("boosting/minimax",), ("stagewise",)),
    "corrected_losses": Family(1, ("boosting/gbdt/losses/corrections.py",), ("gbdt",)),
    "ensemble": Family(1, ("boosting/gbdt/ensemble_lgbm.py",), ("gbdt", "pruning")),
    "gbdt": Family(1, ("boosting/gbdt", "noise_matrix.py", "pipeline/diagnostics/authors_gradient.py"), ("stagewise",)),
    "detectors": Family(
        1,
        tuple(f"label_errors/{name}.py" for name in ("detector", "noise_estimate", "cleaning", "consensus")),
        ("label_errors",),
    ),
    "label_errors": Family(6, ("label_errors", "noise_matrix.py", "boosting/gbdt/fitting.py"), ("stagewise",)),
    "correction": Family(2, ("noise_correction.py",), ("label_errors",)),
    "forest_variants": Family(1, ("pipeline/diagnostics/voting.py",), ("trees",)),
    "adapters": Family(1, ("pipeline/adapters",)),
}

#: Splits, seeds, imputation and scaling, tuners, estimators within estimators, and what is stored of a fit.
PROTOCOL = 1
PROTOCOL_CODE = ("pipeline/protocols", "seeding.py")

#: Start of a module's name -> package of an extra that it computes with, whose version counts too.
PACKAGES = {
    "ironbark.boosting.gbdt.ensemble_lgbm": "lightgbm",
    "ironbark.boosting.gbdt.quadratic_xgb": "xgboost",
    "ironbark.boosting.gbdt.robust_lgbm": "lightgbm",
    "ironbark.boosting.gbdt.robust_xgb": "xgboost",
    "ironbark.boosting.minimax": "highspy",
    "ironbark.pipeline.adapters.catboost_classifier": "catboost",
    "ironbark.pipeline.adapters.clean_learning": "cleanlab",
    "ironbark.pipeline.diagnostics.authors_gradient": "xgboost",
    "ironbark.pipeline.protocols.tpe": "optuna",
}


def family_of(module):
    """Name of the family that a module of ironbark, such as ``ironbark.tree.forest``, belongs to."""
    path = module.removeprefix("ironbark.").replace(".", "/")
    for name, family in FAMILIES.items():
        if any(path == part.removesuffix(".py") or path.startswith(f"{part}/") for part in family.code):
            return name
    raise ValueError(f"the module {module} belongs to no family; add it in ironbark.versions")


def versions_of(*families):
    """Name -> version of these families and of all that they build on."""
    found, open_ = {}, list(families)
    while open_:
        name = open_.pop()
        found[name] = FAMILIES[name].version
        open_ += FAMILIES[name].builds_on
    return dict(sorted(found.items()))
