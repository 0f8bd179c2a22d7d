"""Splitting criteria: the table of names, and how a name becomes what the tree kernels run.

Importing this module imports no criterion and no numba, so that the planner can ask which names exist.
"""

import difflib
import importlib
from dataclasses import dataclass

from ironbark.errors import InputError


@dataclass(frozen=True)
class Criterion:
    """Entry of `CRITERIA`.

    Attributes
    ----------
    module : str
        Module that holds ``build(n_root, n_classes, **parameter)``.
    parameter : str or None
        Name of the estimator parameter that the criterion takes.
    low, high : float
        Range of that parameter, `low` included; `high` is included unless infinite.
    tasks : tuple of str
    """

    module: str
    parameter: str | None = None
    low: float = 0.0
    high: float = float("inf")
    tasks: tuple = ("binary", "multiclass")


#: Name -> criterion. A new criterion is a module of its own and a line here.
CRITERIA = {
    "gini": Criterion("ironbark.criteria.gini"),
    "entropy": Criterion("ironbark.criteria.entropy"),
    "misclassification": Criterion("ironbark.criteria.misclassification"),
    "sqrt_gini": Criterion("ironbark.criteria.sqrt_gini"),
    "negative_exponential": Criterion("ironbark.criteria.negative_exponential", "lam"),
    "generalized_cross_entropy": Criterion("ironbark.criteria.generalized_cross_entropy", "q"),
    "twoing": Criterion("ironbark.criteria.twoing"),
    "twoing_rdts": Criterion("ironbark.criteria.twoing_rdts"),
    "credal": Criterion("ironbark.criteria.credal", "s"),
    "pairwise_gain": Criterion("ironbark.criteria.pairwise_gain", tasks=("binary",)),
}


def resolve(name):
    """The entry of a criterion: a name of the table, a function, or the import path of one.

    Raises
    ------
    InputError
        If there is none of this name; the nearest one is named.
    """
    if isinstance(name, str) and name in CRITERIA:
        return CRITERIA[name]
    if is_custom(name):
        return Criterion(name.rpartition(".")[0] if isinstance(name, str) else name.__module__)
    near = difflib.get_close_matches(str(name), CRITERIA, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(CRITERIA)}."
    raise InputError(f"unknown criterion {name!r}; {hint}")


def is_custom(name):
    """Whether a criterion is a custom function or its import path; see `ironbark.criteria.custom`."""
    return callable(name) or (isinstance(name, str) and "." in name)


def check_parameter(name, value):
    """Raise InputError unless `value` lies in the range of the parameter of criterion `name`."""
    entry = resolve(name)
    number = isinstance(value, (int, float)) or hasattr(value, "__float__")
    if not number or isinstance(value, (bool, str)) or not entry.low <= float(value) <= entry.high:
        raise InputError(
            f"{entry.parameter}={value!r} is out of range for criterion {name!r}; it must be a number >= {entry.low:g}."
        )


def build(name, n_root, n_classes, parameters):
    """What the kernels run: the criterion's NamedTuple with its tables.

    Parameters
    ----------
    name : str or callable
    n_root : int
        Total weight of the training set.
    n_classes : int
    parameters : dict
        Parameter values by name; those of other criteria are ignored.
    """
    if is_custom(name):
        custom = importlib.import_module("ironbark.criteria.custom")
        return custom.build(name, n_classes, parameters.get("criterion_params") or ())
    entry = resolve(name)
    module = importlib.import_module(entry.module)
    if entry.parameter is None:
        return module.build(n_root, n_classes)
    value = parameters[entry.parameter]
    check_parameter(name, value)
    return module.build(n_root, n_classes, **{entry.parameter: float(value)})
