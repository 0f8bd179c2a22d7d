"""Entry of the table of noise models. Plain Python, like `ironbark.noise.models`."""

from collections.abc import Callable
from dataclasses import dataclass, field

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
    required : tuple of str
        Parameters without a default.
    needs_given : bool
        Whether the parameter ``given`` holds labels, coded as y.
    """

    module: str
    description: str
    citation: str = ""
    limit: Limit | None = None
    rates: int = 1
    tasks: tuple = BOTH
    params: dict = field(default_factory=dict)
    needs_features: bool = False
    required: tuple = ()
    needs_given: bool = False
