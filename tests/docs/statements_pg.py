"""Statements of docs/reproduction-pg.md."""

import pandas as pd
from docs.reference import FOLDER, ROOT, class_counts, compared, counts, results, side_by_side, table, wide

from ironbark.pipeline.analysis.published import comparison
from ironbark.pipeline.analysis.published.papers import claim, pg, pg_claims

CRITERIA = {"pg-rf-pairwise": "Pairwise gain", "pg-rf-gini": "Gini impurity", "pg-rf-entropy": "Information gain"}
STUDIES = {"seven small": "pg-laptop", "six medium": "pg-medium", "three larger": "pg-large"}
STUDIES |= {"two with other rows": "pg-stand-ins"}
HEADS = ["Data set", "Rates", *CRITERIA.values()]


def _named(study):
    found = compared(study)
    return found.assign(dataset=found["dataset"].str.removesuffix("-libsvm"))


def by_cell(study):
    return side_by_side(_named(study), ["dataset", "rate"], ("method", list(CRITERIA)), HEADS)


def forests():
    """One line for each group of data sets: which criterion is best, and how near the published values are."""
    rows = []
    for sets, study in STUDIES.items():
        lines = compared(study)
        best = [_best(lines, side) == "pg-rf-pairwise" for side in ("published_mean", "mean")]
        judged = lines[lines["verdict"] != comparison.NOT_COMPARABLE]
        parts = [judged["method"] == "pg-rf-pairwise", judged["method"] != "pg-rf-pairwise"]
        counts = [_share(hits) for hits in best]
        counts += [_share(judged.loc[part, "verdict"] == comparison.NOT_REJECTED) for part in parts]
        means = lines.groupby("method")["difference"].mean()
        known = _share(judged["equivalent"].eq(True))
        rows.append([sets, *counts, known, *(f"{means[method]:+.2f}" for method in CRITERIA)])
    heads = ["Data sets", "Pairwise gain best, published", "Ours", "Not rejected, pairwise gain", "The rivals"]
    heads += ["Equivalent within ±1 point", *(f"Mean difference, {name}" for name in CRITERIA.values())]
    return table(heads, rows)


def not_run():
    cells = pg.accuracy(ROOT / "data/published/pg_accuracy.csv")
    sets = set(cells["dataset"])
    left = sets - {name for study in STUDIES.values() for name in results(study)["dataset"]}
    lacking = left & set(pd.read_csv(ROOT / "data/unavailable.csv")["dataset"])
    return f"{len(left)} of the {len(sets)} sets have not run here; for {len(lacking)} of them the mirror has no data"


def _share(hits):
    return f"{int(hits.sum())} of {len(hits)}" if len(hits) else "–"


def _best(lines, side):
    return lines.pivot(index=["dataset", "rate"], columns="method", values=side).idxmax(axis=1)


def _oriented():
    """Absolute difference to the published value with the rates as given and exchanged, for each cell."""
    own = results("pg-orientation").set_index(["dataset", "method", "rate"])["mean"] * 100
    lines = compared("pg-laptop")
    swapped = lines["rate"].str.split("/").str[::-1].str.join("/")
    given, other = (
        pd.Series(
            [own[c.dataset, c.method, rate] for c, rate in zip(lines.itertuples(), rates, strict=True)], lines.index
        )
        for rates in (lines["rate"], swapped)
    )
    return lines.assign(given=given, exchanged=other, dataset=lines["dataset"].str.removesuffix("-libsvm"))


def orientation_rule():
    lines = _oriented()
    lines = lines.assign(
        as_given=(lines["given"] - lines["published_mean"]).abs(),
        as_exchanged=(lines["exchanged"] - lines["published_mean"]).abs(),
    )
    closer = lines.groupby("dataset", sort=False)[["as_given", "as_exchanged"]].mean()
    swapped = [name for name in closer.index if closer.loc[name, "as_exchanged"] < closer.loc[name, "as_given"]]
    means = lines[["as_given", "as_exchanged"]].mean()
    return (
        f"Exchanging the rates of all {len(closer)} sets changes the mean absolute difference from "
        f"{means['as_given']:.2f} to {means['as_exchanged']:.2f} points; it brings {', '.join(swapped)} closer to the "
        f"published values and the other {len(closer) - len(swapped)} sets further away"
    )


