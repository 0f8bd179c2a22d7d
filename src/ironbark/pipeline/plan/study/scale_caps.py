"""Caps of a scale on the methods of a study, and in words what differs from the protocol of the paper."""

from ironbark.errors import InputError, located
from ironbark.pipeline.plan.config import estimators
from ironbark.pipeline.protocols.methods import is_estimator

SIZE = "n_estimators"


def method(entry, name, caps):
    """Entry of a method with the caps of a scale."""
    params, tune = dict(entry.get("params", {})), dict(entry.get("tune", {}))
    defaults = estimators.parameters(entry["estimator"]) if estimators.is_ours(entry) else {}
    key = entry.get("size", SIZE)
    if SIZE in caps and defaults.get(key) is not None:
        params.setdefault(key, defaults[key])
    if "trials" in tune:
        tune["trials"] = min(tune["trials"], caps.get("trials", tune["trials"]))
    with located(f"method {name!r}"):
        return {
            "estimator": entry["estimator"],
            "params": {one: _inner(value, caps) for one, value in _params(params, key, caps).items()},
            "tune": tune | {part: _params(tune[part], key, caps) for part in ("grid", "space") if part in tune},
            "preprocess": entry.get("preprocess"),
            "label": entry.get("label", name),
        }


def _params(params, key, caps):
    """Parameters with the caps on those that are sizes, be they of a named part such as ``forest__n_estimators``."""
    sizes = [name for name in params if name == key or name.endswith(f"__{SIZE}")]
    return params | {name: _least(name, params[name], caps) for name in sizes}


def _least(name, size, caps):
    """A size, those of a list or those at the ends of a range, or the cap of a scale where that is less."""
    if isinstance(size, list):
        return list(dict.fromkeys(_least(name, one, caps) for one in size))
    if isinstance(size, dict) and "low" in size:
        return size | {end: _least(name, size[end], caps) for end in ("low", "high")}
    if size is not None and not isinstance(size, (int, float)):
        raise InputError(f"{name}={size!r} is no number, so no scale can cap it; write a number, without quotes")
    return size if size is None or SIZE not in caps else min(size, caps[SIZE])


def _inner(value, caps):
    """A value of a parameter with the caps in the estimators within it, where they say how many trees they have."""
    if isinstance(value, list):
        return [_inner(member, caps) for member in value]
    if not isinstance(value, dict):
        return value
    capped = {key: _inner(member, caps) for key, member in value.items()}
    if is_estimator(value) and "params" in capped:
        capped["params"] = _params(capped["params"], SIZE, caps)
    return capped


OF_FITS = ("n_estimators", "trials", "max_train")  # caps that make a fit incomparable with published values


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
    one = {"repeats": "one repeat", "trials": "one trial of a search"}
    words |= {key: text for key, text in one.items() if caps.get(key) == 1}
    return ", ".join(
        words[key].format(", ".join(value) if isinstance(value, list) else value) for key, value in caps.items()
    )


def from_paper(studies: dict, study_id: str, entry: dict) -> str:
    """The differences in words, empty for none."""
    whole = studies.get(entry.get("compare", {}).get("published"), {})
    if "protocol" not in whole or study_id in whole.get("parts", ()):
        return ""
    own, paper = entry["protocol"], whole["protocol"]
    return ", ".join(_difference(key, own, paper) for key in {**paper, **own} if own.get(key) != paper.get(key))


def _difference(key, own, paper):
    if key not in own:
        return f"no {key} in place of the paper's {paper[key]}"
    ours = f"{own[key]} {key}" if key in ("repeats", "folds") else f"{key} {own[key]}"
    return f"{ours} in place of the paper's {paper[key]}" if key in paper else f"{ours}, which the paper does not have"
