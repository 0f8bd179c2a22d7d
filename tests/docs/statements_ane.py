"""Statements of docs/reproduction-ane.md."""

from docs.reference import ROOT, compared, results, side_by_side, table
from pipeline.jobs.rerun import planned_with

from docs import ane_embeddings, ane_lambda
from ironbark.pipeline.analysis.kinds import imported
from ironbark.pipeline.analysis.published import PAPERS
from ironbark.pipeline.analysis.published.comparison import DIFFERS

NOISES = {
    "clean": "clean",
    "uniform-0.1": "uniform 0.1",
    "uniform-0.2": "uniform 0.2",
    "uniform-0.3": "uniform 0.3",
    "uniform-0.4": "uniform 0.4",
    "class-conditional-0.1-0.3": "class-conditional 0.1/0.3",
    "class-conditional-0.2-0.4": "class-conditional 0.2/0.4",
}
METHODS = {"ane": "ANE", "misclassification": "CL", "twoing-rdts": "Twoing (RDTS)", "credal": "Credal", "gce": "GCE"}
METHODS |= {"gini": "MSE", "entropy": "CE", "pairwise": "Ranking"}


def _lines(study, number):
    found = compared(study)
    found = found[found["table"] == number]
    noise = found["noise"].str.replace("_", "-") + ("-" + found["rate"].str.replace("/", "-")).where(
        found["rate"] != ""
    )
    noise = noise.fillna(found["noise"]).replace("clean-0", "clean")
    return found.assign(noise_id=noise, label=found["method"].str.partition("-")[2].map(METHODS))


def mushrooms_by_the_text():
    """Published twoing, ours as defined, and ours with the early exit."""
    own = results("mushrooms").set_index(["method", "noise_id"])["mean"] * 100
    both = compared("mushrooms").set_index(["method", "noise", "rate"])["published_mean"]
    rows = []
    for noise_id, name in NOISES.items():
        line = [name]
        for model in ("dt", "rf"):
            cell = results("mushrooms").query("method == @model + '-twoing-rdts' and noise_id == @noise_id").iloc[0]
            line.append(both[f"{model}-twoing-rdts", cell["noise"], cell["rate"]])
            line += [own[f"{model}-twoing", noise_id], own[f"{model}-twoing-rdts", noise_id]]
        rows.append(line)
    heads = [
        "Noise",
        "Tree, published",
        "without",
        "with early exit",
        "Forest, published",
        "without",
        "with early exit",
    ]
    return table(heads, rows)


#: Data set in the published tables -> its label, that of our rows, and the studies of trees and of forests.
ROBUST = {
    "mushrooms": ("Mushrooms", "mushrooms", {"dt": "mushrooms", "rf": "mushrooms"}),
    "mnist": ("MNIST", "mnist", {"dt": "ane-laptop", "rf": "ane-laptop-forests"}),
    "20news": ("20News (ours: SVD)", "20news-svd", {"dt": "ane-stand-ins", "rf": "ane-stand-ins"}),
    "unsw-nb15": ("UNSW-NB15 (ours: test file)", "unsw-nb15", {"dt": "ane-laptop", "rf": "ane-stand-ins"}),
}


def robust_first():
    """In how many noisy settings ANE and CL are the two best criteria, published / ours."""
    rows = [
        [label, *(f"{a} of {n} / {b} of {n}" for a, b, n in counts.values())] for label, counts in _robust().items()
    ]
    return table(["ANE and CL are the two best, published / ours", "single trees", "forests"], rows)


def robust_verdict():
    """Where ANE and CL are the two best criteria under every noise, by our results and as published."""
    parts = []
    for model, name in (("dt", "single trees"), ("rf", "forests")):
        theirs, ours = (_always(model, side) for side in (0, 1))
        parts.append(f"of {name} on {ours} ({'as published' if ours == theirs else f'published: {theirs}'})")
    return f"Under every noise, ANE and CL are the two best criteria {' and '.join(parts)}"


