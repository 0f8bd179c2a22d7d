"""What jobs that write and import packs are to do."""

import json

import pack_files
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan import fit_specs, packs
from ironbark.pipeline.plan.specs import Plan


def test_the_spec_has_all_batches_and_a_line_for_each_data_set(config):
    plan = Plan(config)
    spec, study = json.loads(packs.spec(plan, ["small"], "full")), plan.study("small", "full")
    inputs = packs.inputs(plan, ["small"], "full")
    assert {path.split("/")[2] for path in inputs["prepared"]} == set(study.datasets)
    assert sorted(inputs["labels"]) == sorted(f"results/small/full/labels/{d}/{t}.npz" for d, t in study.cells)
    assert len({packs.path([f"study-{i}" for i in range(n)], "full") for n in (29, 30)}) == 2, "short and different"
    assert spec["studies"]["small"]["protocol"] == json.loads(json.dumps(study.protocol))
    batches = [json.loads(fit_specs.shard(plan, study, batch.name)) for batch in study.batches]
    assert spec["studies"]["small"]["batches"] == batches
    assert [line.partition(":")[0] for line in spec["data"]] == sorted(study.datasets)
    assert all("licence: " in line and "source: " in line for line in spec["data"])


def test_packs_are_known_by_their_digests(tmp_path):
    pack_files.write(tmp_path / "a.pack")
    pack_files.write(tmp_path / "b.pack")  # the same
    pack_files.write(tmp_path / "c.pack", 2)
    found = packs.opened([tmp_path / name for name in ("a.pack", "b.pack", "c.pack")])
    assert list(found.values()) == [tmp_path / "a.pack", tmp_path / "c.pack"]
    assert packs.opened(None) == {}
    with pytest.raises(InputError, match=r"none.pack cannot be read .*; correct --config packs"):
        packs.opened([tmp_path / "none.pack"])


def test_earlier_imports_stay_inputs(tmp_path):
    folder = tmp_path / "s" / "full" / "packs"
    assert packs.imports({}, "s", "full", tmp_path) == []
    folder.mkdir(parents=True)
    for name in ("b.json", "a.json", ".c.part"):
        (folder / name).write_text("{}")
    expected = [str(folder / f"{name}.json") for name in "abd"]
    assert packs.imports({"d": "x", "a": "y"}, "s", "full", tmp_path) == expected
