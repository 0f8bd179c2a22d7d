"""Tables of docs/reproduction-pg.md."""

import pandas as pd
from docs.reference import compared, counts, published, results, share, wide

from ironbark.pipeline.published import comparison
from ironbark.pipeline.tables import claims as pg_claims

NAMES = {"pairwise": "Pairwise gain", "gini": "Gini impurity", "entropy": "Information gain"}
CRITERIA = {f"pg-rf-{name}": label for name, label in NAMES.items()}
#: Groups of data sets of Table III, each with its own correction for the number of its cells.
SETS = {
    "seven small": ("heart", "breast", "australian", "diabetes-libsvm", "vehicle", "fourclass", "german-libsvm"),
    "six medium": ("segment", "splice", "dna", "satimage", "mushrooms", "usps"),
    "three larger": ("phishing", "letter", "shuttle"),
    "two with other rows": ("poker", "cod-rna"),
}
RATES = ("0.1/0.3", "0.2/0.4")


def forests():
    """One line for each group of data sets: which criterion is best, and how near the published values are."""
    rows = []
    for sets, datasets in SETS.items():
        lines = compared("pg", datasets)
        best = [_best(lines, side) == "pg-rf-pairwise" for side in ("published_mean", "mean")]
        judged = lines[lines["verdict"] != comparison.NOT_COMPARABLE]
        is_ours = judged["method"] == "pg-rf-pairwise"
        kept = [judged.loc[part, "verdict"] == comparison.NOT_REJECTED for part in (is_ours, ~is_ours)]
        means = lines.groupby("method")["difference"].mean()
        rows.append([sets, *map(share, [*best, *kept]), *(f"{means[method]:+.2f}" for method in CRITERIA)])
    heads = ["Data sets", "Pairwise gain best, published", "Ours", "Not rejected, pairwise gain", "The rivals"]
    return [[*heads, *(f"Mean difference, {name}" for name in NAMES.values())], *rows]


def _best(lines, side):
    return lines.pivot(index=["dataset", "rate"], columns="method", values=side).idxmax(axis=1)


def trees():
    """Single trees of the pairwise gain against each rival."""
    found, rows = wide("pg").filter(like="pg-dt").dropna(), []
    for name in ("gini", "entropy"):
        c = counts(found["pg-dt-pairwise"], found[f"pg-dt-{name}"])
        rows.append([f"better than {NAMES[name]}", f"{c['better']} of {c['n']}", f"{c['mean']:+.2f}"])
    best = share(found.idxmax(axis=1) == "pg-dt-pairwise")
    return [["Single trees of the pairwise gain", "Settings", "Mean difference (points)"], ["best", best, ""], *rows]


def orientation():
    """What an exchange of the two rates changes, at scale lite."""
    own = results("pg-orientation").set_index(["dataset", "method", "rate"])["mean"] * 100
    lines, rows = compared("pg", SETS["seven small"]), []
    for name, way in {"as in our protocol": 1, "exchanged": -1}.items():
        rates = lines["rate"].str.split("/").str[::way].str.join("/")
        found = own.loc[list(zip(lines["dataset"], lines["method"], rates, strict=True))].to_numpy()
        best = _best(lines.assign(found=found), "found") == "pg-rf-pairwise"
        rows.append([name, f"{(found - lines['published_mean']).abs().mean():.2f}", share(best)])
    return [["Order of the rates", "Mean absolute difference (points)", "Pairwise gain best"], *rows]


#: Change -> method id, with {} for the criterion, and the beginning of its noises' ids.
BY_LABEL, BY_SIZE = "class-conditional", "class-conditional-by-size"
VARIANTS = {
    "none: the protocol above": ("pg-rf-{}", BY_LABEL),
    "the larger class flips at the larger rate": ("pg-rf-{}", BY_SIZE),
    "trees vote": ("pg-rf-votes-{}", BY_LABEL),
    "distinct samples count": ("pg-rf-distinct-{}", BY_LABEL),
}
VARIANTS |= {f"`min_samples_split` {k}": (f"pg-rf-k{k}-{{}}", BY_LABEL) for k in (2, 10, 40, 80, 150, 500)}


def _variant(method, prefix):
    """Accuracy in percent of a variant, by data set, rates and criterion."""
    own = 100 * results("pg-variants").set_index(["noise_id", "method", "dataset"])["mean"].sort_index()
    cells = {
        (rate, name): own[f"{prefix}-{rate.replace('/', '-')}", method.format(name)] for rate in RATES for name in NAMES
    }
    return pd.concat(cells).reorder_levels([2, 0, 1]).sort_index()


def variants():
    """Distance to the published values, and the lead of pairwise gain over the mean of the others."""
    numbers, rows = 100 * published("pg").set_index(["dataset", "rate", "method"])["mean"], []
    for name, (method, prefix) in VARIANTS.items():
        own = _variant(method, prefix)
        rows.append([name, f"{(own - numbers[own.index]).abs().mean():.2f}", *_lead(own)])
    heads = ["Change", "Mean absolute difference (points)", "Pairwise gain best", "Its mean lead (points)"]
    return [heads, ["published", "", *_lead(numbers[own.index])], *rows]


def _lead(values):
    found = values.unstack()
    lead = found["pairwise"] - found[["gini", "entropy"]].mean(axis=1)
    return share(found.idxmax(axis=1) == "pairwise"), f"{lead.mean():+.2f}"


def claims():
    """Claims of the text that the reference results have cells for: published counts, and ours."""
    found = results("pg-claims")
    model = found["method"].str.extract(r"^pg-(dt|rf)-(pairwise|gini|entropy)$")
    own = found.assign(model=model[0].str.upper(), method=model[1], depth=float("nan"), seconds=float("nan"))
    own = own.assign(n_leaves=own["n_leaves"].astype("float64")).dropna(subset="model")
    theirs = pg_claims.check(published("pg").reindex(columns=pg_claims.COLUMNS))
    lines = zip(pg_claims.CLAIMS, theirs, pg_claims.check(own), strict=True)
    rows = [[name, "–" if a is None else str(a), str(b), pg_claims.verdict(b)] for (name, *_), a, b in lines if b]
    return [["Claim", "Published", "Ours", "Verdict"], *rows]


TABLES = {
    "pg-forests": forests,
    "pg-trees": trees,
    "pg-orientation": orientation,
    "pg-variants": variants,
    "pg-claims": claims,
}