def _always(model, side):
    """Data sets on which ANE and CL are the two best under every noise; `side`: 0 for published values, 1 for ours."""
    whole = [label.partition(" (")[0] for label, counts in _robust().items() if counts[model][side] == counts[model][2]]
    return " and ".join(filter(None, [", ".join(whole[:-1]), *whole[-1:]])) or "no data set"


def _robust():
    """Label -> model -> settings with ANE and CL first as published, by us, and all settings."""
    names = planned_with().config["studies"]["ane"]["compare"]["methods"]
    cells = PAPERS["ane"].values["cells"]
    published = imported(cells.reader)(ROOT / cells.path)
    found = {}
    for printed, (label, dataset, studies) in ROBUST.items():
        found[label] = {}
        for model, study in studies.items():
            known = names[model.upper()]
            theirs = published[(published["dataset"] == printed) & (published["model"] == model.upper())]
            own = results(study)
            own = own[(own["dataset"] == dataset) & own["method"].isin([f"{model}-{name}" for name in METHODS])]
            theirs = theirs[theirs["task"].isin(own["task"])]
            sides = [theirs.assign(method=theirs["method"].map(known)), own]
            hits = [_two_best(side, model) for side in sides]
            assert len(hits[0]) == len(hits[1])
            found[label][model] = *map(sum, hits), len(hits[0])
    return found


def _two_best(lines, model):
    pair = {f"{model}-ane", f"{model}-misclassification"}
    noisy = lines[lines["noise"] != "clean"]
    wide = noisy.pivot(index=["task", "noise", "rate"], columns="method", values="mean")
    return [set(line.nlargest(2).index) == pair for _, line in wide.iterrows()]


TEN_CLASSES = {**dict(list(NOISES.items())[:5]), "mahalanobis": "Mahalanobis"}


def _mnist(study, number, head, noises):
    lines = _lines(study, number).query("dataset == 'mnist'")
    return side_by_side(lines, ["label"], ("noise_id", list(noises)), [head, *noises.values()])


def trees_binary():
    return _mnist("ane-laptop", "2", "Binary", NOISES)


def trees_multiclass():
    return _mnist("ane-laptop", "3", "Ten classes", TEN_CLASSES)


def forests_binary():
    return _mnist("ane-laptop-forests", "4", "Forests, binary", NOISES)


def forests_multiclass():
    return _mnist("ane-laptop-forests", "5", "Forests, ten classes", TEN_CLASSES)


def switches_by_cell():
    found = results("ane-switches").set_index(["noise_id", "method"])
    published = compared("ane-switches").set_index(["rate", "method"])["published_mean"]
    rows = []
    for rate in ("0.2", "0.4"):
        for name, label in (("ane", "ANE"), ("misclassification", "CL"), ("gini", "MSE")):
            ways = [found.loc[(f"uniform-{rate}", method)] for method in (f"dt-{name}", f"dt-{name}-rdts")]
            cells = [f"{100 * way['mean']:.2f} ({float(way['n_leaves']):,.0f})" for way in ways]
            rows.append([f"uniform {rate}, {label}", published[rate, f"dt-{name}-rdts"], *cells])
    return table(["Accuracy (leaves)", "published", "paper's text", "authors' code"], rows)


def leaves():
    found = results("ane-switches").assign(n_leaves=lambda f: f["n_leaves"].astype(float))
    leaves = found.set_index(["noise_id", "method"])["n_leaves"]
    fewer = [
        100 * (1 - leaves[noise, "dt-misclassification-rdts"] / leaves[noise, "dt-misclassification"])
        for noise in ("uniform-0.2", "uniform-0.4")
    ]
    return f"CL trees have {min(fewer):.0f} to {max(fewer):.0f} % fewer leaves with the rule of the code"


def refit():
    found = results("ane-switches").set_index(["noise_id", "method"])["mean"] * 100
    ane = [found[f"uniform-{rate}", "dt-ane-refit"] for rate in ("0.2", "0.4")]
    return f"Refitting on all samples gives ANE {ane[0]:.2f} and {ane[1]:.2f}"


