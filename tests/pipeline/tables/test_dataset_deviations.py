"""The tables of data sets that a mirror gives list what its own list calls a deviation, and nothing else."""

import re

import pytest
from mirror_tables import ROOT, catalogue, large, manifest, meta_of, prepared, table_of

from ironbark.pipeline import tables
from ironbark.pipeline.data import catalog, mirrored
from ironbark.pipeline.plan import dataset_specs
from ironbark.pipeline.published import DATASET_TABLES
from ironbark.pipeline.tables import dataset_tables

#: Facts of the printed tables -> how the list of the mirror words them: ours, printed.
WORDS = {
    "n_samples": r"(\d+) rows, paper (\d+)",
    "n_features": r"(\d+) features, paper (\d+)",
    "majority_percent": r"majority ([\d.]+) %, paper ([\d.]+)",
}


def listed(paper, printed_name):
    """What the list of the mirror says about one data set of a paper: its words, or None if it names none."""
    for row in manifest().values():
        names = [pair.strip().split(" (")[0] for pair in row["paper_names"].split(";")]
        if f"{paper}:{printed_name}" in names:
            clauses = row["matches_paper"].removeprefix("no:").split(";")
            return [clause.strip() for clause in clauses if clause.strip().startswith(f"{paper}:")]
    return None


def members(name):
    """[id, printed name] of each data set of a printed table."""
    return dataset_specs.members({"datasets": catalogue()}, name, catalogue())


def parameters():
    """Each data set of each printed table that a mirror may hold; the large ones are slow."""
    for name in DATASET_TABLES:
        for id, printed_name in members(name):
            if mirrored(catalogue()[id]):
                yield pytest.param(name, id, printed_name, marks=[pytest.mark.slow] if large(table_of(id)) else [])


@pytest.mark.parametrize(("name", "id", "printed_name"), list(parameters()))
def test_deviations_are_those_of_the_list(name, id, printed_name, tmp_path):
    said = listed(name.split("-")[0], printed_name)
    if said is None:
        pytest.skip("the mirror's own list does not name it")
    published = dataset_tables.read(ROOT / DATASET_TABLES[name].path, name)
    data = published, {id: meta_of(prepared(id, tmp_path))}
    table = tables.build(data, {"kind": "datasets", "printed": name}, members=[(id, printed_name)])
    differs = not table.values["agrees"].all()
    assert bool(table.values["deviations"].iloc[0]) == bool(said), said
    assert not differs or said
    for fact, words in WORDS.items():
        for ours, theirs in re.findall(words, " ".join(said)):
            assert _fact(table.values, fact) == pytest.approx((float(ours), float(theirs)), abs=0.005)


def _fact(values, fact):
    """Ours and the printed number; the sum of both parts where the paper prints these."""
    lines = values[values["fact"] == fact]
    if lines.empty and fact == "n_samples":
        lines = values[values["fact"].isin(["n_train", "n_test"])]
    return lines["ours"].sum(), lines["printed"].astype(float).sum()


@pytest.mark.parametrize("name", DATASET_TABLES)
def test_every_printed_data_set_has_an_entry_that_expects_its_numbers(name):
    """The entries hold for the real sources, so they must expect what is printed, or say why not."""
    published = dataset_tables.read(ROOT / DATASET_TABLES[name].path, name)
    assert set(published["dataset"]) <= {printed_name for _, printed_name in members(name)}
    for row in published.to_dict("records"):
        for entry in (catalog.complete(catalogue()[id]) for id, own in members(name) if own == row["dataset"]):
            expect, wanted = entry["expect"], {"d": int(row["n_features"])}
            wanted["n"] = int(row["n_samples"]) if "n_samples" in row else int(row["n_train"]) + int(row["n_test"])
            if "n_classes" in row:
                wanted["k"] = int(row["n_classes"])
            assert {key: expect[key] for key in wanted} == wanted or entry.get("deviations"), row["dataset"]
