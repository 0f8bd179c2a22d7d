"""The table of noise models. Plain Python, so that the planner can ask which names exist without loading numpy."""

from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Real

from ironbark import entries
from ironbark.entries import Option
from ironbark.errors import InputError

BOTH = ("binary", "multiclass")


@dataclass(frozen=True)
class Limit:
    """Upper end of a rate.

    Attributes
    ----------
    high : float or callable
        The end, or a function of the number of classes.
    reason : str
        Why no rate beyond it makes sense.
    formula : str
        The end as text, where it is a function.
    included : bool
        Whether it is itself allowed.
    """

    high: float | Callable
    reason: str
    formula: str = ""
    included: bool = False

    def __str__(self):
        return f"[0, {self.formula or format(self.high, 'g')}{']' if self.included else ')'}"


@dataclass(frozen=True)
class NoiseModel:
    """Entry of `NOISE_MODELS`.

    Attributes
    ----------
    module : str
        Module with a function of the model's name, ``f(X, y, n_classes, rate, rng, **params) -> Corruption``.
    description : str
    citation : str
        Where it is defined.
    limit : Limit or None
        Of each rate; None for a model without a rate.
    rates : int
        How many numbers the rate consists of: 0, 1 or 2.
    tasks : tuple of str
        "binary" (two classes), "multiclass" (three or more) or both.
    params : dict of str to Option
        Further parameters.
    needs_features : bool
        Whether the noise depends on X.
    """

    module: str
    description: str
    citation: str = ""
    limit: Limit | None = None
    rates: int = 1
    tasks: tuple = BOTH
    params: dict = field(default_factory=dict)
    needs_features: bool = False


def _is_share(value):
    return isinstance(value, Real) and not isinstance(value, bool) and 0 <= value <= 1


_ANE = "Wilton and Ye, AAAI 2024"
_PG = "Yang, Gao and Li, ICDM 2019"
_RMB = "Mazuelas and Álvarez, NeurIPS 2025"
_RGBDT = "Luo et al., arXiv:2310.05067v2"

#: Name -> noise model. A new model is a module with a function of its name, an entry here and a test.
NOISE_MODELS = {
    "clean": NoiseModel("ironbark.noise.transition", "no noise", rates=0),
    "uniform": NoiseModel(
        "ironbark.noise.transition",
        "each label becomes one of the other classes, all alike, with probability rate",
        _ANE,
        Limit(lambda k: (k - 1) / k, "at the upper end a label says nothing about the true class", "(K-1)/K"),
        params={"exact": Option(False, lambda value: isinstance(value, bool), "true or false")},
    ),
    "class_conditional": NoiseModel(
        "ironbark.noise.transition",
        "class 0 becomes 1 with probability rate[0], class 1 becomes 0 with probability rate[1]",
        f"{_PG}; {_ANE}",
        Limit(1.0, "at 1 a class would vanish"),
        rates=2,
        tasks=("binary",),
    ),
    "class_conditional_by_size": NoiseModel(
        "ironbark.noise.by_size",
        "a label of the smaller class flips with probability rate[0], one of the larger class with rate[1]",
        f"a reading of {_PG}",
        Limit(1.0, "at 1 a class would vanish"),
        rates=2,
        tasks=("binary",),
    ),
    "mahalanobis": NoiseModel(
        "ironbark.noise.mahalanobis",
        "classes that lie close together in feature space are confused more often",
        f"{_ANE}, Appendix J",
        rates=0,
        tasks=("multiclass",),
        params={
            "shrinkage": Option(0.001, _is_share, "a number in [0, 1]"),
            "mean_kept": Option(None, lambda value: value is None or _is_share(value), "a number in [0, 1] or None"),
        },
        needs_features=True,
    ),
    "pair_flip": NoiseModel(
        "ironbark.noise.transition",
        "a fraction rate of each class becomes the next class in sorted order",
        f"{_RGBDT}, Appendix B",
        Limit(0.5, "at 0.5 a true class no longer keeps the majority of its labels"),
        params={"last": Option("wrap", lambda value: value in ("wrap", "keep"), "'wrap' or 'keep'")},
    ),
    "balanced": NoiseModel(
        "ironbark.noise.balanced",
        "a fraction rate of the minority class swaps labels with as many samples of the majority class",
        f"{_RGBDT}, Appendix B",
        Limit(0.5, "at 0.5 half of the labels of the minority class are wrong"),
        tasks=("binary",),
    ),
    "adversarial": NoiseModel(
        "ironbark.noise.adversarial",
        "the fraction rate of all samples of which a booster is surest becomes the other class",
        _RMB,
        Limit(0.5, "beyond 0.5 most labels are wrong", included=True),
        tasks=("binary",),
        params={
            "rounds": Option(100, lambda value: entries.is_count(value, 1), "an integer >= 1"),
            "only": Option(
                None, lambda value: value is None or (entries.is_count(value, 0) and value <= 1), "0, 1 or null"
            ),
        },
        needs_features=True,
    ),
}


def resolve(name):
    """Canonical name and entry of a noise model.

    Parameters
    ----------
    name : str
        In any case, with hyphens or underscores.

    Returns
    -------
    (str, NoiseModel)

    Raises
    ------
    InputError
        If there is no such model; the nearest name is suggested, or all are listed.
    """
    return entries.find("noise", name, NOISE_MODELS, lambda name: str(name).strip().lower().replace("-", "_"))


def check_params(name, params):
    """The parameters of a noise model with its defaults; InputError for an unknown one or a value out of range."""
    name, model = resolve(name)
    return entries.checked(f"noise {name!r}", "parameter", model.params, params)


def check_classes(name, n_classes):
    """Raise InputError unless the noise model is defined for this number of classes."""
    name, model = resolve(name)
    if n_classes < 2:
        raise InputError(f"noise {name!r} needs labels of at least 2 classes, but there is only {n_classes}.")
    task = "binary" if n_classes == 2 else "multiclass"
    if task not in model.tasks:
        allowed = {"binary": "exactly 2 classes", "multiclass": "3 or more classes"}[model.tasks[0]]
        fitting = ", ".join(other for other, entry in NOISE_MODELS.items() if task in entry.tasks)
        raise InputError(f"noise {name!r} needs {allowed}, but there are {n_classes}; choose one of {fitting}.")
