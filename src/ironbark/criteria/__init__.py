"""Splitting criteria: the table of names, and how a name becomes what the tree kernels run.

Importing this module imports no criterion and no numba, so that the planner can ask which names exist.
"""

import importlib
import inspect
from dataclasses import dataclass

from ironbark import entries
from ironbark.errors import InputError


@dataclass(frozen=True)
class CriterionEntry:
    """Entry of `CRITERIA`.

    Attributes
    ----------
    definition : str
        Its impurity, or its gain.
    citation : str
        Where it is defined.
    parameter : str or None
        Name of the estimator parameter that the criterion takes, a number >= 0.
    tasks : tuple of str
        "binary", "multiclass" or both.
    """

    definition: str = ""
    citation: str = ""
    parameter: str | None = None
    tasks: tuple = ("binary", "multiclass")


#: Name -> criterion.
#:
#: A new one is a module of its name with ``build(n_root, n_classes, **parameter)``, an entry here and a test.
CRITERIA = {
    "gini": CriterionEntry("1 - sum p_k^2", "Breiman et al. (1984); ane, Theorem 1 (a)"),
    "entropy": CriterionEntry("-sum p_k ln p_k", "Quinlan (1986); ane, Theorem 1 (b)"),
    "misclassification": CriterionEntry(
        "1 - max p_k", "ane, Theorem 1 (c), (e), Theorem 2, Corollary 2.1: all conservative losses"
    ),
    "sqrt_gini": CriterionEntry(
        "sqrt((K-1)/K (1 - sum p_k^2))",
        "ane, text after Theorem 8: limit for lambda -> 0; two classes: Dietterich, Kearns and Mansour (1996)",
    ),
    "negative_exponential": CriterionEntry(
        "min{1 - max p_k, lam sqrt((K-1)/K (1 - sum p_k^2))}", "ane, Lemma 7, Theorem 8 and the display after it", "lam"
    ),
    "generalized_cross_entropy": CriterionEntry(
        "(1 - (sum p_k^r)^(1/r)) / q, r = 1/(1-q)", "Zhang and Sabuncu (2018); ane, Theorem 1 (d)", "q"
    ),
    "twoing": CriterionEntry("gain n_L n_R / (4 n^2) (sum abs(p_L,k - p_R,k))^2", "Breiman et al. (1984), section 4.3"),
    "twoing_rdts": CriterionEntry(
        "`twoing`, its search ended early as in the code that came with ane", "code that came with ane"
    ),
    "credal": CriterionEntry(
        "largest entropy under the imprecise Dirichlet model with s samples; the gain, without gain ratio",
        "Mantas and Abellan (2014)",
        "s",
    ),
    "pairwise_gain": CriterionEntry(
        "gain abs(L_0 R_1 - L_1 R_0) / 2, in counts; two classes",
        "pg, section V, last display before Theorem 1",
        tasks=("binary",),
    ),
}


def resolve(name):
    """The entry of a criterion: a name of the table, a function, or the import path of one."""
    return CriterionEntry() if is_custom(name) else entries.lookup("criterion", name, CRITERIA)


def module_of(name):
    """Name of the module that holds a criterion; `name` as in `resolve`."""
    if is_custom(name):
        return name.rpartition(".")[0] if isinstance(name, str) else name.__module__
    return f"{__name__}.{name}"


def is_custom(name):
    """Whether a criterion is a custom function or its import path; see `ironbark.criteria.custom`."""
    return callable(name) or (isinstance(name, str) and "." in name)


def check_parameter(name, value):
    """Raise InputError unless `value` is a number >= 0, as the parameter of criterion `name` must be."""
    number = isinstance(value, (int, float)) or hasattr(value, "__float__")
    if not number or isinstance(value, (bool, str)) or not float(value) >= 0:
        raise InputError(
            f"{resolve(name).parameter}={value!r} is out of range for criterion {name!r}; it must be a number >= 0."
        )


def build(name, n_root, n_classes, parameters):
    """The `Criterion` that kernels run on a training set of weight `n_root`; `parameters` may be for other criteria."""
    if is_custom(name):
        custom = importlib.import_module("ironbark.criteria.custom")
        function = custom.load(name) if isinstance(name, str) else name
        if not inspect.isfunction(getattr(function, "py_func", function)):
            raise InputError(f"criterion={name!r} is no function written in Python; numba can compile no other.")
        return custom.build(function, n_classes, parameters.get("criterion_params") or ())
    entry = resolve(name)
    module = importlib.import_module(module_of(name))
    if entry.parameter is None:
        return module.build(n_root, n_classes)
    value = parameters[entry.parameter]
    check_parameter(name, value)
    return module.build(n_root, n_classes, **{entry.parameter: float(value)})
