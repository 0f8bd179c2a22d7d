"""Tables of docs/reproduction-rmb.md."""

from docs.reference import compared, measured, plan, published, results, share

from ironbark.pipeline.published import comparison
from ironbark.pipeline.published.readers import RISK

METHODS = ["RobustBoost", "AdaBoost", "LPBoost", "LogitBoost", "GentleBoost", "BrownBoost"]
METHODS += ["Robust-GBDT", "XGB-Quad", "RMBoost"]
METHODS = {name.lower(): name for name in METHODS}
NOISES = {("clean", "0"): "clean", ("uniform", "0.1"): "uniform 0.1", ("uniform", "0.2"): "uniform 0.2"}
NOISES |= {("adversarial", "0.1"): "adversarial 0.1", ("adversarial", "0.2"): "adversarial 0.2"}
CELL = ["noise", "rate", "dataset"]


def _errors(study):
    """Errors in percent: rows noise and data set, columns methods."""
    return 100 * results(study).pivot(index=CELL, columns="method", values="error")


def _published(metric="error"):
    """Published errors in percent by noise, data set and method, or minimax risks."""
    cells = published("rmb")
    cells = cells[cells["method"].eq(RISK) if metric == "risk" else cells["method"].ne(RISK)]
    names = {label: own for own, label in METHODS.items()} | {RISK: "risk"}
    return 100 * cells.assign(method=cells["method"].map(names)).pivot(index=CELL, columns="method", values="mean")


def _signed(values):
    return [f"{round(value, 1) + 0:+.1f}" for value in values]  # no -0.0


def _by_noise(frame):
    """Means over the data sets, a column for each noise."""
    return frame.groupby(["noise", "rate"]).mean().loc[list(NOISES)].T.set_axis(list(NOISES.values()), axis=1)


def methods(study):
    """Agreement and mean difference to the published errors, for each method."""
    lines, rows = compared(study), []
    for method, label in [*METHODS.items(), ("risk", "Minimax risk of RMBoost")]:
        is_risk = lines["metric"] == "minimax_risk"
        part = lines[is_risk] if method == "risk" else lines[~is_risk & (lines["method"] == method)]
        distance = part["difference"].abs().mean()
        kept = share(part["verdict"] == comparison.NOT_REJECTED)
        by_noise = _by_noise(part.set_index(CELL)[["difference"]]).loc["difference"]
        rows.append([label, kept, f"{distance:.1f}", *_signed([part["difference"].mean(), *by_noise])])
    heads = ["Difference (points)", "Not rejected", "Mean absolute", "Mean", *NOISES.values()]
    return [heads, *rows]


def robustness():
    """Mean errors of RMBoost, its lead over AdaBoost, and in how many settings its mean error is smaller."""
    sides = {"published": _published(), "ours": _errors("rmb")}
    rows = []
    for name, side in sides.items():
        found = side.loc[side.index.isin(sides["ours"].index)]
        for rival in ("adaboost", "logitboost", "gentleboost"):
            lead = found[rival] - found["rmboost"]
            noisy = lead[lead.index.get_level_values("noise") != "clean"]
            clean = lead.xs("clean", level="noise")
            cells = [share(noisy.round(9) > 0), share(clean.round(9) > 0), *_signed(_by_noise(lead.to_frame()).iloc[0])]
            rows.append([f"{METHODS[rival]}, {name}", *cells])
    return [["Rival minus RMBoost", "RMBoost better, noisy", "Clean", *(f"Lead, {n}" for n in NOISES.values())], *rows]


def one_class():
    """Ours minus published under adversarial noise in both classes or in one, and the mean absolute difference."""
    rows, shared = [], _with_risk("rmb-adversarial").index
    numbers = _published().join(_published("risk"))
    for method, label in [*METHODS.items(), ("risk", "Minimax risk of RMBoost")]:
        row = [label]
        for rate in ("0.1", "0.2"):
            theirs = numbers.loc[("adversarial", rate), method]
            for study in ("rmb", "rmb-adversarial"):
                apart = (_with_risk(study).reindex(shared).loc[("adversarial", rate), method] - theirs).dropna()
                row.append(f"{apart.mean():+.1f} ({apart.abs().mean():.1f})")
        rows.append(row)
    heads = [f"{name}, {rate}" for rate in ("0.1", "0.2") for name in ("both classes", "one class")]
    return [["Adversarial noise", *heads], *rows]


def _with_risk(study):
    risk = measured(study).query("metric == 'minimax_risk' and method == 'rmboost'").set_index(CELL)["mean"]
    return _errors(study).assign(risk=100 * risk)


SWITCHES = {
    "RMBoost, 50 rounds instead of 100": ("rmboost-50", "rmboost"),
    "RMBoost, 200 rounds instead of 100": ("rmboost-200", "rmboost"),
    "RMBoost, vertex instead of central solutions": ("rmboost-vertex", "rmboost"),
    "RMBoost, vertex, 200 rounds instead of 100": ("rmboost-vertex-200", "rmboost-vertex"),
    "RMBoost, vertex, symmetric duals": ("rmboost-symmetric", "rmboost-vertex"),
    "RMBoost, weighted trees instead of bootstrap": ("rmboost-weighted", "rmboost"),
    "LPBoost, soft instead of hard margin": ("lpboost-soft", "lpboost"),
    "BrownBoost, c = 1.353 instead of 10": ("brownboost-c1.353", "brownboost"),
    "Robust-GBDT, tuned": ("robust-gbdt-tuned", "robust-gbdt"),
    "Tuned Robust-GBDT minus RMBoost": ("robust-gbdt-tuned", "rmboost"),
}
SWITCHES |= {f"{METHODS[name]}, each sample scaled": (f"{name}-zscore", name) for name in ("adaboost", "rmboost")}


def scaled():
    """Rivals that the authors ran in Python, ours minus published: without noise, and the mean distance of all."""
    names, rows = plan().study("rmb", "full").dataset_labels, []
    ours, theirs = _errors("rmb"), _published()
    for own in ("robust-gbdt", "xgb-quad", "xgb-quad-slow", "brownboost"):
        name, slow = own.removesuffix("-slow"), ", learning rate 0.01" * own.endswith("-slow")
        for end, way in {"": "", "-zscore": ", samples scaled"}.items():
            if own + end in ours:
                apart = (ours[own + end] - theirs[name]).dropna()
                clean, noisy = apart.loc[("clean", "0")], apart.drop("clean")
                distances = [f"{values.abs().mean():.1f}" for values in (clean, noisy)]
                rows.append([METHODS[name] + slow + way, *_signed(clean[list(names)]), *distances])
    heads = [*(f"{label}, clean" for label in names.values()), "Mean absolute, clean", "With noise"]
    return [["Ours minus published", *heads], *rows]


def variants():
    found = _by_noise(_errors("rmb-variants"))
    rows = [[label, *_signed(found.loc[a] - found.loc[b])] for label, (a, b) in SWITCHES.items()]
    return [["Change of the error (points)", *NOISES.values()], *rows]


TABLES = {
    "rmb-robustness": robustness,
    "rmb-methods": lambda: methods("rmb"),
    "rmb-covertype": lambda: methods("rmb-large"),
    "rmb-one-class": one_class,
    "rmb-scaled": scaled,
    "rmb-variants": variants,
}