def orientation_lead():
    lines = _oriented()
    best = lines.pivot(index=["dataset", "rate"], columns="method", values="exchanged").idxmax(axis=1)
    count = int((best == "pg-rf-pairwise").sum())
    return f"Pairwise gain is the best of the three in {count} of {len(best)} settings with the rates exchanged"


def _larger_label_is_larger(dataset):
    """Whether most samples have the larger of two labels or, of more labels, one of the larger half."""
    counts = sorted((int(label), n) for label, n in class_counts(dataset).items())
    half = len(counts) // 2
    return sum(n for _, n in counts[half:]) > sum(n for _, n in counts[:half])


def by_size():
    lines = _oriented()
    kept = sorted(name for name in set(compared("pg-laptop")["dataset"]) if _larger_label_is_larger(name))
    as_given = compared("pg-laptop")["dataset"].isin(kept)
    lines = lines.assign(by_size=lines["given"].where(as_given, lines["exchanged"]))
    distance = (lines["by_size"] - lines["published_mean"]).abs()
    best = lines.pivot(index=["dataset", "rate"], columns="method", values="by_size").idxmax(axis=1)
    closer = (
        distance.groupby(lines["dataset"]).mean()
        <= (lines["given"] - lines["published_mean"]).abs().groupby(lines["dataset"]).mean()
    )
    return (
        f"If the larger class of each set flips at the larger rate, which exchanges the rates of all sets but "
        f"{', '.join(name.removesuffix('-libsvm') for name in kept)}, the mean absolute difference is "
        f"{distance.mean():.2f} points; "
        f"{' and '.join(closer.index[~closer])} are further away. Pairwise gain is then the best of the three in "
        f"{int((best == 'pg-rf-pairwise').sum())} of {len(best)} settings"
    )


def whole_samples():
    change = wide("pg").filter(like="pg-rf")
    change = change[
        change.index.get_level_values("noise_id").isin(("class-conditional-0.1-0.3", "class-conditional-0.2-0.4"))
    ]
    parts = {}
    for method in CRITERIA:
        difference = (change[f"{method}-whole"] - change[method]).groupby("dataset").mean()
        parts[method] = (
            f"{difference.min():+.1f} ({difference.idxmin()}) to {difference.max():+.1f} ({difference.idxmax()})"
        )
    return "; ".join(f"{CRITERIA[method].lower()} {text}" for method, text in parts.items())


def trees():
    found = wide("pg-laptop").filter(like="pg-dt").dropna()
    best = int((found.idxmax(axis=1) == "pg-dt-pairwise").sum())
    gini, entropy = (counts(found["pg-dt-pairwise"], found[f"pg-dt-{name}"]) for name in ("gini", "entropy"))
    return (
        f"Pairwise gain has the highest mean accuracy in {best} of {len(found)} settings; it is better than Gini "
        f"impurity in {gini['better']} of {gini['n']} (by {gini['mean']:.2f} points on average) and than information "
        f"gain in {entropy['better']} of {entropy['n']} (by {entropy['mean']:.2f})"
    )


#: Variant of study pg-variants -> method id, with {} for the criterion, and the beginning of its noises' ids.
BY_LABEL, BY_SIZE = "class-conditional", "class-conditional-by-size"
VARIANTS = {
    "none: the protocol above": ("pg-rf-{}", BY_LABEL),
    "the larger class flips at the larger rate": ("pg-rf-{}", BY_SIZE),
    "trees vote": ("pg-rf-votes-{}", BY_LABEL),
    "distinct samples count": ("pg-rf-distinct-{}", BY_LABEL),
}
VARIANTS |= {f"`min_samples_split` {k}": (f"pg-rf-k{k}-{{}}", BY_LABEL) for k in (2, 10, 40, 80, 150, 500)}
RATES = ("0.1/0.3", "0.2/0.4")
NAMES = {"pairwise": "Pairwise gain", "gini": "Gini impurity", "entropy": "Information gain"}


