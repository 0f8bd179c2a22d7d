"""Ways to choose parameters on noisy labels: which entry of a method asks for which, and whether it makes sense.

Importing this module loads no numpy, so that the planner can check entries.
"""

from collections.abc import Sequence

from ironbark.errors import InputError

#: Key of ``tune`` that only this way has -> module with search(method, X, y, rng, seed) -> Fitted; the first counts.
SEARCHES = {
    "trials": "ironbark.pipeline.protocols.tpe",
    "cv": "ironbark.pipeline.protocols.inner_cv",
    "test_size": "ironbark.pipeline.protocols.holdout",
}

#: Parts of a method's resolved entry that its fits depend on, besides ``code``.
PARTS = ("estimator", "params", "tune", "preprocess")

#: What `ironbark.pipeline.protocols.tpe` can score a held-out fold by.
SCORES = ("accuracy", "average_precision", "balanced_accuracy", "label_probability", "roc_auc")


def module_of(tune):
    """Module of the search that a method's ``tune`` asks for; None without tuning."""
    return next((module for key, module in SEARCHES.items() if key in tune), None)


def chooser(name: str, names: Sequence[str], methods: dict):
    """Method before `name` in `names` whose search makes the same choice and does not refit; None if there is none."""
    if not methods[name]["tune"].get("refit"):
        return None
    wanted = _what_runs(methods[name], refit=False)
    return next((other for other in names[: names.index(name)] if _what_runs(methods[other]) == wanted), None)


def _what_runs(method, **changes):
    parts = {key: method.get(key) for key in (*PARTS, "code")}
    return {**parts, "tune": {**method["tune"], **changes}}


def values_of(tune):
    """Parameter -> values that a search may try: those of its grid, or lists and ends of ranges of its space."""
    found = {name: list(values) for name, values in tune.get("grid", {}).items()}
    for name, values in tune.get("space", {}).items():
        found[name] = [values["low"], values["high"]] if isinstance(values, dict) else list(values)
    return found


def check(tune):
    """Raise InputError for what the schema of methods cannot refuse: keys of two searches, and ranges without sense."""
    if "cv" in tune and (other := [key for key in ("test_size", "refit") if key in tune]):
        raise InputError(f"`tune` has both 'cv' and {other[0]!r}; keep 'cv', or 'test_size' with 'refit'.")
    if "grid" in tune and "space" in tune:
        raise InputError("`tune` has both 'grid' and 'space'; keep one of them.")
    for name, values in tune.get("space", {}).items():
        if isinstance(values, dict):
            _check_range(name, values)


def _check_range(name, values):
    low, high, step = values["low"], values["high"], values.get("step")
    if low > high:
        raise InputError(f"the range of {name!r} runs from {low} down to {high}; exchange low and high.")
    if values.get("log") and (low <= 0 or step is not None):
        raise InputError(f"the range of {name!r} is logarithmic; it must start above 0 and have no step.")
    if is_whole(values) and not isinstance(step or 1, int):
        raise InputError(f"step={step} of {name!r} is not allowed; both ends are whole numbers, so it must be one.")


def is_whole(values):
    """Whether a range is of whole numbers: both of its ends are written as such."""
    return isinstance(values["low"], int) and isinstance(values["high"], int)
