"""Tables of docs/reproduction-pg.md."""

import pandas as pd
from docs.reference import compared, counts, published, results, scales, share, wide

from ironbark.pipeline.published import comparison
from ironbark.pipeline.tables import claims as pg_claims
from ironbark.pipeline.tables.result_table import ABSENT

NAMES = {"pairwise": "Pairwise gain", "gini": "Gini impurity", "entropy": "Information gain"}
CRITERIA = {f"pg-rf-{name}": label for name, label in NAMES.items()}
#: Groups of data sets of Table III, of which those that have run count; those of JUDGES judge the hypotheses.
JUDGES = ("segment", "splice")
LATER = ("satimage", "dna", "mushrooms", "usps", "pendigits", "phishing", "letter")
SETS = {
    "nine small": (
        *("sonar", "heart", "ionosphere", "breast", "australian"),
        *("diabetes-libsvm", "vehicle", "fourclass", "german-libsvm"),
    ),
    "medium": (*JUDGES, *LATER, "shuttle", "a9a"),
}
RATES = ("0.1/0.3", "0.2/0.4")


def forests():
    """One line for each group of data sets: which criterion is best, and how near the published values are."""
    rows = []
    for sets, datasets in SETS.items():
        lines = compared("pg")
        lines = lines[lines["dataset"].isin(datasets)]
        best = [_best(lines, side) == "pg-rf-pairwise" for side in ("published_mean", "mean")]
        is_ours = lines["method"] == "pg-rf-pairwise"
        kept = [lines.loc[part, "verdict"] == comparison.NOT_REJECTED for part in (is_ours, ~is_ours)]
        means, needed = lines.groupby("method")["difference"].mean(), f"{lines['needed_to_reject'].median():.2f}"
        found = [*map(share, [*best, *kept, lines["equivalent"].eq(True)]), needed]
        rows.append([sets, *found, *(f"{means[method]:+.2f}" for method in CRITERIA)])
    heads = ["Data sets", "Pairwise gain best, published", "Ours", "Not rejected, pairwise gain", "The rivals"]
    heads += ["Equivalent within ±1 point", "Needed to reject (points)"]
    return [[*heads, *(f"Mean difference, {name}" for name in NAMES.values())], *rows]


def _best(lines, side):
    return lines.pivot(index=["dataset", "rate"], columns="method", values=side).idxmax(axis=1)


def trees():
    """Single trees of the pairwise gain against each rival, by group of data sets."""
    found, rows = wide("pg").filter(like="pg-dt").dropna(), []
    for sets, datasets in SETS.items():
        own = found[found.index.isin(datasets, level=0)]
        both = [counts(own["pg-dt-pairwise"], own[f"pg-dt-{name}"]) for name in ("gini", "entropy")]
        parts = [text for c in both for text in (f"{c['better']} of {c['n']}", f"{c['mean']:+.2f}")]
        best = share(own.idxmax(axis=1) == "pg-dt-pairwise")
        rows.append([f"{own.index.unique(0).size} {sets.split()[-1]}", best, *parts])
    heads = [f"{what} {NAMES[name]}" for name in ("gini", "entropy") for what in ("Better than", "Mean points above")]
    return [["Data sets", "Pairwise gain best", *heads], *rows]


def orientation():
    """Forests with either order of the two rates, on the sets of each group that have run with both."""
    orders = {"the larger class": BY_SIZE, "the class with the larger label": BY_LABEL}
    found = pd.concat({name: _of_criteria("pg", "pg-rf-{}", noise) for name, noise in orders.items()}, axis=1).dropna()
    rows = []
    groups = {name: {*each} - {"a9a"} for name, each in SETS.items()} | {"one: a9a, the other order at lite": {"a9a"}}
    for (sets, datasets), (name, both) in ((one, each) for one in groups.items() for each in found.items()):
        own = both[both.index.isin(datasets, level=0)]
        label, error = f"{len(own.index.unique(0))} {sets.split(' ', 1)[-1]}", (own - _numbers(own.index)).abs()
        rows.append([label, name, f"{error.mean():.2f}", *(f"{value:+.2f}" for value in _bias(own)), _lead(own)[0]])
    heads = ["Data sets", "Flips at the larger rate", "Mean absolute difference (points)", *NAMES.values()]
    return [[*heads, "Pairwise gain best"], *rows]


#: Models of noise that stand for the paper's two rates, and the beginnings of their noises' ids.
BY_LABEL, BY_SIZE = "class-conditional", "class-conditional-by-size"
SIZES = (2, 10, 40, 80, 150, 500)


def _of_criteria(study, method, noise=BY_SIZE):
    """Accuracy in percent of a method, with {} for the criterion, by data set, rates and criterion."""
    own = pd.concat(scales(study).values()).query("metric == 'accuracy'")  # at full scale where there is one
    ids = {f"{noise}-{rate.replace('/', '-')}": rate for rate in RATES}, {method.format(name): name for name in NAMES}
    own = own.assign(rate=own["noise_id"].map(ids[0]), method=own["method"].map(ids[1]))
    return 100 * own.groupby(["dataset", "rate", "method"])["mean"].first()  # others are NaN, and in no group


def _numbers(index):
    """The published values of cells, in percent."""
    return 100 * published("pg").set_index(["dataset", "rate", "method"])["mean"][index]


