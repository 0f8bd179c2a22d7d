"""Tables of docs/reproduction-ane.md."""

import pandas as pd
from docs.reference import PAPERS, ROOT, compared, config, published, results, share

from ironbark.pipeline.statistics.significance import highlighted

HEADS = ["trees, published", "ours", "forests, published", "ours"]
METHODS = ["ane", "misclassification", "twoing-rdts", "credal", "gce", "gini", "entropy", "pairwise"]


def _names(model):
    return config()["studies"]["ane"]["compare"]["methods"][model]


#: Data set in the published tables -> its label, that of our rows, and the studies of trees and of forests.
ROBUST = {
    "mushrooms": ("Mushrooms", "mushrooms", {"dt": "mushrooms", "rf": "mushrooms"}),
    "mnist": ("MNIST", "mnist", {"dt": "ane", "rf": "ane"}),
    "cifar-10": ("CIFAR-10", "cifar-10", {"dt": "ane", "rf": "ane"}),
    "20news": ("20News (ours: SVD)", "20news-svd", {"dt": "ane-stand-ins", "rf": "ane-stand-ins"}),
    "unsw-nb15": ("UNSW-NB15 (ours: test file)", "unsw-nb15", {"dt": "ane", "rf": "ane-stand-ins"}),
}


def robust():
    """In how many noisy settings ANE and CL are the two best criteria."""
    rows = []
    for name, (label, dataset, studies) in ROBUST.items():
        row = [label]
        for model, study in studies.items():
            own = results(study)
            own = own[(own["dataset"] == dataset) & own["method"].isin([f"{model}-{name}" for name in METHODS])]
            theirs = published("ane").query("dataset == @name and model == @model.upper()")
            theirs = theirs[theirs["task"].isin(own["task"])].assign(method=theirs["method"].map(_names(model.upper())))
            row += [_two_best(theirs, model), _two_best(own, model)]
        rows.append(row)
    return [["ANE and CL are the two best", *HEADS], *rows]


def _two_best(lines, model):
    pair = {f"{model}-ane", f"{model}-misclassification"}
    noisy = lines[lines["noise"] != "clean"]
    wide = noisy.pivot(index=["task", "noise", "rate"], columns="method", values="mean")
    return share([set(line.nlargest(2).index) == pair for _, line in wide.iterrows()])


def bold():
    """In how many settings of three data sets each criterion is bold: as printed, and by the paper's rule in ours."""
    theirs = pd.read_csv(ROOT / PAPERS["ane"].values["cells"].path)
    theirs = theirs.assign(method=[_names(line.model)[line.method] for line in theirs.itertuples()])
    hits = {}
    for model in ("dt", "rf"):
        ids = [f"{model}-{name}" for name in METHODS]
        for side, lines in (("published", theirs), ("ours", pd.concat([results("mushrooms"), results("ane")]))):
            asked = lines["method"].isin(ids) & lines["dataset"].isin(["mushrooms", "mnist", "cifar-10"])
            chosen, by = lines[asked].rename(columns={"spread": "sd"}), ("dataset", "task", "noise", "rate")
            marks = chosen["highlighted"] == "yes" if side == "published" else highlighted(chosen, by)
            hits[model, side] = marks.groupby(chosen["method"].str[3:]).agg(share)
    return [["Bold", *HEADS], *([name, *(hits[key][name] for key in hits)] for name in METHODS)]


def twoing():
    """Published twoing on Mushrooms, ours as defined, and ours with the early exit."""
    own = results("mushrooms").set_index(["method", "noise_id"])["mean"] * 100
    lines = compared("mushrooms").set_index(["method", "noise", "rate"])["published_mean"]
    rows = []
    for cell in results("mushrooms").query("method == 'dt-twoing'").sort_values("noise_id").itertuples():
        row = [cell.noise_id]
        for model in ("dt", "rf"):
            early = f"{model}-twoing-rdts"
            values = (lines[early, cell.noise, cell.rate], own[f"{model}-twoing", cell.noise_id])
            row += [f"{value:.2f}" for value in (*values, own[early, cell.noise_id])]
        rows.append(row)
    heads = ["Tree, published", "without", "with early exit", "Forest, published", "without", "with early exit"]
    return [["Noise", *heads], *rows]


def switches():
    """Accuracy and leaves by the paper's text and by the code of its authors."""
    found = results("ane-switches").set_index(["noise_id", "method"])
    lines = compared("ane-switches").set_index(["rate", "method"])["published_mean"]
    rows = []
    for rate in ("0.2", "0.4"):
        for name, label in (("ane", "ANE"), ("misclassification", "CL"), ("gini", "Gini")):
            ways = [found.loc[(f"uniform-{rate}", method)] for method in (f"dt-{name}", f"dt-{name}-rdts")]
            cells = [f"{100 * way['mean']:.2f} ({float(way['n_leaves']):,.0f})" for way in ways]
            rows.append([f"uniform {rate}, {label}", f"{lines[rate, f'dt-{name}-rdts']:.2f}", *cells])
    return [["Accuracy (leaves)", "Published", "Paper's text", "Authors' code"], *rows]


LAMBDA = {
    "Binary": "task == 'binary'",
    "Ten classes, clean or uniform": "task == 'multiclass' and noise != 'mahalanobis'",
    "Ten classes, Mahalanobis": "task == 'multiclass' and noise == 'mahalanobis'",
}


def lambdas():
    """Our means next to the points read off Figure 6, and whether the same lambda is best."""
    keys, rows = ["task", "noise", "rate", "method"], []
    own = results("ane-lambda").set_index(keys)[["mean"]] * 100
    points = published("ane", "curves").query("metric == 'accuracy'")
    points = points.assign(method=points["method"].map(_names("lambda"))).set_index(keys)[["mean"]] * 100
    both = points.join(own, suffixes=("", "_ours"), validate="1:1")
    assert len(both) == len(own) and both.notna().all(axis=None)
    for label, wanted in LAMBDA.items():
        part = both.query(wanted)
        apart = (part["mean"] - part["mean_ours"]).abs()
        best = [part[name].unstack("method").idxmax(axis=1) for name in ("mean", "mean_ours")]
        rows.append([label, len(part), f"{apart.mean():.2f}", f"{apart.max():.2f}", share(best[0] == best[1])])
    heads = ["Trees of fixed lambda", "Cells", "Mean absolute difference (points)", "Largest", "Same best lambda"]
    return [heads, *rows]


def mahalanobis():
    """Distance of trees of the criteria other than ANE and CL to the published values, by the mean of the diagonal."""
    found = results("ane-mahalanobis")
    ours = found[found["method"].str.startswith("dt")].pivot(index="method", columns="noise_id", values="mean") * 100
    cells = published("ane").query("dataset == 'mnist' and noise == 'mahalanobis' and model == 'DT'")
    theirs = cells.set_index(cells["method"].map(_names("DT")))["mean"] * 100
    apart = ours.sub(theirs.reindex(ours.index), axis=0).abs().drop(index=["dt-ane", "dt-misclassification"])
    rows = [[name, f"{apart[name].mean():.2f}", f"{apart[name].max():.2f}"] for name in apart]
    return [["Noise (mean of the diagonal)", "Mean absolute difference (points)", "Largest"], *rows]


TABLES = {
    "ane-robust": robust,
    "ane-bold": bold,
    "ane-twoing": twoing,
    "ane-switches": switches,
    "ane-lambda": lambdas,
    "ane-mahalanobis": mahalanobis,
}
