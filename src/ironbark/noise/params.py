"""Parameters of noise models other than the rate. Plain Python, like `ironbark.noise.models`."""

import difflib
import numbers

from ironbark.errors import InputError
from ironbark.noise.models import resolve


def _is_number(value):
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


#: Parameter -> (test of a value, what the value must be).
VALUES = {
    "exact": (lambda value: isinstance(value, bool), "true or false"),
    "last": (lambda value: value in ("wrap", "keep"), "'wrap' or 'keep'"),
    "shrinkage": (lambda value: _is_number(value) and 0 <= value <= 1, "a number in [0, 1]"),
    "only": (
        lambda value: value is None or (isinstance(value, int) and not isinstance(value, bool) and value in (0, 1)),
        "0, 1 or null",
    ),
    "rounds": (
        lambda value: isinstance(value, numbers.Integral) and not isinstance(value, bool) and value >= 1,
        "an integer >= 1",
    ),
}


def check_params(name, params):
    """Check the parameters of a noise model and fill in the defaults.

    Parameters
    ----------
    name : str
    params : dict
        Parameter name -> value.

    Returns
    -------
    dict
        All parameters of the model, in the order of `NOISE_MODELS`.

    Raises
    ------
    InputError
        If the model or a parameter is unknown, or a value is out of range.
    """
    name, model = resolve(name)
    for key, value in params.items():
        if key not in model.params:
            raise InputError(f"noise {name!r} has no parameter {key!r}; {_hint(key, model.params)}")
        test, wanted = VALUES[key]
        if not test(value):
            raise InputError(f"{key}={value!r} of noise {name!r} is not allowed; it must be {wanted}.")
    return {**model.params, **params}


def _hint(key, known):
    near = difflib.get_close_matches(str(key), known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"it takes {', '.join(known)}." if known else "it takes none, so leave it out."
