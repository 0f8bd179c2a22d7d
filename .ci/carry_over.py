"""Give the fits of a pack the keys of this code: python .ci/carry_over.py PACK OLD NEW STUDY SCALE MIRROR WORK.

OLD and NEW are files of keys, JSON, member -> method -> "repeat fold" -> key, of the code before and of this code. A fit is
carried over if the pack has it under its old key; at least SAMPLE of them are trained again and must agree bit by bit.
"""

import json
import os
import random
import sys
from pathlib import Path

import yaml

from ironbark.pipeline.jobs.fits import import_pack, requested_fits
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.results import packs

SAMPLE = 60


def carried(pack, old, new):
    """Member -> [(method, key, record)] with new keys, and how many fits are left behind."""
    found, left = {}, 0
    for name in pack.members:
        place = name.removeprefix("store/").removesuffix(".jsonl")
        for method, fits in pack.fits(name).items():
            for key, record in fits.items():
                index = f"{record['repeat']} {record['fold']}"
                known = old.get(place, {}).get(method, {}).get(index) == key
                if known and index in new.get(place, {}).get(method, {}):
                    found.setdefault(name, []).append((method, new[place][method][index], record))
                else:
                    left += 1
    return found, left


def main(path, old, new, study, scale, mirror, work):
    old, new = (json.loads(Path(file).read_text()) for file in (old, new))
    with packs.Pack(path) as pack:
        found, left = carried(pack, old, new)
        about = {key: value for key, value in pack.manifest.items() if key not in ("members", "kind", "format", "fits")}
        texts = {name: pack._archive.read(name).decode() for name in (packs.LICENCE, packs.DATA)}
    side = f"{path}.new"
    packs.write(side, about, iter(sorted(found.items())), texts)
    print(path, "carried over", sum(map(len, found.values())), "left", left)
    with packs.Pack(side) as pack:
        settings = yaml.safe_load(Path("config/config.yaml").read_text()) | {"scale": scale, "studies": [study]}
        plan = Plan(read("config", "workflow/schemas", settings | {"mirror": mirror, "bad_data": "leave_out"}))
        one = plan.study(study, scale)
        specs = [json.loads(plan.shard(study, scale, batch.name)) for batch in one.batches]
        prepared = {name: f"{work}/data/prepared/{name}" for name in one.datasets}
        labels = {cell: f"{work}/results/{study}/{scale}/labels/{'/'.join(cell)}.npz" for cell in one.cells}
        for spec in specs:
            spec["parts"] = [part for part in spec["parts"] if os.path.exists(labels[part["dataset"], part["task"]])]
        asked = {}
        for (*place, method), fits in requested_fits.requested(specs, prepared, labels):
            asked.setdefault(f"store/{'/'.join(place)}.jsonl", {}).setdefault(method, {}).update(fits)
        everything = [(name, method, key) for name, fits in found.items() for method, key, _ in fits]
        sample = sorted(random.SystemRandom().sample(everything, min(SAMPLE, len(everything))))
        import_pack._train_again(pack, asked, sample, (specs, prepared, labels))
        print(path, "trained again, all agree:", len(sample))
    os.replace(side, path)


if __name__ == "__main__":
    main(*sys.argv[1:])
