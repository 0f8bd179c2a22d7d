"""The table of noise models. Plain Python, so that the planner can ask which names exist without loading numpy."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from numbers import Real

from ironbark import entries
from ironbark.entries import Option

BOTH = ("binary", "multiclass")


@dataclass(frozen=True)
class Limit:
    """Upper end of a rate."""

    high: float | Callable  # the end, or a function of the number of classes
    reason: str  # why no rate beyond it makes sense
    formula: str = ""  # the end as text, where it is a function
    included: bool = False

    def __str__(self):
        return f"[0, {self.formula or format(self.high, 'g')}{']' if self.included else ')'}"


_CHANCE = Limit(lambda k: (k - 1) / k, "at the upper end a label says nothing about the true class", "(K-1)/K")
_VANISHES = Limit(1.0, "at 1 a class would vanish")


@dataclass(frozen=True)
class NoiseModel:
    """Entry of `NOISE_MODELS`.

    Attributes
    ----------
    module, citation : str
        Module with a function of the model's name, as `ironbark.noise.base` describes it; where it is defined.
    limit : Limit
        Of each rate.
    rates : int
        How many numbers the rate consists of: 0, 1 or 2.
    tasks : tuple of str
        "binary", "multiclass" or both.
    params : dict
        Name of each further parameter -> Option, with its default.
    required : tuple of str
        Parameters without a default.
    needs_features, needs_given : bool
        Whether the model looks at X, and whether its parameter `given` holds labels.
    """

    module: str
    citation: str = ""
    limit: Limit = _CHANCE
    rates: int = 1
    tasks: tuple = BOTH
    params: dict = field(default_factory=dict)
    needs_features: bool = False
    required: tuple = ()
    needs_given: bool = False


def _is_share(value):
    return isinstance(value, Real) and not isinstance(value, bool) and 0 <= value <= 1


def _is_positive(value):
    return isinstance(value, Real) and not isinstance(value, bool) and 0 < value < math.inf


def _is_column(value):
    return isinstance(value, str) or entries.is_count(value, 0)


def _listed(value):
    """A value as a list, where it is one, an array or a frame."""
    value = value.to_numpy() if hasattr(value, "to_numpy") else value
    value = value.tolist() if hasattr(value, "tolist") else value
    return list(value) if isinstance(value, (list, tuple)) else None


def _is_stochastic(value):
    rows = [_listed(row) for row in _listed(value) or [None]]
    return all(row and len(row) == len(rows) and all(map(_is_share, row)) and abs(sum(row) - 1) <= 1e-6 for row in rows)


def _is_skill(value):
    return _is_share(value) or bool(_listed(value)) and all(map(_is_share, _listed(value)))


_TRANSITION, _COLUMNS = "ironbark.noise.transition", "ironbark.noise.columns"
_INSTANCE = "ironbark.noise.instance_dependent"

_ANE = "Wilton and Ye, AAAI 2024"
_PG = "Yang, Gao and Li, ICDM 2019"
_RMB = "Mazuelas and Álvarez, NeurIPS 2025"
_RGBDT = "Luo et al., arXiv:2310.05067v2"


def _share(default):
    return Option(default, _is_share, "a number in [0, 1]")


def _count(default, low=1):
    return Option(default, lambda value: entries.is_count(value, low), f"an integer >= {low}")


_EXACT = {"exact": Option(False, lambda value: isinstance(value, bool), "true or false")}
_COLUMN = {"column": Option(None, _is_column, "a position from 0 on, a name, or null for one that is drawn")}

#: Name -> noise model. A new model is a module with a function of its name, an entry here and a test.
NOISE_MODELS = {
    "clean": NoiseModel(_TRANSITION, rates=0),
    "uniform": NoiseModel(_TRANSITION, _ANE, params=_EXACT),
    "class_conditional": NoiseModel(_TRANSITION, f"{_PG}; {_ANE}", _VANISHES, rates=2, tasks=("binary",)),
    "class_conditional_by_size": NoiseModel(_TRANSITION, f"a reading of {_PG}", _VANISHES, rates=2, tasks=("binary",)),
    "mahalanobis": NoiseModel(
        "ironbark.noise.mahalanobis",
        f"{_ANE}, Appendix J",
        rates=0,
        tasks=("multiclass",),
        params={"shrinkage": _share(0.001), "mean_kept": Option(None, _is_share, "a number in [0, 1] or None")},
        needs_features=True,
    ),
    "pair_flip": NoiseModel(
        _TRANSITION,
        f"{_RGBDT}, Appendix B",
        Limit(0.5, "at 0.5 a true class no longer keeps the majority of its labels"),
        params={"last": Option("wrap", lambda value: value in ("wrap", "keep"), "'wrap' or 'keep'")},
    ),
    "balanced": NoiseModel(
        _TRANSITION,
        f"{_RGBDT}, Appendix B",
        Limit(0.5, "at 0.5 half of the labels of the minority class are wrong"),
        tasks=("binary",),
    ),
    "adversarial": NoiseModel(
        _INSTANCE,
        _RMB,
        Limit(0.5, "beyond 0.5 most labels are wrong", included=True),
        tasks=("binary",),
        params={
            "rounds": _count(100),
            "only": Option(None, lambda value: entries.is_count(value, 0) and value <= 1, "0, 1 or null"),
        },
        needs_features=True,
    ),
    "matrix": NoiseModel(
        _TRANSITION,
        "K x K, rows true classes",
        rates=0,
        params={
            "matrix": Option(
                None, _is_stochastic, "as many rows as columns, of numbers in [0, 1] that sum to 1 in each row"
            ),
            **_EXACT,
        },
        required=("matrix",),
    ),
    "random_matrix": NoiseModel(_TRANSITION, "this library", params={"spread": _share(0.5), **_EXACT}),
    "part_dependent": NoiseModel(
        _INSTANCE,
        "Xia et al., NeurIPS 2020",
        params={"scale": Option(0.1, _is_positive, "a number > 0"), **_EXACT},
        needs_features=True,
    ),
    "margin": NoiseModel(
        _INSTANCE,
        "Zhang et al., ICLR 2021",
        params={
            "type": Option(1, lambda value: entries.is_count(value, 1) and value <= 3, "1, 2 or 3"),
            "trees": _count(100),
            **_EXACT,
        },
        needs_features=True,
    ),
    "borderline": NoiseModel(
        _INSTANCE,
        "Garcia et al., Knowledge-Based Systems 2019",
        params={
            "sharpness": Option(3.0, lambda value: _is_positive(value) and value <= 100, "a number in (0, 100]"),
            **_EXACT,
        },
        needs_features=True,
    ),
    "boundary_consistent": NoiseModel(_INSTANCE, "Nazaretyan et al., 2024", needs_features=True),
    "annotators": NoiseModel(
        _TRANSITION,
        "Sheng et al., KDD 2008; Chong et al., EMNLP 2022",
        rates=0,
        params={
            "votes": _count(3),
            "skill": Option(0.7, _is_skill, "a number in [0, 1], or a list of them"),
            "dissenters": _count(0, 0),
        },
    ),
    "threshold": NoiseModel(
        _COLUMNS,
        "this library",
        params={
            **_COLUMN,
            "quantile": Option(0.5, lambda value: _is_share(value) and value < 1, "a number in [0, 1)"),
            **_EXACT,
        },
        needs_features=True,
    ),
    "group": NoiseModel(
        _COLUMNS,
        "this library",
        Limit(1.0, "it is a fraction of the group", included=True),
        params={
            **_COLUMN,
            "value": Option(
                None,
                lambda value: isinstance(value, (str, Real, date, timedelta)) or getattr(value, "ndim", None) == 0,
                "a value of the column, or null for a group that is drawn",
            ),
            **_EXACT,
        },
        needs_features=True,
    ),
    "rare_class": NoiseModel(_TRANSITION, "this library", Limit(1.0, "at 1 the class would vanish"), params=_EXACT),
    "observed": NoiseModel(
        "ironbark.noise.base",
        "the data set",
        rates=0,
        params={"given": Option(None, lambda value: _listed(value) is not None, "the labels as they were given")},
        needs_given=True,
    ),
}