def _published():
    found = pg.accuracy(ROOT / "data/published/pg_accuracy.csv")
    return 100 * found.set_index(["dataset", "rate", "method"])["mean"]


def _variant(method, prefix):
    """Accuracy in percent of a variant, by data set, rates and criterion."""
    own = results("pg-variants").set_index(["noise_id", "method", "dataset"])["mean"]
    cells = {
        (dataset, rate, name): 100 * own[f"{prefix}-{rate.replace('/', '-')}", method.format(name), dataset]
        for dataset in sorted(set(results("pg-variants")["dataset"]))
        for rate in RATES
        for name in NAMES
    }
    return pd.Series(cells)


def variants_scale():
    found = results("pg-variants")
    fits, names = int(found["n"].sum()), [name.removesuffix("-libsvm") for name in sorted(set(found["dataset"]))]
    each = ", ".join(map(str, sorted(set(found["n"]))))
    return f"Scale {found['scale'].iloc[0]}, {each} fits per cell, {fits:,} fits on {', '.join(names)}."


def variants():
    """Distance to the published values, and the lead of pairwise gain, over the data sets that have been run."""
    published, rows = _published(), []
    for name, about in VARIANTS.items():
        own = _variant(*about)
        rows.append([name, f"{(own - published[own.index]).abs().mean():.2f}", *_leads(own)])
    ran = published[_variant(*VARIANTS["trees vote"]).index]
    heads = ["Change", "Mean absolute difference (points)", "Pairwise gain best", "Its mean lead (points)"]
    return table(heads, [["published", "", *_leads(ran)], *rows])


def variants_verdict():
    """The variant nearest to the published values, and the one with the largest lead of pairwise gain."""
    published, found = _published(), {}
    for name, about in VARIANTS.items():
        own = _variant(*about)
        wide = own.unstack()
        lead = (wide["pairwise"] - wide[["gini", "entropy"]].mean(axis=1)).mean()
        found[name] = (own - published[own.index]).abs().mean(), lead
    nearest, ahead = min(found, key=lambda name: found[name][0]), max(found, key=lambda name: found[name][1])
    return (
        f"Nearest to the published values is '{nearest}' ({found[nearest][0]:.2f} points); the largest lead of "
        f"pairwise gain has '{ahead}' ({found[ahead][1]:+.2f} points)"
    )


def _leads(values):
    """In how many settings pairwise gain is the best, and its lead over the mean of the others."""
    found = values.unstack()
    lead = found["pairwise"] - found[["gini", "entropy"]].mean(axis=1)
    best = int((found.idxmax(axis=1) == "pairwise").sum())
    return f"{best} of {len(found)}", f"{lead.mean():+.2f}"


def _cells(study):
    """Cells of a study as the claims count them; depths and times are not in the reference results."""
    found = results(study)
    model = found["method"].str.extract(r"^pg-(dt|rf)-(pairwise|gini|entropy)$")
    found = found.assign(model=model[0].str.upper(), method=model[1], depth=float("nan"), seconds=float("nan"))
    return found.assign(n_leaves=found["n_leaves"].astype("float64")).dropna(subset="model")


def claims():
    """Claims of the text that the reference results have cells for: published counts, and ours."""
    published = pg_claims.check(pg_claims.printed(pg.accuracy(ROOT / "data/published/pg_accuracy.csv")))
    lines = zip(pg_claims.CLAIMS, published, pg_claims.check(_cells("pg-claims")), strict=True)
    rows = [
        [name, claim.text(theirs), claim.text(ours), claim.verdict(ours, "")]
        for (name, *_), theirs, ours in lines
        if ours
    ]
    return table(["Claim", "Published", "Ours", "Verdict"], rows)


def _by_cell_of(study):
    def stated():
        return by_cell(study)

    stated.__name__ = f"by cell of {study}"
    return stated


STATEMENTS = [orientation_rule, orientation_lead, by_size, whole_samples, trees, claims, forests, not_run]
STATEMENTS += [_by_cell_of(study) for study in STUDIES.values()]
if (FOLDER / "pg-variants.csv").exists():
    STATEMENTS += [variants_scale, variants, variants_verdict]
