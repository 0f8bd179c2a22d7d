"""The table of noise models. Plain Python, so that the planner can ask which names exist without loading numpy."""

import difflib
from dataclasses import dataclass, field

from ironbark.errors import InputError

BOTH = ("binary", "multiclass")


@dataclass(frozen=True)
class NoiseModel:
    """Entry of `NOISE_MODELS`.

    Attributes
    ----------
    module : str
        Module with a function of the model's name, ``f(X, y, n_classes, rate, rng, **params) -> Corruption``.
    description : str
    rates : int
        How many numbers the rate consists of: 0, 1 or 2.
    tasks : tuple of str
        "binary" (two classes), "multiclass" (three or more) or both.
    params : dict
        Further parameters and their defaults.
    needs_features : bool
        Whether the noise depends on X.
    """

    module: str
    description: str
    rates: int = 1
    tasks: tuple = BOTH
    params: dict = field(default_factory=dict)
    needs_features: bool = False


#: Name -> noise model. A new model is a function of that name in a module and a line here.
NOISE_MODELS = {
    "clean": NoiseModel("ironbark.noise.transition", "no noise", rates=0),
    "uniform": NoiseModel(
        "ironbark.noise.transition",
        "each label becomes one of the other classes, all alike, with probability rate",
        params={"exact": False},
    ),
    "class_conditional": NoiseModel(
        "ironbark.noise.transition",
        "class 0 becomes 1 with probability rate[0], class 1 becomes 0 with probability rate[1]",
        rates=2,
        tasks=("binary",),
    ),
    "mahalanobis": NoiseModel(
        "ironbark.noise.mahalanobis",
        "classes that lie close together in feature space are confused more often",
        rates=0,
        tasks=("multiclass",),
        params={"shrinkage": 0.001},
        needs_features=True,
    ),
    "pair_flip": NoiseModel(
        "ironbark.noise.transition",
        "a fraction rate of each class becomes the next class in sorted order",
        params={"last": "wrap"},
    ),
    "balanced": NoiseModel(
        "ironbark.noise.balanced",
        "a fraction rate of the minority class swaps labels with as many samples of the majority class",
        tasks=("binary",),
    ),
    "adversarial": NoiseModel(
        "ironbark.noise.adversarial",
        "the fraction rate of all samples of which a booster is surest becomes the other class",
        tasks=("binary",),
        params={"rounds": 100, "only": None},
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
        If there is no such model; the nearest name is suggested and all are listed.
    """
    canonical = str(name).strip().lower().replace("-", "_")
    if canonical in NOISE_MODELS:
        return canonical, NOISE_MODELS[canonical]
    near = difflib.get_close_matches(canonical, NOISE_MODELS, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise InputError(f"unknown noise {name!r}; {hint}choose one of {', '.join(NOISE_MODELS)}.")


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