def _oracle(prefix):
    """Accuracy with the `min_samples_split` of highest test accuracy in each cell."""
    sizes = [_of_criteria("pg-variants", f"pg-rf-{prefix}k{k}-{{}}") for k in SIZES]
    return pd.concat(sizes, axis=1).dropna().max(axis=1)


def _mixed(ours, rivals):
    """Pairwise gain of one protocol, its rivals of another."""
    parts = (ours, ["gini", "entropy"]), (rivals, ["pairwise"])
    return pd.concat(own.drop(others, level=2, errors="ignore") for own, others in parts).sort_index()


def hypotheses():
    """How the published lead may have come about; what refutes a hypothesis was written before it was run."""
    bagged, whole = _of_criteria("pg", "pg-rf-{}"), _of_criteria("pg", "pg-rf-{}-whole")
    found = {
        "bootstrap, means, inner CV (our protocol)": bagged,
        "no bootstrap, means, inner CV": whole,
        "bootstrap, means, oracle": _oracle(""),
        "bootstrap, votes, oracle": _oracle("votes-"),
        "no bootstrap, means, oracle": _oracle("whole-"),
        "no bootstrap, votes, oracle": _oracle("votes-whole-"),
        "pairwise gain: bootstrap, votes, oracle; rivals: our protocol": _mixed(_oracle("votes-"), bagged),
        "pairwise gain: votes, oracle; rivals: inner CV; no bootstrap": _mixed(_oracle("votes-whole-"), whole),
    }
    sizes = pd.concat({name: own.groupby(level=0).size() for name, own in found.items()}, axis=1)
    shared = sizes.index[(sizes == len(RATES) * len(NAMES)).all(axis=1)]
    medium = [name for name in (*JUDGES, *LATER) if name in shared]
    rows = []
    for name, own in found.items():
        small, first, more = (own[own.index.isin(sets, level=0)] for sets in (SETS["nine small"], JUDGES, medium))
        biases = [" / ".join(f"{value:+.1f}" for value in _bias(part)) for part in (small, more)]
        is_refuted = _bias(first).abs().max() > 1 or _same_best(first).mean() < 2 / 3
        verdict = "refuted" if is_refuted else "not refuted"
        rows.append([name, biases[0], share(_same_best(small)), biases[1], share(_same_best(more)), verdict])
    heads = [
        f"{each}: {what}" for each in ("Nine small sets", ", ".join(medium)) for what in ("differences", "same best")
    ]
    return [["Hypothesis", *heads, f"Verdict of {' and '.join(JUDGES)}"], *rows]


def _bias(own):
    """Mean difference to the published values of each criterion."""
    return (own - _numbers(own.index)).groupby(level=2).mean()[list(NAMES)]


def _same_best(own):
    ours, theirs = (values.unstack()[list(NAMES)].to_numpy() for values in (own, _numbers(own.index)))
    return ours.argmax(axis=1) == theirs.argmax(axis=1)


#: Change -> study and method id, with {} for the criterion.
VARIANTS = {"none: the protocol above": ("pg", "pg-rf-{}"), "no bootstrap": ("pg", "pg-rf-{}-whole")}
VARIANTS |= {f"`min_samples_split` {k}": ("pg-variants", f"pg-rf-k{k}-{{}}") for k in SIZES}
VARIANTS |= {f"`min_samples_split` {k}, votes": ("pg-variants", f"pg-rf-votes-k{k}-{{}}") for k in SIZES}


def variants():
    """Distance to the published values, and lead of pairwise gain over the mean of the others, on the small sets."""
    rows, bagged = [], _of_criteria("pg", "pg-rf-{}")
    bagged = bagged[bagged.index.isin(SETS["nine small"], level=0)]
    for name, (study, method) in VARIANTS.items():
        own = _of_criteria(study, method).reindex(bagged.index)
        if not own.isna().any():
            rows.append([name, f"{(own - _numbers(own.index)).abs().mean():.2f}", *_lead(own)])
    heads = ["Change", "Mean absolute difference (points)", "Pairwise gain best"]
    heads += ["Its lead over the mean of its rivals (points)"]
    return [heads, ["published", "", *_lead(_numbers(bagged.index))], *rows]


def _lead(values):
    found = values.unstack()
    lead = found["pairwise"] - found[["gini", "entropy"]].mean(axis=1)
    return share(found.idxmax(axis=1) == "pairwise"), f"{lead.mean():+.2f}"


def claims():
    """Claims of the text that the reference results have cells for: published counts, also of our cells, and ours."""
    found = pd.concat([results("pg"), results("pg-claims")]).drop_duplicates(["dataset", "noise", "rate", "method"])
    found = found[found["dataset"].isin([*SETS["nine small"], *SETS["medium"], "skin-non"])]
    model = found["method"].str.extract(r"^pg-(dt|rf)-(pairwise|gini|entropy)$")
    own = found.assign(model=model[0].str.upper(), method=model[1], depth=float("nan"), seconds=float("nan"))
    own = own.assign(n_leaves=own["n_leaves"].astype("float64")).dropna(subset="model")
    lines = pg_claims.judged(own, published("pg"))
    return [list(lines), *lines[lines["Ours"] != ABSENT].to_numpy().tolist()]


TABLES = {
    "pg-forests": forests,
    "pg-trees": trees,
    "pg-orientation": orientation,
    "pg-hypotheses": hypotheses,
    "pg-variants": variants,
    "pg-claims": claims,
}
