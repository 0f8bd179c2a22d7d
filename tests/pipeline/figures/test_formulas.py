"""Pictures of definitions: published values, closed forms and points by hand; files of figures; what they refuse."""

import math
from itertools import product

import figure_cases
import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures import losses, style
from ironbark.pipeline.figures.impurities import PARENT, PEAKED, SPLITS, risk_reduction
from ironbark.pipeline.published.comparison import COLUMNS
from ironbark.pipeline.results.records import FAILED


@pytest.mark.parametrize(("title", "printed"), [("Sqrt Gini", (0.298, 0.200)), ("Misclassification", (0.507, 0.600))])
def test_risk_reductions_are_the_printed_ones(title, printed):
    gains = [risk_reduction(PEAKED[title], PARENT, *ends)[0] for ends in SPLITS]
    assert [round(gain, 3) for gain in gains] == list(printed)
    for left, right in SPLITS:
        _, share = risk_reduction(PEAKED[title], PARENT, left, right)
        assert share * left + (1 - share) * right == pytest.approx(PARENT)


def test_losses_and_impurities():
    figure = figures.draw(None, {"kind": "losses-and-impurities"})
    left, right = figure.axes
    (loss,) = left.lines
    at = dict(zip(loss.get_xdata().round(9), loss.get_ydata(), strict=True))
    assert at[-2] == at[-1] == 1
    assert (at[0], at[1]) == (pytest.approx(math.exp(-1)), pytest.approx(math.exp(-2)))
    curves = {line.get_label(): dict(zip(line.get_xdata(), line.get_ydata(), strict=True)) for line in right.lines}
    peaks = {name: max(curve.values()) for name, curve in curves.items()}
    expected = {f"NE, $\\lambda$ = {v}": v for v in (0.2, 0.5, 0.8)} | {f"GCE, $q$ = {v}": 1 for v in (0.2, 0.5, 0.8)}
    assert peaks == pytest.approx(expected | {"CL": 1, "CE": 1}) and curves["CL"][0.25] == 0.5
    assert curves["NE, $\\lambda$ = 0.5"][0.25] == pytest.approx(math.sqrt(0.25 * 0.75))
    assert curves["NE, $\\lambda$ = 0.5"][0.125] == 0.25  # up to 0.2 it is the conservative line
    assert curves["CE"][0.25] == pytest.approx(2 - 0.75 * math.log2(3))
    q, r = 0.5, 2.0
    by_hand = (1 - (0.25**r + 0.75**r) ** (1 / r)) / (1 - (2 * 0.5**r) ** (1 / r))
    assert curves[f"GCE, $q$ = {q}"][0.25] == pytest.approx(by_hand)


def test_only_below_one_half_is_any_loss_of_the_figure_concave():
    axes = figures.draw(None, {"kind": "loss-curvature"}).axes
    drawn = {line.get_gid(): line.get_xydata() for axis in axes for line in axis.lines}
    ends = {}
    for label, (name, params) in (item for group in losses.LOSSES.values() for item in group.items()):
        p, values = drawn[label].T
        assert values == pytest.approx(losses.curvature(name, p, **params)) and (values[p > 0.5] >= 0).all()
        ends[label] = max(p[values < 0], default=None)
    assert ends["CCE"] is None and ends["SCE, $a$ = $b$ = 1"] is None
    assert ends["GCE, $q$ = 0.5"] == pytest.approx(1 / 3, abs=0.003)  # q / (1 + q)
    assert ends["$r$ = 0.5, $q$ = 0.3"] == pytest.approx(0.209, abs=0.003)
    assert ends["$r$ = 1, $q$ = 0.3"] == pytest.approx(0.186, abs=0.003)


@style.styled
def toy(caption="A toy."):
    figure = style.new_figure(3, 2)
    axis = figure.add_subplot()
    axis.plot([0, 1], [0, 1], marker="o")
    axis.set_title("x")
    return style.finish(figure, {"caption": caption}, "", "Scale lite")


def saved(figure, stem):
    style.save(figure, stem)
    return [stem.with_name(f"{stem.name}.{end}").read_bytes() for end in ("png", "svg", "pdf")]


