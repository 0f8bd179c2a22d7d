"""What a kind of tables or figures needs of the grids and the protocol of a study, as far as both can tell."""

from ironbark import noise
from ironbark.pipeline import protocols
from ironbark.pipeline.statistics import allowed


def fault(kind, spec: dict, cells: dict, protocol: dict, noises: dict) -> str:
    """Why a table or figure could not be made even if all fits succeeded."""
    name, least = spec["kind"], kind.least_datasets
    comparing = {dataset for (dataset, _), (_, methods) in cells.items() if len(methods) > 1}
    if len(comparing) < least:
        sets = "a data set" if least == 1 else f"{least} data sets"
        return f"the kind {name!r} needs two methods on {sets}; add what is missing, or leave it out"
    if name == "slopes" and not any(_has_rates(ids, noises) for ids, _ in cells.values()):
        return "the kind 'slopes' needs two rates of a noise model on a data set, clean counting as 0; add a noise"
    return _fault_of_test(spec["test"], protocol) if "test" in spec else ""


def _fault_of_test(test, protocol):
    kind, _ = protocols.resolve(protocol["kind"])
    options = {key: value for key, value in protocol.items() if key not in ("kind", "repeats")}
    found = allowed(kind, protocols.per_repeat(protocols.check_options(kind, options)))
    if test in found:
        return ""
    return f"the protocol {kind!r} does not allow the test {test!r}; use {' or '.join(map(repr, found))}"


def _has_rates(ids, noises):
    """Whether some of the noises have different single rates of one model, clean labels being rate 0 of each."""
    rates = {}
    for about in filter(None, map(noises.get, ids)):
        model, rate = noise.resolve(about["model"])[0], about.get("rate")
        rate = 0 if model == "clean" else rate
        if isinstance(rate, (int, float)):
            rates.setdefault(model, set()).add(rate)
    clean = rates.pop("clean", set())
    return any(len(found | clean) > 1 for found in rates.values())
