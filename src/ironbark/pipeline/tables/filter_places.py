"""Detectors of wrong labels among the published filters of MisLaBenchmark: places, and F1 against size and time.

Data set, noise, rate and number of samples of a published mean are those of our fits. A published filter counts where
it has a value of every rate that we have.
"""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.statistics.places import half_width, place
from ironbark.pipeline.tables.collect import order, select
from ironbark.pipeline.tables.result_table import ABSENT, Table

METRIC = "called_f1"
FEW = 10  # draws, below which a caption says that they are few
NOISES = {"uniform": "symmetric", "boundary_consistent": "asymmetric", "observed": "real"}


def build_places(rows, spec: dict, context, *, printed: pd.DataFrame) -> Table:
    """Lines of data sets and noise models, a column for each of our methods, and the best filter."""
    fits = _finished(rows, spec)
    if fits["n_train"].nunique() != 1:
        raise InputError(f"table {spec.get('id', '')!r} compares filters at one size; use the kind 'filter-sizes'")
    datasets, methods, _ = order(fits, spec)
    printed, found = printed[printed["n"].isin(fits["n_train"])], []
    for dataset, noise in ((dataset, noise) for noise in NOISES for dataset in datasets):
        ours = fits[(fits["dataset"] == dataset) & (fits["noise"] == noise)]
        theirs = printed[(printed["dataset"] == dataset) & (printed["noise"] == noise)]
        rivals = _rivals(theirs[theirs["rate"].isin(ours["rate"])], ours["rate"].nunique())
        if ours.empty or rivals.empty:
            continue
        best = rivals["mean"].idxmax()
        line = {"dataset": dataset, "noise": noise, "best_filter": best, "best_f1": rivals["mean"][best]}
        for method, own in ours.groupby("method"):
            f1 = own.groupby("repeat")[METRIC].mean().to_numpy()
            at, first, last = place(f1, rivals)
            numbers = {"f1": f1.mean(), "half_width": half_width(f1), "draws": len(f1)}
            found.append({**line, "method": method, **numbers, "place": at, "first": first, "last": last})
            found[-1]["of"] = len(rivals) + 1
    return _table_of_places(pd.DataFrame(found), methods, fits, spec, context)


def _finished(rows, spec):
    """Finished fits of both tasks that a spec selects."""
    if spec.get("metric") != METRIC:
        raise InputError(f"table {spec.get('id', '')!r}: the published values are F1; set `metric: {METRIC}`")
    fits = pd.concat([select(rows, {**spec, "task": task}) for task in dict.fromkeys(rows["task"])])
    fits = fits[(fits["status"] != FAILED) & fits[METRIC].notna()]
    if fits.empty:
        raise InputError(f"table {spec.get('id', '')!r} has no fit that calls labels errors; check its methods")
    return fits


def _rivals(theirs, n_rates):
    """Mean F1 over the rates, its variance, least number of runs and seconds of each filter that has all rates."""
    theirs = theirs.assign(variance=theirs["f1_sd"] ** 2 / theirs["runs"])
    groups = theirs.groupby("filter")
    found = pd.DataFrame({"mean": groups["f1"].mean(), "n": groups["runs"].min(), "seconds": groups["seconds"].mean()})
    found["variance"] = groups["variance"].apply(lambda each: each.sum(skipna=False)) / n_rates**2
    return found[groups.size() == n_rates]


def _table_of_places(values, methods, fits, spec, context):
    if values.empty:
        raise InputError(f"table {spec.get('id', '')!r}: no published filter has the rates and size of our fits")
    at = values.set_index(["dataset", "noise", "method"])
    lines = list(dict.fromkeys(zip(values["dataset"], values["noise"], strict=True)))
    texts = [[_best(values, line), *(_text(at, (*line, method)) for method in methods)] for line in lines]
    names = [(context.datasets[dataset], NOISES[noise]) for dataset, noise in lines]
    index = pd.MultiIndex.from_tuples(names, names=["Data set", "Noise"])
    frame = pd.DataFrame(texts, index, ["Best filter", *(context.methods[method] for method in methods)], dtype="str")
    reading = (
        f"F1 of the labels called errors, mean over rates ± half a 95 % interval, and place among the filters with "
        f"those that chance leaves open, at {fits['n_train'].iloc[0]} samples and {_draws(fits)}"
    )
    notes = [_summary(values[values["method"] == method], context.methods[method]) for method in methods]
    return Table(frame, values, frame.eq("") & False, context.caption(spec, reading), notes)