def test_last_digits_of_the_layout_change_no_byte(laid_out, tmp_path, monkeypatch):
    """The solver of layouts gives other last digits in another process; names may have points."""

    def lay_out(figure, real=style._lay_out):
        real(figure)
        for axis in figure.axes:
            axis._set_position([value * (1 + 1e-15) for value in axis.get_position().bounds])

    first = saved(figure := toy(), tmp_path / "a.1")
    monkeypatch.setattr(style, "_lay_out", lay_out)
    assert saved(figure, tmp_path / "a") == saved(toy(), tmp_path / "b") == first


def test_files_hold_the_caption_their_fonts_and_no_date(tmp_path):
    png, svg, pdf = saved(toy(), tmp_path / "a")
    assert png.startswith(b"\x89PNG") and b"A toy. Scale lite." in png
    assert (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (600, 400), "200 dots per inch"
    assert b"A toy. Scale lite." in svg and b"<dc:date>" not in svg and b"matplotlib.org" not in svg.split(b"</meta")[0]
    assert pdf.startswith(b"%PDF") and b"/FontFile2" in pdf and b"/Type3" not in pdf and b"/CreationDate" not in pdf


def rows(methods="ab", noises=("clean", "n"), datasets=("d1", "d2"), **changes):
    about = {"n_train": 100, "accuracy": 0.8, "fit_seconds": 1.0, "tune_seconds": 0.0} | changes
    keys = product(datasets, methods, noises)
    return figure_cases.rows(about | {"dataset": d, "method": m, "noise_id": n} for d, m, n in keys)


def draw(kind, data=None, **spec):
    return figures.draw(rows() if data is None else data, {"kind": kind, "id": "f"} | spec)


def failed_at(size):
    data = pd.concat([rows(noises=["clean"]), rows(noises=["clean"], fold=1, n_train=400)], ignore_index=True)
    data.loc[(data["method"] == "a") & (data["n_train"] == size), "status"] = FAILED
    return data


UNLIKE = pd.concat([rows("a", datasets=["d1"]), rows("b", datasets=["d2"])])
CELL = {"method": "a", "dataset": "d", "task": "binary", "published_mean": 90.0, "mean": np.nan, "metric": "accuracy"}
COMPARED = pd.DataFrame([CELL], columns=COLUMNS).assign(verdict="not comparable")
PANEL = {"title": "Trees", "task": "binary", "methods": ["a"]}
PANELS = {"dataset": "d1", "noises": ["clean"], "panels": [PANEL]}
MORE = [PANEL, PANEL | {"methods": ["b", "a"]}]
SERIES = {"x": [0, 1], "series": [{"label": "A", "methods": ["a"], "noises": ["clean", "n"]}]}
NOTHING = "no result row is in figure 'f'"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: draw("pie"), "unknown kind 'pie'; choose one of noise-curves, "),
        (lambda: draw("noise-curves", datasets=["d9"]), NOTHING),
        (lambda: draw("relative-times", methods=["z"]), NOTHING),
        (lambda: draw("series", datasets=["d9"], **SERIES), NOTHING),
        (lambda: draw("accuracy-cost", UNLIKE), "needs two methods and a setting that both have finished"),
        (lambda: draw("critical-difference", methods=["a"]), "needs two methods"),
        (lambda: draw("gains", task="binary", reference="plain"), "no fit of the reference 'plain'"),
        (lambda: draw("by-dataset", rows(fit_seconds=0.0), noises=["n"], metric="fit_seconds"), "is not above zero"),
        (lambda: draw("relative-times", failed_at(100)), "a on d1, a on d2 has no finished fit of the smallest"),
        (lambda: draw("noise-panels", **PANELS | {"dataset": "none"}), "no result row is in panel 'Trees'"),
        (lambda: draw("noise-panels", colors="pink", **PANELS), "no colors 'pink'; choose one of ironbark, viridis"),
        (lambda: draw("noise-panels", **PANELS | {"panels": MORE}), "the first panel needs all methods"),
        (lambda: draw("comparison-scatter", COMPARED), "no published cell has a mean of ours"),
        (lambda: draw("published-curves", COMPARED), "no published cell of which we have a mean"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InputError, match=words):
        call()
