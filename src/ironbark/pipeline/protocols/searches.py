"""Ways to choose parameters on noisy labels: which entry of a method asks for which, and whether it makes sense.

Importing this module loads no numpy, so that the planner can check entries.
"""

from collections.abc import Sequence

from ironbark.errors import InputError

#: Key of ``tune`` that only this way has -> module with search(method, X, y, rng, seed) -> Fitted. The first that is
#: there counts.
SEARCHES = {
    "trials": "ironbark.pipeline.protocols.tpe",
    "cv": "ironbark.pipeline.protocols.inner_cv",
    "test_size": "ironbark.pipeline.protocols.holdout",
}

#: Parts of a method's resolved entry that its fits depend on, besides ``code``.
PARTS = ("estimator", "params", "tune", "preprocess")

#: What `ironbark.pipeline.protocols.tpe` can score a held-out fold by.
SCORES = ("accuracy", "average_precision", "balanced_accuracy", "label_probability", "roc_auc")


#: Training samples from which a model that waits goes into a file, as its trees may keep gigabytes.
LARGE = 100_000


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
    """Raise InputError unless the keys of a method's ``tune`` belong together and its ranges make sense."""
    if "trials" in tune or "space" in tune:
        _check_trials(tune)
    other = [key for key in ("test_size", "refit") if key in tune]
    if "cv" in tune and other:
        raise InputError(f"`tune` has both 'cv' and {other[0]!r}; keep 'cv', or 'test_size' with 'refit'.")


def _check_trials(tune):
    for key in ("trials", "space", "cv"):
        if key not in tune:
            raise InputError(f"`tune` has no {key!r}; a search by trials needs 'trials', 'cv' and 'space'.")
    if "grid" in tune:
        raise InputError("`tune` has both 'grid' and 'space'; keep one of them.")
    for key, low in (("trials", 1), ("cv", 2), ("startup", 1)):
        value = tune.get(key, low)
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            raise InputError(f"{key}={value!r} of `tune` is out of range; it must be an integer >= {low}.")
    if tune.get("score", SCORES[0]) not in SCORES:
        raise InputError(f"unknown score {tune['score']!r} of `tune`; choose one of {', '.join(SCORES)}.")
    for name, values in tune["space"].items():
        if isinstance(values, dict):
            _check_range(name, values)
        elif not isinstance(values, list) or not values:
            raise InputError(f"{name}={values!r} of `space` is neither a list of values nor a range with low and high.")


def _check_range(name, values):
    numbers = [values.get(key) for key in ("low", "high")] + [values[key] for key in ("step",) if key in values]
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers):
        raise InputError(f"the range of {name!r} needs numbers low and high; got {values!r}.")
    low, high, step = values["low"], values["high"], values.get("step")
    if low > high:
        raise InputError(f"the range of {name!r} runs from {low} down to {high}; exchange low and high.")
    if values.get("log") and low <= 0:
        raise InputError(f"the range of {name!r} is logarithmic and starts at {low}; it must start above 0.")
    if step is not None and (values.get("log") or step <= 0):
        raise InputError(f"step={step} of {name!r} is not allowed; it must be positive, and no range have it with log.")
    if is_whole(values) and not isinstance(step or 1, int):
        raise InputError(f"step={step} of {name!r} is not allowed; both ends are whole numbers, so it must be one.")


def is_whole(values):
    """Whether a range is of whole numbers: both of its ends are written as such."""
    return isinstance(values["low"], int) and isinstance(values["high"], int)