def _best(values, line):
    first = values[(values["dataset"] == line[0]) & (values["noise"] == line[1])].iloc[0]
    return f"{first['best_filter']} {first['best_f1']:.3f}"


def _text(at, key):
    if key not in at.index:
        return ABSENT
    one = at.loc[key]
    spread = "" if np.isnan(one["half_width"]) else f" ± {one['half_width']:.3f}"
    open_ = f"{one['first']}" if one["first"] == one["last"] else f"{one['first']}–{one['last']}"
    return f"{one['f1']:.3f}{spread}, {one['place']} ({open_}) of {one['of']}"


def _summary(own, label):
    sure, possible = int((own["last"] == 1).sum()), int((own["first"] == 1).sum())
    return (
        f"{label}: first beyond chance on {sure} of {len(own)} lines, not first beyond chance on {len(own) - possible}."
    )


def _draws(fits):
    draws = int(fits.groupby(["dataset", "noise_id", "method"])["repeat"].nunique().min())
    return f"{draws} draw{'s' * (draws != 1)}" + (", a small sample" if draws < FEW else "")


def build_sizes(rows, spec: dict, context, *, printed: pd.DataFrame) -> Table:
    """Lines of noises and sizes: F1 and seconds of our methods and of the best filter, means over the data sets."""
    fits, found = _finished(rows, spec), []
    _, methods, _ = order(fits, spec)
    for noise in (noise for noise in NOISES if noise in set(fits["noise"])):
        ours = fits[fits["noise"] == noise]
        theirs = printed[(printed["noise"] == noise) & printed["rate"].isin(ours["rate"])]
        theirs = theirs[theirs["dataset"].isin(ours["dataset"])]
        for n, own in ours.groupby("n_train"):
            for method, each in own.groupby("method"):
                f1, seconds = each.groupby("repeat")[METRIC].mean().to_numpy(), each["fit_seconds"].mean()
                numbers = {"f1": f1.mean(), "half_width": half_width(f1), "seconds": seconds, "draws": len(f1)}
                found.append({"noise": noise, "n": n, "method": method, **numbers})
            rivals = _rivals(theirs[theirs["n"] == n], own.groupby(["dataset", "rate"]).ngroups)
            if len(rivals):
                best, name = rivals.loc[rivals["mean"].idxmax()], rivals["mean"].idxmax()
                found.append({"noise": noise, "n": n, "method": "", "filter": name, "f1": best["mean"]})
                found[-1]["seconds"] = best["seconds"]
    values = pd.DataFrame(found)
    lines = list(dict.fromkeys(zip(values["noise"], values["n"], strict=True)))
    at = values.set_index(["noise", "n", "method"])
    texts = [[_size_text(at, (*line, method)) for method in ("", *methods)] for line in lines]
    names = [(NOISES[noise], f"{n:,}") for noise, n in lines]
    index = pd.MultiIndex.from_tuples(names, names=["Noise", "Samples"])
    frame = pd.DataFrame(texts, index, ["Best filter", *(context.methods[method] for method in methods)], dtype="str")
    reading = (
        f"F1 of the labels called errors ± half a 95 % interval, and seconds, means over {fits['dataset'].nunique()} "
        f"data sets and {_draws(fits)}; the best filter is the best of those with all data sets, timed on another machine"
    )
    return Table(frame, values, frame.eq("") & False, context.caption(spec, reading))


def _size_text(at, key):
    if key not in at.index:
        return ABSENT
    one = at.loc[key]
    spread = "" if np.isnan(one["half_width"]) else f" ± {one['half_width']:.3f}"
    name = f"{one['filter']} " if key[-1] == "" else ""
    return f"{name}{one['f1']:.3f}{spread}, {one['seconds']:.2g} s"
