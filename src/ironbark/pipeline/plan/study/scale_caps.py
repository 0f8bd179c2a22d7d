"""Caps of a scale on the methods of a study, and their description."""

from ironbark.pipeline.plan.config.methods import estimators
from ironbark.pipeline.protocols.methods import is_estimator


def method(entry, name, caps):
    """Entry of a method with the caps of a scale."""
    params = dict(entry.get("params", {}))
    defaults = estimators.parameters(entry["estimator"]) if estimators.is_ours(entry) else {}
    key = entry.get("size", "n_estimators")
    size = params.get(key, defaults.get(key))
    if size is not None and "n_estimators" in caps:
        params[key] = min(size, caps["n_estimators"])
    params = {key: _inner(value, caps) for key, value in params.items()}
    return {
        "estimator": entry["estimator"],
        "params": params,
        "tune": _tune(entry.get("tune", {}), caps),
        "preprocess": entry.get("preprocess"),
        "label": entry.get("label", name),
    }


def _inner(value, caps):
    """A value of a parameter with the caps in the estimators within it, where they say how many trees they have."""
    if isinstance(value, list):
        return [_inner(member, caps) for member in value]
    if not isinstance(value, dict):
        return value
    found = {key: _inner(member, caps) for key, member in value.items()}
    size = found.get("params", {}).get("n_estimators") if is_estimator(value) else None
    if size is not None and "n_estimators" in caps:
        found["params"]["n_estimators"] = min(size, caps["n_estimators"])
    return found


def _tune(tune, caps):
    """Tuning with the caps of a scale, which bind a search by trials."""
    if "trials" not in tune:
        return tune
    space = dict(tune["space"])
    sizes, most = space.get("n_estimators"), caps.get("n_estimators")
    if most and isinstance(sizes, dict):
        space["n_estimators"] = sizes | {end: min(sizes[end], most) for end in ("low", "high")}
    elif most and sizes:
        space["n_estimators"] = list(dict.fromkeys(min(size, most) for size in sizes))
    return tune | {"space": space, "trials": min(tune["trials"], caps.get("trials", tune["trials"]))}


def fits_in_words(caps):
    """Caps of a scale on each fit, which make it incomparable with published values; empty for none.

    Fewer repeats, data sets or noises leave the other fits as they are.
    """
    return in_words({key: value for key, value in caps.items() if key in ("n_estimators", "trials", "max_train")})


def in_words(caps):
    """Caps of a scale, for captions; empty for none."""
    words = {
        "repeats": "{} repeats at most",
        "n_estimators": "{} trees per forest or rounds of boosting at most",
        "trials": "{} trials of a search at most",
        "max_train": "{} training samples at most",
        "datasets": "data sets {} only",
        "noises": "noises {} only",
    }
    if caps.get("repeats") == 1:
        words["repeats"] = "one repeat"
    return ", ".join(
        words[key].format(", ".join(value) if isinstance(value, list) else value) for key, value in caps.items()
    )
