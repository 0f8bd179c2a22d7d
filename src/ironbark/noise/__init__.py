"""Label noise: the table of models and the two ways to apply one.

Importing this package loads neither numpy nor any model; the functions below do when they are called.
"""

from typing import TYPE_CHECKING, Any

from ironbark import entries
from ironbark.errors import InputError
from ironbark.noise.checks import check_params, check_rate, resolve
from ironbark.noise.models import NOISE_MODELS, NoiseModel

if TYPE_CHECKING:
    from ironbark import annotations as t

__all__ = ["NOISE_MODELS", "NoiseModel", "apply", "check_params", "check_rate", "corrupt", "resolve"]


def corrupt(
    name: str,
    X: "t.Features | None",
    y: "t.ArrayLike",
    *,
    rate: "float | t.Sequence[float] | None" = None,
    random_state: "int | t.Generator | None" = None,
    **params: Any,
) -> "t.Labels":
    """Corrupt labels with a noise model.

    Parameters
    ----------
    name : str
        One of `NOISE_MODELS`.
    X : array-like of shape (n_samples, n_features) or None
        Only models whose entry says `needs_features` look at it.
    y : array-like of shape (n_samples,)
        Clean labels of at least two classes: numbers, strings or a pandas Series. Their sorted order is the order
        of the classes, so with two classes the larger label is class 1.
    rate : None, float or sequence of two floats
        As many numbers as the model takes.
    random_state : None, int or numpy.random.Generator
    **params
        Further parameters of the model, see `NOISE_MODELS`. Labels among them (``given``, ``only``) are labels as in y.

    Returns
    -------
    ndarray of shape (n_samples,), dtype of y
        Noisy labels; y itself is not changed.

    Raises
    ------
    ValueError
        If a name, the rate, a parameter, X or y is not fit for the model (InputError, which says how to fix it).

    Examples
    --------
    >>> corrupt("class_conditional", None, ["no", "yes"] * 4, rate=(0.0, 0.5), random_state=0).tolist()
    ['no', 'no', 'no', 'no', 'no', 'yes', 'no', 'yes']
    """
    import numpy as np  # late, like the next one

    from ironbark.inputs import encoded_like, vector
    from ironbark.noise_matrix import check_names

    classes, codes = np.unique(vector(y), return_inverse=True)
    if len(classes) < 2:
        raise InputError(f"y must hold at least 2 classes, but it holds {len(classes)}.")
    n_samples = len(codes) if X is None else X.shape[0] if hasattr(X, "shape") else len(X)
    if n_samples != len(codes):
        raise InputError(f"X has {n_samples} samples but y has {len(codes)} labels; pass the same samples in both.")
    check_names(params.get("matrix"), classes, "matrix")
    if params.get("given") is not None:
        params["given"] = encoded_like(params["given"], classes, "given")
    if params.get("only") is not None:
        params["only"] = int(encoded_like([params["only"]], classes, "only")[0])
    try:
        rng = np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"random_state={random_state!r} is no seed; pass None, an integer >= 0 or a Generator."
        ) from error
    return classes[apply(name, X, codes, len(classes), rate, rng, **params).labels]


def apply(name: str, X, y, n_classes: int, rate, rng: "t.Generator", **params):
    """Corrupt coded labels, as `ironbark.noise.base` describes them; returns a `Corruption`."""
    name, model = resolve(name)
    rate, params = check_rate(name, rate, n_classes), check_params(name, params)
    if model.needs_features and X is None:
        raise InputError(f"noise {name!r} depends on the features, but X is None; pass the features of the samples.")
    y = y.astype("int64")
    if len(y) and not 0 <= y.min() <= y.max() < n_classes:
        raise InputError(f"y holds codes from {y.min()} to {y.max()}, but must hold codes from 0 to {n_classes - 1}.")
    return entries.imported(f"{model.module}.{name}")(X, y, n_classes, rate, rng, **params)
