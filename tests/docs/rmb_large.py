"""Statements of docs/reproduction-rmb.md on Table 5, the large data sets."""

from docs.reference import compared, results, side_by_side

from ironbark.pipeline.analysis.published import comparison, comparison_page

NINE = {"robustboost": "RobustBoost", "adaboost": "AdaBoost", "lpboost": "LPBoost", "logitboost": "LogitBoost"}
NINE |= {"gentleboost": "GentleBoost", "brownboost": "BrownBoost", "robust-gbdt": "Robust-GBDT", "xgb-quad": "XGB-Quad"}
NINE |= {"rmboost": "RMBoost"}
NOISES = {("clean", "0"): "clean", ("uniform", "0.1"): "uniform 0.1", ("uniform", "0.2"): "uniform 0.2"}
NOISES |= {("adversarial", "0.1"): "adversarial 0.1", ("adversarial", "0.2"): "adversarial 0.2"}
RISK = "Minimax risk of RMBoost"


def _cells():
    lines = compared("rmb-large")
    noise = [NOISES[pair] for pair in zip(lines["noise"], lines["rate"], strict=True)]
    named = lines["method"].map(NINE).where(lines["metric"] == "error", RISK)
    return lines.assign(setting=noise, named=named)


def together():
    return comparison_page.agreement(compared("rmb-large").query("metric == 'error'"))


def by_cell():
    return side_by_side(
        _cells(), ["named"], ("setting", list(NOISES.values())), ["Error or risk", *NOISES.values()], digits=1
    )


def not_rejected():
    """By method: how many cells are not rejected, and the mean difference."""
    found, parts = _cells(), []
    for name in [*NINE.values(), RISK]:
        part = found[found["named"] == name]
        kept = int((part["verdict"] == comparison.NOT_REJECTED).sum())
        parts.append(f"{name} {kept} of {len(part)} ({part['difference'].mean():+.1f})")
    return "Cells not rejected, and the mean difference in points: " + ", ".join(parts)


def lowest():
    """The range of the errors without noise, and the best method at each noise."""
    found = results("rmb-large").assign(error=lambda frame: 100 * frame["error"])
    wide = found.pivot(index="noise_id", columns="method", values="error")[list(NINE)]
    clean, best = wide.loc["clean"], wide.idxmin(axis=1).map(NINE)
    listed = ", ".join(f"{best[name.replace(' ', '-')]} ({name})" for name in NOISES.values())
    span = f"Mean errors without noise lie between {clean.min():.1f} and {clean.max():.1f} %"
    return f"{span}, RMBoost's is {clean['rmboost']:.1f} %. The lowest mean error has {listed}"


STATEMENTS = [together, by_cell, not_rejected, lowest]
