"""The claims of the ANE paper: counts in the published values are the paper's own, and ours are counted alike."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline import tables
from ironbark.pipeline.published import readers
from ironbark.pipeline.results.records import frame
from ironbark.pipeline.tables import ane_claims as paper_claims

FOLDER = Path(__file__).parents[3] / "data/published"
TABLES = readers.ane_cells(FOLDER / "ane_accuracy.csv")
MARKS = readers.ane_highlighted(FOLDER / "ane_accuracy.csv")
LAMBDAS = readers.ane_lambdas(FOLDER / "ane_lambda.csv")
NAMES = [name for name, *_ in paper_claims.CLAIMS]


@pytest.fixture(scope="module")
def printed():
    return paper_claims.printed(TABLES, MARKS, LAMBDAS)


def build(rows, spec, mapping, **further):
    published = {"tables": TABLES, "marks": MARKS, "lambdas": LAMBDAS}
    return tables.build(rows, {"kind": "claims"} | spec, **published, mapping=mapping, **further)


@pytest.fixture(scope="module")
def counts(printed):
    return dict(zip(NAMES, paper_claims.check(printed), strict=True))


@pytest.mark.parametrize(
    ("name", "count", "total"),
    [
        ("ANE is highlighted: trees, binary", 40, 42),  # the paper's numbers
        ("ANE is highlighted: trees, multiclass", 25, 30),
        ("ANE is highlighted: forests, binary", 32, 42),
        ("ANE is highlighted: forests, multiclass", 18, 30),
        ("Credal is highlighted: forests, multiclass", 25, 30),
        ("One lambda is best (Figure 6)", 8, 13),
        ("The same at 40 % noise, two classes (Figure 6)", 2, 10),
    ],
)
def test_printed_counts(counts, name, count, total):
    assert counts[name][:3] == (count, total, True)


def test_all_claims_hold_in_the_print_but_of_what_is_not_printed(counts):
    assert [name for name, count in counts.items() if count is None] == ["Twoing as defined is the worst but for CL"]
    assert all(count.holds for count in counts.values() if count)


def rows_of(printed, methods, repeats=2):
    """Result rows whose means are the printed ones."""
    rng = np.random.default_rng(0)
    for cell in printed.itertuples():
        if (cell.model, cell.method) not in methods:
            continue
        noise_id = f"{cell.noise}-{cell.rate.replace('/', '-')}"
        spread = 0.0 if np.isnan(cell.sd) else cell.sd / 2**0.5  # two values with this distance have the printed sd
        for repeat in range(repeats):
            yield {
                "dataset": cell.dataset,
                "task": cell.task,
                "method": methods[cell.model, cell.method],
                "noise": cell.noise,
                "rate": cell.rate,
                "noise_id": noise_id,
                "repeat": repeat,
                "status": "ok",
                "accuracy": cell.mean + spread * (2 * repeat - 1),
                "n_leaves": cell.n_leaves + 0 * rng.random(),
            }


def mapping_of(printed):
    methods = {
        pair: f"{pair[0]}-{pair[1]}".lower() for pair in set(zip(printed["model"], printed["method"], strict=True))
    }
    mapping = {}
    for (model, method), own in sorted(methods.items()):
        mapping.setdefault(model, {})[method] = own
    return methods, mapping


def test_rows_with_the_printed_numbers_give_the_printed_counts(printed):
    methods, mapping = mapping_of(printed)
    rows = frame(rows_of(printed, methods))
    table = build(rows, {"caption": "Said."}, mapping, caption_note="Note.")
    at = table.frame.loc["One lambda is best (Figure 6)"]
    assert list(at[["Published", "Published, cells as ours", "Ours"]]) == ["8/13"] * 3 and at["Verdict"] == "holds"
    at = table.frame.loc["CE, MSE, Ranking and GCE lie within 3 points"]
    assert at["Published"] == at["Ours"]
    assert table.frame.loc["Twoing as defined is the worst but for CL", "Verdict"] == "not comparable"
    assert table.caption == "Said. Note."


def test_cells_that_we_lack_are_left_out_of_the_second_count_and_caps_forbid_a_verdict(printed):
    methods, mapping = mapping_of(printed)
    rows = frame(rows_of(printed[printed["dataset"] == "mushrooms"], methods))
    name = "CL is not highlighted: forests"
    full, capped = (build(rows, {}, mapping, capped_fits=capped).frame.loc[name] for capped in ("", "2 repeats"))
    assert full["Published"].endswith("/72") and full["Published, cells as ours"].endswith("/7")
    assert full["Ours"].endswith("/7")
    assert full["Verdict"] in ("holds", "doesn't hold") and capped["Verdict"] == "not comparable"


def test_a_claim_that_our_numbers_contradict_does_not_hold(printed):
    methods, mapping = mapping_of(printed)
    swapped = printed.assign(method=printed["method"].replace({"ane": "gce", "gce": "ane"}))
    table = build(frame(rows_of(swapped, methods)), {}, mapping)
    assert table.frame.loc["ANE is highlighted: trees, binary", "Verdict"] == "doesn't hold"


def test_twoing_as_defined_takes_the_place_of_the_authors(printed):
    methods, mapping = mapping_of(printed)
    better = printed[printed["method"] == "twoing"].assign(method="twoing_defined", mean=lambda f: f["mean"] + 0.2)
    both = pd.concat([printed, better])
    methods |= {(model, "twoing_defined"): f"{model}-defined" for model in ("DT", "RF")}
    for model in ("DT", "RF"):
        mapping[model]["twoing_defined"] = f"{model}-defined"
    table = build(frame(rows_of(both, methods)), {}, mapping).frame
    assert table.loc["Twoing of the authors' code is the worst but for CL", "Verdict"] == "holds"
    assert table.loc["Twoing as defined is the worst but for CL", "Verdict"] == "doesn't hold"
