"""Statements of docs/reproduction-ane.md on Figure 7, trees and forests on embeddings of CIFAR-10."""

from docs.reference import ROOT, results, table
from pipeline.jobs.rerun import planned_with

from ironbark.pipeline.analysis.published import PAPERS
from ironbark.pipeline.analysis.published.papers import ane

PARTS = {
    ("Trees", "two classes"): ("ane-embeddings", "dt", "binary"),
    ("Trees", "ten classes"): ("ane-embeddings", "dt", "multiclass"),
    ("Forests", "two classes"): ("ane-embeddings-forests", "rf", "binary"),
    ("Forests", "ten classes"): ("ane-embeddings-forests", "rf", "multiclass"),
}
SETTING = ["noise", "rate"]


def _criteria(model):
    """Our method -> criterion in the published tables; twoing as defined, as in Figure 7, and no refitted ANE."""
    names = planned_with().config["studies"]["ane"]["compare"]["methods"][model.upper()]
    return {method: name for name, method in names.items()} | {f"{model}-twoing": "twoing"}


def _means(study, model, task):
    """Our means: one line per noise, one column per published criterion."""
    found = results(study).query("task == @task")
    found = found.assign(method=found["method"].map(_criteria(model))).dropna(subset="method")
    return found.pivot(index=SETTING, columns="method", values="mean")


def _on_pixels(model, task):
    """Published means of CIFAR-10's pixels, in the shape of `_means`."""
    found = ane.accuracy(ROOT / PAPERS["ane"].values["cells"].path)
    found = found.query("model == @model.upper() and task == @task and dataset == 'cifar-10'")
    return found.pivot(index=SETTING, columns="method", values="mean")


def _count(hits):
    return f"{int(hits.sum())} of {hits.size}"


def embeddings():
    """In how many settings of Figure 7 ANE and CL are best, and how many of our means exceed those on pixels."""
    rows = []
    for label, part in PARTS.items():
        means = _means(*part)
        pixels = _on_pixels(*part[1:]).loc[means.index, means.columns]
        assert means.notna().all(axis=None) and pixels.notna().all(axis=None)
        best = means.idxmax(axis=1)
        high = best[best.index.isin([("uniform", "0.3"), ("uniform", "0.4")])]
        counted = [found == name for found in (best, high) for name in ("ane", "conservative")]
        rows.append([", ".join(label), *map(_count, counted), _count((means > pixels).to_numpy())])
    heads = ["Figure 7", "ANE is best", "CL is best", "ANE at uniform 0.3 and 0.4", "CL at uniform 0.3 and 0.4"]
    return table([*heads, "Means above those on pixels"], rows)


def best_by_model():
    """In how many settings one of both is best, for trees and for forests."""
    found = {"dt": [], "rf": []}
    for study, model, task in PARTS.values():
        found[model] += list(_means(study, model, task).idxmax(axis=1).isin(["ane", "conservative"]))
    trees, forests = (f"{sum(hits)} of {len(hits)}" for hits in found.values())
    return f"Single trees of ANE or CL are best in {trees} settings, forests in {forests}"


STATEMENTS = [embeddings, best_by_model]