def refit_binary():
    found = results("ane-laptop").query("dataset == 'mnist' and task == 'binary' and noise_id == 'uniform-0.4'")
    found = found.set_index("method")
    line = (
        compared("ane-laptop")
        .query("dataset == 'mnist' and method == 'dt-ane' and rate == '0.4' and task == 'binary'")
        .iloc[0]
    )
    again = found.loc["dt-ane-refit"]
    published, ours = (
        f"{line.published_mean:.2f} ± {line.published_spread:.2f}",
        f"{line['mean']:.2f} ± {line.spread:.2f}",
    )
    refitted = f"{100 * again['mean']:.2f} ± {100 * again['spread']:.2f}"
    before = f"({published} published, {ours} ours)"
    return f"{before}. Refitted on all samples (`dt-ane-refit`, same five sets) it has {refitted}"


def differing():
    found = compared("ane-laptop").query("dataset == 'mnist'")
    parts = []
    for number in ("2", "3"):
        cells = found[found["table"] == number]
        kinds = cells.loc[cells["verdict"] == DIFFERS, "noise"].replace("mahalanobis", "Mahalanobis").value_counts()
        where = f" ({', '.join(f'{n} under {name} noise' for name, n in kinds.items())})" if len(kinds) else ""
        parts.append(f"{kinds.sum() or 'none'} of the {len(cells)} cells of Table {number} differ{where}")
    return f"On MNIST {parts[0]} and {parts[1]}"


def forests_differing():
    found = compared("ane-laptop-forests").query("dataset == 'mnist'")
    cells = found[found["verdict"] == DIFFERS].itertuples()
    named = ", ".join(f"{METHODS[cell.method[3:]]} ({cell.task}, {cell.noise} {cell.rate})" for cell in cells)
    return f"Of the {len(found)} cells of forests on MNIST, these differ: {named or 'none'}"


MEANS = {"mahalanobis": "formula", "mahalanobis-0.62": "0.62", "mahalanobis-0.6": "0.60", "mahalanobis-0.58": "0.58"}


def _kept():
    """Ours minus published under the Mahalanobis noise of MNIST: methods, means of the diagonal."""
    ours = results("ane-mahalanobis").pivot(index="method", columns="noise_id", values="mean") * 100
    plan = planned_with()
    names = {
        own: (model, name) for model, methods in plan.config["studies"]["ane"]["compare"]["methods"].items()
        for name, own in methods.items()
    }  # fmt: skip
    cells = PAPERS["ane"].values["cells"]
    published = imported(cells.reader)(ROOT / cells.path).query("dataset == 'mnist' and noise == 'mahalanobis'")
    published = published.set_index(["model", "method"])["mean"] * 100
    return ours[list(MEANS)].sub([published[names[method]] for method in ours.index], axis=0)


def kept_verdict():
    distance = _kept().abs()
    trees = distance[distance.index.str.startswith("dt")]
    usual = trees.drop(index=["dt-ane", "dt-misclassification"])
    best = usual.mean().idxmin()
    return (
        f"With a mean of {MEANS[best]} the trees of the {len(usual)} criteria other than ANE and CL are "
        f"{usual[best].mean():.2f} points from the published values on average and {usual[best].max():.2f} at most, "
        f"by the formula {usual['mahalanobis'].mean():.2f} and {usual['mahalanobis'].max():.2f}"
    )


STATEMENTS = [
    robust_first,
    robust_verdict,
    forests_differing,
    mushrooms_by_the_text,
    trees_binary,
    trees_multiclass,
    differing,
    switches_by_cell,
    leaves,
]
STATEMENTS += [forests_binary, forests_multiclass, refit, refit_binary, kept_verdict]
STATEMENTS += ane_lambda.STATEMENTS + ane_embeddings.STATEMENTS
