"""Statements of docs/reproduction-pg.md."""

import pandas as pd
from docs.reference import agreement, compared, counts, results, side_by_side, table, wide

CRITERIA = {"pg-rf-pairwise": "Pairwise gain", "pg-rf-gini": "Gini impurity", "pg-rf-entropy": "Information gain"}
HEADS = ["Data set", "Rates", *CRITERIA.values()]
SMALL = ["heart", "breast", "australian", "diabetes", "vehicle", "fourclass", "german"]


def _named(study):
    found = compared(study)
    return found.assign(dataset=found["dataset"].str.removesuffix("-libsvm"))


def small_sets():
    return agreement(compared("pg-laptop"))


def small_sets_by_cell():
    lines = _named("pg-laptop")
    return side_by_side(lines, ["dataset", "rate"], ("method", list(CRITERIA)), HEADS)


def not_rejected():
    lines = compared("pg-laptop")
    rivals = lines[lines["method"] != "pg-rf-pairwise"]
    pairwise = lines[lines["method"] == "pg-rf-pairwise"]
    text = [f"{int((part['verdict'] == 'not rejected').sum())} of {len(part)} cells" for part in (rivals, pairwise)]
    known = int(lines["equivalent"].eq(True).sum())
    return (
        f"Equality is not rejected in {text[0]} of Gini impurity and information gain and in {text[1]} of pairwise "
        "gain. "
        f"Equivalence within one point is shown for {known} of {len(lines)}"
    )


def lead():
    lines = compared("pg-laptop")
    best = [_best(lines, side)["pg-rf-pairwise"] for side in ("published_mean", "mean")]
    return f"Pairwise gain is the best of the three in {best[0]} published settings of 14 and in {best[1]} of ours"


def _best(lines, side):
    return lines.pivot(index=["dataset", "rate"], columns="method", values=side).idxmax(axis=1).value_counts()


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


def orientation():
    lines = _oriented()
    rows = []
    for (dataset, rate), part in lines.groupby(["dataset", "rate"], sort=False):
        by = part.set_index("method")
        row = [dataset, rate]
        for method in CRITERIA:
            cell = by.loc[method]
            row.append(f"{cell['published_mean']:.2f} / {cell['given']:.2f} / {cell['exchanged']:.2f}")
        rows.append(row)
    return table(HEADS, rows, texts=2)


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


def all_sets():
    return agreement(compared("pg"))


def larger_sets():
    lines = _named("pg")
    return side_by_side(lines[~lines["dataset"].isin(SMALL)], ["dataset", "rate"], ("method", list(CRITERIA)), HEADS)


def trees():
    found = wide("pg-laptop").filter(like="pg-dt").dropna()
    best = int((found.idxmax(axis=1) == "pg-dt-pairwise").sum())
    gini, entropy = (counts(found["pg-dt-pairwise"], found[f"pg-dt-{name}"]) for name in ("gini", "entropy"))
    return (
        f"Pairwise gain has the highest mean accuracy in {best} of {len(found)} settings; it is better than Gini "
        f"impurity in {gini['better']} of {gini['n']} (by {gini['mean']:.2f} points on average) and than information "
        f"gain in {entropy['better']} of {entropy['n']} (by {entropy['mean']:.2f})"
    )


STATEMENTS = [small_sets, small_sets_by_cell, not_rejected, lead, orientation, orientation_rule, orientation_lead]
STATEMENTS += [whole_samples, all_sets, larger_sets, trees]
